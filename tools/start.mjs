// @ts-check
// npm start: Inferno on a real Kubernetes cluster on this machine. See `usage` for what it does.
// Runs before anything is installed and on an older Node, so it needs no more than Node's own modules.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { namespaceRefusal } from './namespace.mjs';

const usage = `Usage: npm start [-- OPTIONS]

Shows Inferno at work in a real Kubernetes cluster on this machine. It
  - installs the dependencies and builds the package, where that has not been done yet
  - renders the samples of examples/ and the operator's manifests into dist/, as npm run synth does
  - starts a control plane, and a node that runs pods as processes, in a network namespace of their own and in temporary
    folders; the first time, the control plane is built with Go, which takes some minutes
  - installs the operator from dist/install.yaml, and applies the samples that need no engine from elsewhere
  - shows what became of them, and asks the model a question
  - says how to look around with kubectl and inferno, and waits for Ctrl-C, which ends and removes everything
It takes Linux, and root or user namespaces for everybody. Nothing leaves the namespace; only the API server can
be reached from outside it, at a port of 127.0.0.1.

Options:
  --once      end by itself once everything has been shown: exit code 0, or 1 where something was not as it should be
  -h, --help  this text
`;

const options = parse();
if (options.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const started = Date.now();
const refusal = namespaceRefusal({ who: 'npm start runs a cluster' });
if (refusal !== undefined) {
  console.error(`error: ${refusal}
Rendering works everywhere, with: npm ci && npm run build && npx inferno render -f examples/`);
  process.exit(1);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./bootstrap.mjs');
// npm puts the Node that comes with the dependencies into the PATH of scripts only once it is installed
const child = spawn(
  'node_modules/.bin/node',
  ['--import', 'tsx', 'tools/start/launch.ts', JSON.stringify({ once: options.once === true, started })],
  // the channel closes when this process is gone, however it went
  { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal));
}
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));

function parse() {
  try {
    return parseArgs({ options: { once: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(2);
  }
}
