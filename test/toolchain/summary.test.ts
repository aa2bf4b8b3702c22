import { Sandbox } from './sandbox';

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox('tools/test/summary.mjs');
});

afterEach(() => sandbox.remove());

function results(project: string, passed: number, failed: number, broken = 0): void {
  sandbox.write(`coverage/${project}/results.json`, {
    numPassedTests: passed,
    numFailedTests: failed,
    numRuntimeErrorTestSuites: broken,
  });
}

test('the tests of all runs are added up', () => {
  results('unit', 400, 0);
  results('integration', 60, 0);
  expect(sandbox.run(['0', '0']).output).toBe('460 passed, 0 failed\n');
});

test('failed tests, files that do not load and stages without tests count as failed', () => {
  results('unit', 400, 2);
  results('integration', 60, 0, 1);
  expect(sandbox.run(['3', '1']).output).toBe('460 passed, 4 failed\n');
});

test('a run that was killed before it wrote results is not "0 failed"', () => {
  results('unit', 400, 0);
  expect(sandbox.run(['1', '0']).output).toBe('400 passed, 1 failed\n');
});

test('without any results the stages are counted', () => {
  expect(sandbox.run(['2', '2']).output).toBe('0 passed, 2 failed\n');
});
