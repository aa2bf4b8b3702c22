// Makes the files of the container image without a container engine, and prints what an engine has to know of them:
//   node scripts/image.mjs --out DIR      the root of the image, without its base, in a new folder
//   node scripts/image.mjs --sbom FILE    a CycloneDX bill of materials: what is in these files
//   node scripts/image.mjs                prints alone
// The Dockerfile is what it reads, so both cannot differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseDockerfile } from './image/dockerfile.mjs';
import { assemble, filesOf } from './image/files.mjs';
import { billOfMaterials } from './image/sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, sbom: { type: 'string' } } });
  const stages = parseDockerfile(readFileSync(`${root}/Dockerfile`, 'utf8'));
  const { entries, missing } = filesOf(stages, root);
  if (values.out !== undefined) assemble(entries, values.out);
  if (values.sbom !== undefined) {
    writeFileSync(values.sbom, `${JSON.stringify(billOfMaterials(entries, root), undefined, 2)}\n`);
  }
  console.log(JSON.stringify({ ...config(stages.at(-1)), missing }, undefined, 2));
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

/** @param {import('./image/dockerfile.mjs').Stage} stage */
function config(stage) {
  const { base, entrypoint, command, user, workingDir, ports } = stage;
  return {
    ...{ base, entrypoint, command, user, workingDir },
    env: Object.fromEntries(stage.env.map(({ name, value }) => [name, value])),
    labels: Object.fromEntries(stage.labels.map(({ name, value }) => [name, value])),
    exposedPorts: ports,
  };
}
