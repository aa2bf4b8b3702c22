// npm run bench [-- [-o json] [--resources COUNT]... [GROUP...]]: how fast Inferno is, and beside each figure what it aims at.
// Not a test: no figure makes it fail. Run it on a machine that does nothing else.
import { parseArgs } from 'node:util';
import { cluster } from './cluster/index.mjs';
import { loading } from './loading.mjs';
import { root, succeed } from './measure.mjs';
import { operator } from './operator/index.mjs';
import { rendering } from './rendering.mjs';
import { environment, table } from './report.mjs';
import { starting } from './starting.mjs';
import { validation } from './validation.mjs';

const groups = { loading, validation, rendering, starting, operator, cluster };

const { values, positionals } = parseArgs({
  options: {
    output: { type: 'string', short: 'o', default: 'table' },
    // Numbers of resources at which the operators are measured too, and of model servers in the cluster
    resources: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const wrong = positionals.filter((name) => !Object.hasOwn(groups, name));
const resources = values.resources.map(Number);
if (
  wrong.length > 0 ||
  !['table', 'json'].includes(values.output) ||
  !resources.every((count) => Number.isInteger(count) && count > 0)
) {
  console.error(`usage: npm run bench -- [-o table|json] [--resources COUNT]... [${Object.keys(groups).join('] [')}]`);
  process.exit(2);
}

// The figures have to be those of the sources as they are
succeed(process.execPath, ['--import', 'tsx', `${root}/tools/package/build.ts`]);
const results = {};
for (const [name, group] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`${name} …`);
  results[name] = await group({ resources });
}
const context = environment();
if (values.output === 'json') {
  const withVerdicts = Object.entries(results).map(([name, figures]) => [
    name,
    figures.map((figure) => (figure.aim === undefined ? figure : { ...figure, met: figure.value <= figure.aim })),
  ]);
  console.log(JSON.stringify({ environment: context, results: Object.fromEntries(withVerdicts) }, null, 2));
} else {
  console.log(
    `${Object.entries(context)
      .map((entry) => entry.join(' '))
      .join(', ')}\n`,
  );
  console.log(table(results));
}
