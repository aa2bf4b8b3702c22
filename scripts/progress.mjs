// A reporter for Jest that tells each test as it ends: Jest's own tells a file's tests when the file has ended.
export default class Progress {
  onTestFileStart(test) {
    process.stderr.write(`\n${test.path.split('/').at(-1)}\n`);
  }

  onTestCaseResult(_test, { duration, status, title }) {
    const sign = { passed: '✓', failed: '✕' }[status] ?? '○';
    process.stderr.write(`  ${sign} ${title} (${Math.round((duration ?? 0) / 1000)} s)\n`);
  }
}
