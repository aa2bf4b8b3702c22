// npm start: what is rendered from the samples, on a real API server. See `usage` for what it does.
// Runs before anything is installed and on an older Node, so it needs no more than Node's own modules.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `Usage: npm start [-- OPTIONS]

Shows what Inferno makes of the samples in examples/, on a real Kubernetes API server on this machine. It
  - installs the dependencies and builds the package, where that has not been done yet
  - renders the samples into dist/, as npm run synth does
  - starts etcd, kube-apiserver and kube-controller-manager on loopback, in a temporary folder; the first time, they are
    built with Go, which takes some minutes
  - installs the CRD, and applies the samples and what was rendered from them
  - shows what the API server made of them
  - says how to look around with kubectl, and waits for Ctrl-C, which ends and removes everything
There are no nodes, so no pod runs.

Options:
  --once      end by itself once everything has been shown: exit code 0, or 1 where something was not as it should be
  -h, --help  this text
`;

const options = parse();
if (options.help) {
  process.stdout.write(usage);
  process.exit(0);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./bootstrap.mjs');
if (Number(process.versions.node.split('.')[0]) >= 24) {
  const { demonstrate } = await import('./start/demonstrate.mjs');
  process.exit(await demonstrate({ once: options.once === true }));
}
// npm puts the Node that comes with the dependencies into the PATH of scripts only once it is installed
const child = spawn('node_modules/.bin/node', [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// Ctrl-C goes to all processes of the terminal, so the child has it already
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));

function parse() {
  try {
    return parseArgs({ options: { once: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(2);
  }
}
