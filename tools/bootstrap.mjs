// @ts-check
// Makes a fresh clone ready: checks Node and installs what package-lock.json names, if that is not there yet.
// Runs before anything is installed, so it needs no more than Node's own modules.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// jest and cdk8s `require` ES modules, which Node does without a flag from these versions on
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  fail(`this is Node ${process.versions.node}; 20.19, 22.12 or newer is needed: https://nodejs.org/`);
}

const reason = staleness();
if (reason) {
  console.log(`npm ci: ${reason}`);
  // npm hands its own entry point to the scripts that it runs; without it, npm is found on the PATH
  const { npm_execpath: entry = '' } = process.env;
  const [npm, before] = entry.endsWith('.js')
    ? [process.execPath, [entry]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
  const { status, error } = spawnSync(npm, [...before, 'ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    fail(`npm ci failed${error ? ` (${error.message})` : ''}; it needs the npm registry. Its own message is above.`);
  }
}

/** @returns {string | undefined} why the dependencies have to be installed, or nothing where they are as locked */
function staleness() {
  const installed = readJson('node_modules/.package-lock.json');
  if (!installed) {
    return 'nothing is installed yet';
  }
  const locked = readJson('package-lock.json');
  for (const [path, { version, optional }] of Object.entries(locked?.packages ?? {})) {
    const there = installed.packages[path]?.version;
    // an optional package may be for another platform; the entry '' is the project itself
    if (path !== '' && there !== version && !(optional && there === undefined)) {
      return `${path} is ${there ?? 'missing'}, the lock file says ${version}`;
    }
  }
  return undefined;
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** @param {string} message */
function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
