import { readdirSync, readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';

/**
 * The licences of the packages that bundles contain, which have to be handed on together with them.
 *
 * @returns one section for each package, in the order of their names
 */
export function notices(...bundles: readonly { readonly metafile: Metafile }[]): string {
  const inputs = bundles
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    // what nothing calls was read, but is not in the bundle
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []);
  return [...new Set(folders)]
    .toSorted()
    .map(section)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function section(folder: string): string {
  const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(`${folder}/package.json`, 'utf8'),
  );
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file === undefined ? `Licence: ${license}` : readFileSync(`${folder}/${file}`, 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
