import { formatPath } from '../lib/composition/path';
import { printable } from './io';
import type { Style } from './io';
import type { LocatedFinding, InputResult } from './input/admit';

/** Colours a text, or leaves it as it is: {@link painter}. */
export type Paint = (style: Style, text: string) => string;

/** A finding as a line that editors and terminals can jump from: `FILE:LINE: kind/name: path: message`. */
export function findingLine(
  { place, identity }: InputResult,
  { line, path, message }: LocatedFinding,
  paint: Paint,
  severity: 'error' | 'warning',
): string {
  const { kind, name } = identity;
  const subject = kind === undefined ? undefined : `${kind}/${name ?? '?'}`;
  const parts = [
    paint('bold', `${printable(place.file)}:${line}`),
    ...(severity === 'warning' ? [paint('yellow', 'warning')] : []),
    ...(subject === undefined ? [] : [printable(subject)]),
    ...(path.length === 0 ? [] : [paint('red', printable(formatPath(path)))]),
    printable(message),
  ];
  return `${parts.join(': ')}\n`;
}

/** What the errors of all results say, a line each, in the order of the input. */
export function errorLines(results: readonly InputResult[], paint: Paint): string {
  return results
    .flatMap((result) => byLine(result.errors).map((error) => findingLine(result, error, paint, 'error')))
    .join('');
}

function byLine(findings: readonly LocatedFinding[]): readonly LocatedFinding[] {
  return findings.toSorted((a, b) => a.line - b.line);
}

/** What the warnings of all results say. */
export function warningLines(results: readonly InputResult[], paint: Paint): string {
  return results
    .flatMap((result) => result.warnings.map((warning) => findingLine(result, warning, paint, 'warning')))
    .join('');
}

/** Such as "3 resources: 1 valid, 1 invalid, 1 of another kind". */
export function summaryLine(results: readonly InputResult[], paint: Paint): string {
  const invalid = results.filter(({ errors }) => errors.length > 0).length;
  const other = results.filter(({ errors, known }) => errors.length === 0 && !known).length;
  const valid = results.length - invalid - other;
  const parts = [
    ...(valid > 0 || results.length === 0 ? [paint('green', `${valid} valid`)] : []),
    ...(invalid > 0 ? [paint('red', `${invalid} invalid`)] : []),
    ...(other > 0 ? [`${other} of another kind, not checked`] : []),
  ];
  return `${results.length} ${results.length === 1 ? 'resource' : 'resources'}: ${parts.join(', ')}\n`;
}
