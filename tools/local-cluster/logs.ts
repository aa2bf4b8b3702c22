import { readFileSync } from 'node:fs';

/** The last lines of a log file, indented, for error messages. */
export function tail(file: string, lines = 15): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8').trimEnd();
  } catch {
    // Not started yet.
  }
  if (text === '') return '  (nothing)';
  return text
    .split('\n')
    .slice(-lines)
    .map((line) => `  ${line.slice(0, 600)}`)
    .join('\n');
}
