import type { ChildProcess } from 'node:child_process';

/** A line that the container program writes. */
export interface Told {
  readonly pid?: number;
  readonly error?: string;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly timedOut?: true;
}

/** Calls back with each line that a container program writes. */
export function listen(program: ChildProcess, hear: (line: Told) => void): void {
  let rest = '';
  program.stdio[3]?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own program wrote it
    for (const line of lines) hear(JSON.parse(line) as Told);
  });
}
