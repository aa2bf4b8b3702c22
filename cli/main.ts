import { systemMessage } from './errors';
import { processIo } from './process-io';
import { run } from './run';

// The reader of a pipe may have had enough, as in `inferno render … | head`; or the disk is full.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A log that takes no more lines is not a reason to stop working on a cluster.
    if (stream === process.stderr && process.argv[2] === 'operator') return;
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stderr) process.exit(1);
    const reason = `error: standard output: cannot be written: ${systemMessage(error)}\n`;
    process.stderr.write(reason, () => process.exit(1));
  });
}

// As process 1 of a container, a process gets no signal that it does not listen to, so that Ctrl-C would do nothing.
if (process.pid === 1) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      // a command with its own handling ends by itself
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}

// The exit code is set and the process left to end, as exit() would cut off what is still being written.
void run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
