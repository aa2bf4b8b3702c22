import { maxFileBytes, tooLong } from './input/sources';
import type { Io, Sink } from './io';

/** The process' own streams. */
export function processIo(): Io {
  let controller: AbortController | undefined;
  return {
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    readStdin,
    cwd: workingFolder(),
    env: process.env,
    now: () => performance.now(),
    // Listens to Ctrl-C only once somebody asks: a command with its own handling must not find another one.
    get interrupted() {
      if (controller === undefined) {
        const created = new AbortController();
        controller = created;
        process.once('SIGINT', () => created.abort());
        process.once('SIGTERM', () => created.abort());
      }
      return controller.signal;
    },
  };
}

/** Where relative paths start. A folder that was removed has no path, but absolute ones still work. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

function sink(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => {
      if (text !== '') stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > maxFileBytes) throw tooLong(`more than ${maxFileBytes}`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
