import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProcessImage } from '../node/image';
import { libraries } from './libraries';

/** Images that do one thing, for tests. */
export function testImages(): readonly ProcessImage[] {
  return [
    script('crash', ['/bin/sh', '-c', 'echo "a configured crash" && exit 3']),
    script('never-ready', node('never-ready.cjs')),
    script('ignores-sigterm', node('ignores-sigterm.cjs')),
    { ...script('shell', []), command: ['/bin/sh'] },
  ];
}

function script(name: string, entrypoint: readonly string[]): ProcessImage {
  return {
    kind: 'process',
    name: `test.local/${name}:1`,
    root: join(__dirname, 'empty'),
    entrypoint,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    host: [...libraries(), ...['/bin', '/usr/bin', dirname(process.execPath)].filter((folder) => existsSync(folder))],
  };
}

/** The text goes along, as a file might not be readable to the container's user. */
function node(file: string): readonly string[] {
  return [process.execPath, '-e', readFileSync(join(__dirname, file), 'utf8')];
}
