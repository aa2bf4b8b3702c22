import { readdirSync, readFileSync } from 'node:fs';

/**
 * The licences of the packages that a bundle contains, which have to be handed on together with it.
 * @param {Pick<import('esbuild').Metafile, 'outputs'>} metafile what esbuild says of the bundle
 * @returns {string} one section for each package, in the order of their names
 */
export function notices(metafile) {
  const folders = new Set();
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  // what nothing calls was read, but is not in the bundle
  for (const [input] of inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
    if (folder) {
      folders.add(folder);
    }
  }
  return [...folders]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map(section)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function section(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
}
