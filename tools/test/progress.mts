// A reporter for Jest that reports each test as it ends: Jest's own reports a file's tests when the file has ended.
interface Result {
  readonly duration?: number | null;
  readonly status: string;
  readonly title: string;
}

export default class Progress {
  onTestFileStart({ path }: { readonly path: string }): void {
    process.stderr.write(`\n${path.split('/').at(-1)}\n`);
  }

  onTestCaseResult(_test: unknown, { duration, status, title }: Result): void {
    const sign = { passed: '✓', failed: '✕' }[status] ?? '○';
    process.stderr.write(`  ${sign} ${title} (${Math.round((duration ?? 0) / 1000)} s)\n`);
  }
}
