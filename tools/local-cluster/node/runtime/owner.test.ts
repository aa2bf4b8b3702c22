import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { poll } from '../../poll';
import { Owner } from './testing/owner';

jest.setTimeout(60_000);

test('when the owner is killed, nothing of its containers is left', async () => {
  const owner = await Owner.start();
  try {
    const command = ['/bin/sh', '-c', 'trap "" TERM; sleep 600 & echo up; wait'];
    const containers = await Promise.all([1, 2, 3].map(() => owner.container({ command })));
    await poll('the containers to be up', async () => containers.every((one) => one.output().includes('up')), {
      seconds: 10,
    });
    // A frozen one cannot do anything for its own end.
    await containers[0]?.signal('SIGSTOP');
    const pids = containers.flatMap(({ pid }) => (pid === undefined ? [] : [pid, ...descendants(pid)]));
    expect(pids).toHaveLength(6);
    await owner.die();
    await poll('all processes to be gone', async () => !pids.some((pid) => existsSync(`/proc/${pid}`)), { seconds: 5 });
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(owner.folder);
    expect(mentions(owner.folder)).toEqual([]);
  } finally {
    await owner.stop();
  }
  expect(existsSync(owner.folder)).toBe(false);
});

function descendants(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = text.split(' ').filter((word) => word !== '');
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

/** Command lines that name a folder. */
function mentions(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(folder));
}
