// Packs the package as users get it into coverage/package.tgz, and refuses one that has grown out of all proportion.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Packed {
  readonly filename: string;
  readonly entryCount: number;
  readonly unpackedSize: number;
}

/** What a package with two dependencies of its own may weigh, in bytes. */
const largest = 1_500_000;
const tarball = 'coverage/package.tgz';

process.chdir(join(__dirname, '../..'));
mkdirSync('coverage', { recursive: true });
const said = execFileSync('npm', ['pack', '--json', '--pack-destination', 'coverage'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
// what prepack prints comes first
const [{ filename, entryCount, unpackedSize }]: readonly [Packed] = JSON.parse(said.slice(said.indexOf('[')));
renameSync(`coverage/${filename}`, tarball);
const { size } = statSync(tarball);
console.log(`${filename}: ${size} bytes, ${entryCount} files, ${unpackedSize} bytes unpacked`);
if (size > largest) {
  console.error(`error: the package has ${size} bytes and may have ${largest}: what has got into it?`);
  process.exitCode = 1;
}
