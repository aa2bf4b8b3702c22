import { readFileSync } from 'node:fs';

const MAP = '/proc/self/uid_map';

/**
 * Whether processes and files can be given to other users here. Under `unshare -r` there is only one user, 0 of the user
 * namespace, and containers run as that one, no matter what the pod says.
 */
export function takesUsers(): boolean {
  return process.geteuid?.() === 0 && ranges(readFileSync(MAP, 'utf8')).some(({ count }) => count >= 65_536);
}

/** Who a user of this user namespace is outside of it; 65534 for nobody that can be named. */
export function outside(uid: number, map = readFileSync(MAP, 'utf8')): number {
  const range = ranges(map).find(({ first, count }) => uid >= first && uid < first + count);
  return range === undefined ? 65_534 : range.host + uid - range.first;
}

interface Range {
  readonly first: number;
  readonly host: number;
  readonly count: number;
}

function ranges(map: string): readonly Range[] {
  return map
    .trim()
    .split('\n')
    .map((line) => {
      const [first = 0, host = 0, count = 0] = line.trim().split(/\s+/).map(Number);
      return { first, host, count };
    });
}
