import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferno-lint-'));
  cpSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the linter says of a file at that path which imports that module. */
function lint(path: string, module: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `import { a } from '${module}';\nexport const b = a;\n`);
  const { stdout, stderr } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--deny-warnings', path], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

const client = 'Only operator/cluster may know the Kubernetes client';
const base = 'what uses it may not be used by it';
const pure = 'lib is pure';
const decisions = "decisions are lib/composition's";
const framework = 'The framework knows no composition';

test.each([
  ['lib/index.ts', '@kubernetes/client-node', client],
  ['lib/index.ts', '@kubernetes/client-node/dist/config.js', client],
  ['lib/inference/index.ts', '../../operator/reconcile/queue', base],
  ['lib/inference/engines/fake.ts', '../../../fake-server', base],
  ['lib/composition/plan.ts', '../../cli/main', base],
  ['lib/index.ts', '../tools/run', base],
  ['lib/composition/plan.ts', '../inference', framework],
  ['lib/composition/plan.ts', '../inference/names', framework],
  ['lib/composition/schema/index.ts', '../../../imports/inference-service', framework],
  ['lib/composition/plan.ts', 'node:fs', pure],
  ['lib/inference/index.ts', 'https', pure],
  ['cli/commands/render/run.ts', '@kubernetes/client-node', client],
  ['operator/reconcile/queue.ts', '@kubernetes/client-node', client],
  ['cli/commands/status/look.ts', '../../../operator/reconcile/reconciler', decisions],
])('%s may not import %s', (path, module, message) => {
  const said = lint(path, module);
  expect(said).toContain('no-restricted-imports');
  expect(said).toContain(message);
});

test.each([
  ['operator/cluster/client.ts', '@kubernetes/client-node'],
  ['operator/reconcile/queue.ts', '../lib/composition'],
  ['cli/commands/render/run.ts', '../lib/inference'],
  ['cli/commands/render/run.ts', 'node:fs'],
  ['cli/cluster/kubernetes.ts', '../../operator/cluster/kube'],
  ['lib/inference/index.ts', '../composition'],
  ['lib/inference/index.ts', '../../imports/inference-service'],
  ['lib/inference/engines/index.ts', './fake'],
  ['lib/composition/plan.ts', '../../imports/k8s'],
])('%s may import %s', (path, module) => {
  expect(lint(path, module)).not.toContain('no-restricted-imports');
});
