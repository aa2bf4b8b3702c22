import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './http';

/** The longest profile, in seconds. */
const LONGEST_PROFILE = 60;

/**
 * Routes that look into this process: `/debug/profile?seconds=5` answers with a CPU profile (.cpuprofile), `/debug/heap`
 * with a heap snapshot (.heapsnapshot), both for Chrome's developer tools or Node's.
 *
 * Caveat: a heap snapshot has what is in memory, tokens included, doubles the memory and halts the process while it is
 * taken. Serve these only on loopback, and only when they are needed.
 */
export function profilingRoutes(): { readonly [path: string]: (query: URLSearchParams) => Promise<Answer> } {
  let busy = false;
  const oneAtATime = async (work: () => Promise<Answer>): Promise<Answer> => {
    if (busy) return { status: 409, body: 'another one is being made\n' };
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
  return {
    '/debug/profile': (query) => {
      const seconds = Number(query.get('seconds') ?? 5);
      if (!(seconds > 0 && seconds <= LONGEST_PROFILE)) {
        return Promise.resolve({ status: 400, body: `seconds must be more than 0 and at most ${LONGEST_PROFILE}\n` });
      }
      return oneAtATime(() => cpuProfile(seconds));
    },
    '/debug/heap': () => oneAtATime(heapSnapshot),
  };
}

async function cpuProfile(seconds: number): Promise<Answer> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await sleep(seconds * 1000, undefined, { ref: false });
    const { profile } = await session.post('Profiler.stop');
    return { status: 200, body: JSON.stringify(profile), contentType: 'application/json' };
  } finally {
    session.disconnect();
  }
}

async function heapSnapshot(): Promise<Answer> {
  const session = new Session();
  session.connect();
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => chunks.push(params.chunk));
  try {
    await session.post('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    return { status: 200, body: chunks.join(''), contentType: 'application/json' };
  } finally {
    session.disconnect();
  }
}
