// @ts-check
// Ends a CI run: node tools/test/summary.mjs FAILED-STAGES FAILED-STAGES-WITHOUT-TESTS. Prints "N passed, N failed".
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const [failedStages = 0, withoutTests = 0] = process.argv.slice(2).map(Number);
let passed = 0;
let failed = withoutTests;
for (const project of existsSync('coverage') ? readdirSync('coverage') : []) {
  const file = `coverage/${project}/results.json`;
  if (existsSync(file)) {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    passed += results.numPassedTests;
    // a test file that does not even load has no tests to count
    failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  }
}
// never "0 failed" where something failed, such as a run that was killed before it could write its results
console.log(`${passed} passed, ${failedStages > 0 ? Math.max(failed, 1) : failed} failed`);
