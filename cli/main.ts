import { systemMessage } from './errors';
import { processIo } from './process-io';
import { run } from './run';

// The reader of a pipe may have had enough, as in `inferno render … | head`; or the disk is full.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A log that takes no more lines is no reason to leave a cluster alone.
    if (stream === process.stderr && process.argv[2] === 'operator') return;
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stderr) process.exit(1);
    const reason = `error: standard output: cannot be written: ${systemMessage(error)}\n`;
    process.stderr.write(reason, () => process.exit(1));
  });
}

// The exit code is set and the process left to end, as exit() would cut off what is still being written.
void run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
