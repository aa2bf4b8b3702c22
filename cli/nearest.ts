/** The candidate that was probably meant: the one with the fewest typing errors, if they are few for its length. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    // People seldom mistype the first letter.
    const start = candidate.toLowerCase().startsWith(word.slice(0, 1)) ? 0 : 0.5;
    const isStart = word.length > 2 && candidate.startsWith(word);
    const distance = isStart ? 1 : start + editDistance(word, candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(1, candidate.length / 3)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word of the other. */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 8) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? Infinity;
}
