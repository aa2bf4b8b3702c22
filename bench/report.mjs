import { cpus, totalmem, type } from 'node:os';
import { packageVersion } from './measure.mjs';

/** Where and with what the figures were made. */
export function environment() {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()}`,
    node: process.version,
    cdk8s: packageVersion('cdk8s'),
    constructs: packageVersion('constructs'),
    yaml: packageVersion('yaml'),
  };
}

/** A table for people; every aim stands beside its figure. */
export function table(groups) {
  return Object.entries(groups)
    .map(([title, figures]) => {
      const rows = figures.map(({ name, value, unit, aim, note }) => {
        const figure = `${format(value, unit)} ${unit}`.trimEnd();
        const verdict =
          aim === undefined ? '' : `${value <= aim ? 'met' : 'MISSED'}, aim: ${format(aim, unit)} ${unit}`;
        return `  ${name.padEnd(68)} ${figure.padStart(12)}  ${[verdict.trim(), note].filter(Boolean).join('; ')}`.trimEnd();
      });
      return `${title}\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

function format(value, unit) {
  if (unit === '') return String(value);
  if (unit === '×') return value.toFixed(2);
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
