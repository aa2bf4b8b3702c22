import { formatPath } from '../lib/composition';
import { printable } from './io';
import type { Style } from './io';
import type { LocatedFinding, Verdict } from './input/admit';

/** Colours a text, or leaves it alone: {@link painter}. */
export type Paint = (style: Style, text: string) => string;

/** A finding as a line that editors and terminals can jump from: `FILE:LINE: kind/name: path: message`. */
export function findingLine(
  { place, identity }: Verdict,
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

/** What the errors of all verdicts say, a line each, in the order of the input. */
export function errorLines(verdicts: readonly Verdict[], paint: Paint): string {
  return verdicts
    .flatMap((verdict) => byLine(verdict.errors).map((error) => findingLine(verdict, error, paint, 'error')))
    .join('');
}

function byLine(findings: readonly LocatedFinding[]): readonly LocatedFinding[] {
  return findings.toSorted((a, b) => a.line - b.line);
}

/** What the warnings of all verdicts say. */
export function warningLines(verdicts: readonly Verdict[], paint: Paint): string {
  return verdicts
    .flatMap((verdict) => verdict.warnings.map((warning) => findingLine(verdict, warning, paint, 'warning')))
    .join('');
}

/** Such as "3 resources: 1 valid, 1 invalid, 1 of another kind". */
export function summaryLine(verdicts: readonly Verdict[], paint: Paint): string {
  const invalid = verdicts.filter(({ errors }) => errors.length > 0).length;
  const other = verdicts.filter(({ errors, known }) => errors.length === 0 && !known).length;
  const valid = verdicts.length - invalid - other;
  const parts = [
    ...(valid > 0 || verdicts.length === 0 ? [paint('green', `${valid} valid`)] : []),
    ...(invalid > 0 ? [paint('red', `${invalid} invalid`)] : []),
    ...(other > 0 ? [`${other} of another kind, not checked`] : []),
  ];
  return `${verdicts.length} ${verdicts.length === 1 ? 'resource' : 'resources'}: ${parts.join(', ')}\n`;
}
