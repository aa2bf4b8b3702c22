// Writes what is generated from crds/src, below the repository or below --out FOLDER.
// With --check it writes nothing and fails if a file there is stale.
import { parseArgs } from 'node:util';
import { sizeOf } from './crd';
import { staleFiles, writeFiles } from './files';
import { generate } from './outputs';
import { root, sources } from './paths';

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, out: { type: 'string', default: root } },
});
const { crd, files, left } = generate(sources);
if (values.check) {
  const stale = staleFiles(values.out, files);
  if (stale.length > 0) {
    console.error(`stale, run npm run generate: ${stale.join(', ')}`);
    process.exitCode = 1;
  }
} else {
  const written = writeFiles(values.out, files);
  console.log(`${crd.metadata.name}: ${sizeOf(crd)} bytes as JSON`);
  for (const { text, reason } of left) console.log(`left to the engine, as ${reason}: ${text}`);
  console.log(written.length > 0 ? `written: ${written.join(', ')}` : 'everything was current');
}
