import { resolve } from 'node:path';
import { type CoverageMapData } from 'istanbul-lib-coverage';
import { lineCoverage } from '../../tools/test/coverage';

/** A report on one file, whose statements start on these lines and ran so often. */
function report(path: string, ...statements: readonly (readonly [line: number, hits: number])[]): CoverageMapData {
  const of = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 1 } });
  return {
    [resolve(path)]: {
      path: resolve(path),
      statementMap: Object.fromEntries(statements.map(([line], id) => [id, of(line)])),
      s: Object.fromEntries(statements.map(([, hits], id) => [id, hits])),
      ...{ fnMap: {}, f: {}, branchMap: {}, b: {} },
    },
  };
}

test('a line counts as covered when any of the runs reached it', () => {
  const unit = report('lib/a.ts', [1, 1], [2, 0], [3, 0], [4, 0], [7, 0]);
  const integration = report('lib/a.ts', [1, 0], [2, 5], [3, 0], [4, 0], [7, 0]);
  expect(lineCoverage([unit, integration])).toEqual({
    percent: 40,
    files: [{ path: 'lib/a.ts', percent: 40, missing: [3, 4, 7] }],
  });
});

test('a line with several statements is covered when one of them ran', () => {
  expect(lineCoverage([report('lib/a.ts', [1, 0], [1, 1])]).percent).toBe(100);
});

test('a file that no test loads lowers the share', () => {
  const { percent, files } = lineCoverage([{ ...report('lib/b.ts', [1, 1]), ...report('lib/a.ts', [1, 0]) }]);
  expect(percent).toBe(50);
  expect(files.map((file) => file.path)).toEqual(['lib/a.ts', 'lib/b.ts']);
});
