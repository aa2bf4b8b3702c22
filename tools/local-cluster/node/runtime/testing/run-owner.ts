// A process that owns a runtime, as the agent of a node does, for a test that is its parent.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRuntime, PodVolumes, takesUsers } from '../index';
import type { RuntimePrograms } from '../index';
import type { Pod } from '../../pod';
import type { ContainerRequest, Exit, ObjectReader, RunningContainer, Token, TokenRequest } from '../../runtime-types';
import { Peer } from './peer';

const [folder = '', programs = '{}'] = process.argv.slice(2);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parent gave them
const runtime = createRuntime(folder, JSON.parse(programs) as RuntimePrograms);
const containers = new Map<string, RunningContainer>();
const volumes = new Map<string, PodVolumes>();

const reader: ObjectReader = {
  read: (path) => parent.call('read', path),
  token: async (request: TokenRequest): Promise<Token> => {
    const { token, expires } = await parent.call<{ readonly token: string; readonly expires: string }>(
      'token',
      request,
    );
    return { token, expires: new Date(expires) };
  },
};

const parent = new Peer(process, {
  takesUsers: () => takesUsers(),
  start: async (request: ContainerRequest): Promise<number | undefined> => {
    const container = await runtime.start(request);
    containers.set(request.id, container);
    return container.pid;
  },
  exited: (id: string): Promise<Exit> | undefined => containers.get(id)?.exited,
  signal: (id: string, signal: NodeJS.Signals) => containers.get(id)?.signal(signal),
  exec: (id: string, command: readonly string[], seconds: number) => containers.get(id)?.exec(command, seconds),
  network: () => holdNetwork(),
  kill: (pid: number, signal: NodeJS.Signals) => process.kill(pid, signal),
  prepare: async (pod: Pod, place: string) => {
    volumes.set(place, await PodVolumes.prepare(pod, place, reader));
  },
  path: (place: string, volume: string) => volumes.get(place)?.path(volume),
  refresh: (place: string) => volumes.get(place)?.refresh(),
  remove: (place: string) => volumes.get(place)?.remove(),
});
// The tests were killed, so nobody else tidies up.
process.once('disconnect', () => {
  try {
    rmSync(folder, { recursive: true, force: true });
  } finally {
    process.exit();
  }
});

/** A process that keeps the network namespace of a pod, as the agent has one. */
function holdNetwork(): Promise<number> {
  const script = 'ip link set lo up && echo up && exec sleep 600';
  const holder = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', '-n', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    holder.stdout.once('data', () => resolve(holder.pid ?? 0));
    holder.once('error', reject);
    holder.once('exit', (code) => reject(new Error(`the network's holder ended with ${code}`)));
  });
}
