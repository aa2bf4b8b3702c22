import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine, known from a later one with the same pid by its start. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly command: string;
}

/** All processes that a process has started, and those have started, and so on. */
export function processesBelow(pid: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => look(Number(name)) ?? []);
  const below = (of: number): readonly Process[] =>
    all.filter(({ parent }) => parent === of).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

/** Whether it still runs. One that has ended and that nobody has asked about does not. */
export function runs({ pid, start }: Process): boolean {
  return look(pid)?.start === start;
}

function look(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may have any character in it.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent: Number(parent), start: rest[17] ?? '', command };
  } catch {
    return undefined;
  }
}
