import { relative } from 'node:path';

/**
 * Adds up the coverage reports of several runs over the same sources.
 * @param {object[]} reports Istanbul's reports (coverage-final.json) of the runs
 * @returns {{ percent: number, files: { path: string, percent: number, missing: string[] }[] }} the share of lines that
 *   some run covered, altogether and in each file; `missing` has the lines that none did, as ranges
 */
export function lineCoverage(reports) {
  const hits = new Map();
  for (const report of reports) {
    for (const { path, statementMap, s } of Object.values(report)) {
      const lines = hits.get(path) ?? new Map();
      hits.set(path, lines);
      for (const [id, { start }] of Object.entries(statementMap)) {
        lines.set(start.line, Math.max(lines.get(start.line) ?? 0, s[id]));
      }
    }
  }
  let covered = 0;
  let all = 0;
  const files = [...hits].map(([path, lines]) => {
    const missing = [...lines.keys()].filter((line) => lines.get(line) === 0).toSorted((a, b) => a - b);
    covered += lines.size - missing.length;
    all += lines.size;
    return {
      path: relative('', path),
      percent: share(lines.size - missing.length, lines.size),
      missing: ranges(missing),
    };
  });
  return { percent: share(covered, all), files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

function share(part, whole) {
  return whole === 0 ? 100 : (part / whole) * 100;
}

function ranges(lines) {
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && line === last[1] + 1) {
      last[1] = line;
    } else {
      found.push([line, line]);
    }
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}
