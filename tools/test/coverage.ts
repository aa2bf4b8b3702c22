import { relative } from 'node:path';
import { type CoverageMapData, createCoverageMap } from 'istanbul-lib-coverage';

export interface LineCoverage {
  /** Of the lines of all files, those that some run covered. */
  readonly percent: number;
  readonly files: readonly {
    readonly path: string;
    readonly percent: number;
    /** The lines that no run covered. */
    readonly missing: readonly number[];
  }[];
}

/** What several runs over the same sources covered together. */
export function lineCoverage(reports: readonly CoverageMapData[]): LineCoverage {
  const all = createCoverageMap();
  for (const report of reports) all.merge(report);
  const files = all
    .files()
    .map((file) => ({ path: relative('', file), of: all.fileCoverageFor(file) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    percent: all.getCoverageSummary().lines.pct,
    files: files.map(({ path, of }) => ({
      path,
      percent: of.toSummary().lines.pct,
      missing: of.getUncoveredLines().map(Number),
    })),
  };
}
