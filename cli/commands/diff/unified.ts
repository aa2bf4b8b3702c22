import { structuredPatch } from 'diff';

/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Above this many changed lines the middle is shown as replaced as a whole, instead of being compared for seconds. */
const MOST_EDITS = 2000;

/**
 * The hunks of a unified diff of two texts, a line each, without the two lines for the files; empty where they are equal.
 */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, options);
  if (patch === undefined) return replacedMiddle(linesOf(before), linesOf(after));
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    header([oldStart, oldLines], [newStart, newLines]),
    ...lines,
  ]);
}

/** The first line of a hunk, and how many it has. */
type Range = readonly [start: number, count: number];

function header(before: Range, after: Range): string {
  // A range without lines names the line before it.
  const text = ([start, count]: Range): string =>
    count === 0 ? `${start - 1},0` : `${start}${count === 1 ? '' : `,${count}`}`;
  return `@@ -${text(before)} +${text(after)} @@`;
}

/** One hunk, of all between the lines that both begin and end with. */
function replacedMiddle(before: readonly string[], after: readonly string[]): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const behind = Math.max(0, tail - CONTEXT);
  const signed = (sign: string, lines: readonly string[]): readonly string[] => lines.map((line) => sign + line);
  return [
    header([from + 1, before.length - behind - from], [from + 1, after.length - behind - from]),
    ...signed(' ', before.slice(from, head)),
    ...signed('-', before.slice(head, before.length - tail)),
    ...signed('+', after.slice(head, after.length - tail)),
    ...signed(' ', before.slice(before.length - tail, before.length - behind)),
  ];
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(text: string): readonly string[] {
  return ended(text).split('\n').slice(0, -1);
}
