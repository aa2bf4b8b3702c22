import { existsSync, readFileSync } from 'node:fs';

/** A time as core/v1 has it, in whole seconds. */
export function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A time as `coordination.k8s.io` has it, in microseconds. */
export function microseconds(time: Date): string {
  return time.toISOString().replace(/Z$/, '000Z');
}

/** What is reported of an error. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whole seconds as Go writes a duration: 10s, 1m20s, 5m0s. */
export function goDuration(total: number): string {
  const minutes = Math.floor(total / 60);
  return minutes === 0 ? `${total}s` : `${minutes}m${total % 60}s`;
}

/** The end of a file, at most so many lines and bytes; empty where there is no file. */
export function tailOf(file: string, most: { readonly bytes: number; readonly lines: number }): string {
  if (!existsSync(file)) return '';
  const text = readFileSync(file).subarray(-most.bytes).toString();
  const ended = text.endsWith('\n');
  const lines = text.split('\n').slice(-(most.lines + (ended ? 1 : 0)));
  return lines.join('\n');
}
