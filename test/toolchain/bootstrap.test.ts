import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox } from './sandbox';

let sandbox: Sandbox;

const locked = {
  packages: {
    '': { name: 'cdk8s-inferno' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  },
};

beforeEach(() => {
  sandbox = new Sandbox('tools/bootstrap.mjs');
  sandbox.write('package-lock.json', locked);
  // stands for npm, and says what it was asked to do
  sandbox.write('npm.js', "require('fs').writeFileSync('asked', process.argv.slice(2).join(' '));");
});

afterEach(() => sandbox.remove());

function bootstrap(): { readonly output: string; readonly asked: string | undefined } {
  const { status, output } = sandbox.run([], { npm_execpath: join(sandbox.folder, 'npm.js') });
  expect({ status, output }).toMatchObject({ status: 0 });
  return { output, asked: existsSync(join(sandbox.folder, 'asked')) ? sandbox.read('asked') : undefined };
}

test('in a fresh clone everything is installed', () => {
  expect(bootstrap()).toEqual({
    output: 'npm ci: nothing is installed yet\n',
    asked: 'ci --no-audit --no-fund',
  });
});

test('nothing is installed where everything is as locked', () => {
  sandbox.write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
  expect(bootstrap()).toEqual({ output: '', asked: undefined });
});

test('another version than the locked one is replaced', () => {
  sandbox.write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
  expect(bootstrap()).toEqual({
    output: 'npm ci: node_modules/a is 0.9.0, the lock file says 1.0.0\n',
    asked: 'ci --no-audit --no-fund',
  });
});

test('a package that is missing is installed', () => {
  sandbox.write('node_modules/.package-lock.json', { packages: {} });
  expect(bootstrap().output).toBe('npm ci: node_modules/a is missing, the lock file says 1.0.0\n');
});

test('where npm fails, so does the bootstrap', () => {
  sandbox.write('npm.js', 'process.exit(3)');
  const { status, output } = sandbox.run([], { npm_execpath: join(sandbox.folder, 'npm.js') });
  expect(status).toBe(1);
  expect(output).toContain('error: npm ci failed');
});
