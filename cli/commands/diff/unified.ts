/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Above this many pairs of lines the middle is shown as replaced as a whole, instead of being compared for seconds. */
const MOST_PAIRS = 16_000_000;

type Edit = { readonly sign: ' ' | '-' | '+'; readonly line: string };

/**
 * The hunks of a unified diff of two texts, a line each, without the two lines for the files; empty where they are equal.
 */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const edits = compareLines(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  return hunksOf(changed, edits.length).flatMap(([from, to]) => {
    const hunk = edits.slice(from, to);
    const preceding = edits.slice(0, from);
    return [header(preceding, hunk), ...hunk.map(({ sign, line }) => sign + line)];
  });
}

/** Changes that are near each other share a hunk. */
function hunksOf(changed: readonly number[], length: number): readonly (readonly [number, number])[] {
  const hunks: [number, number][] = [];
  for (const index of changed) {
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function header(preceding: readonly Edit[], hunk: readonly Edit[]): string {
  const range = (without: '-' | '+'): string => {
    const start = preceding.filter(({ sign }) => sign !== without).length;
    const count = hunk.filter(({ sign }) => sign !== without).length;
    return count === 0 ? `${start},0` : `${start + 1}${count === 1 ? '' : `,${count}`}`;
  };
  return `@@ -${range('+')} +${range('-')} @@`;
}

function compareLines(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - head;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const same = (line: string): Edit => ({ sign: ' ', line });
  return [
    ...before.slice(0, head).map(same),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MOST_PAIRS) {
    return [...before.map((line): Edit => ({ sign: '-', line })), ...after.map((line): Edit => ({ sign: '+', line }))];
  }
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const edits: Edit[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const old = before[row] ?? '';
    const fresh = after[column] ?? '';
    if (row < rows && column < columns && old === fresh) {
      edits.push({ sign: ' ', line: old });
      row += 1;
      column += 1;
    } else if (row < rows && (column === columns || at(row + 1, column) >= at(row, column + 1))) {
      edits.push({ sign: '-', line: old });
      row += 1;
    } else {
      edits.push({ sign: '+', line: fresh });
      column += 1;
    }
  }
  return edits;
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
