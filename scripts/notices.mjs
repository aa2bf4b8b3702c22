import { readdirSync, readFileSync } from 'node:fs';

/**
 * The licences of the packages that a bundle contains, which have to be handed on together with it.
 * @param {import('esbuild').Metafile} metafile what esbuild says of the bundle
 * @returns {string} one section for each package, in the order of their names
 */
export function notices(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
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
