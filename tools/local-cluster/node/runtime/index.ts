/** What runs containers, below the agent of a test node. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerRequest, RunningContainer, Runtime } from '../runtime-types';
import { LightRuntime } from './light-runtime';
import { ProcessRuntime } from './process-runtime';

export { resolveCommand } from './command';
export { resolveEnv } from './env';
export { StartError } from './start-error';
export { takesUsers } from './users';
export { PodVolumes } from './volumes';

/** Paths of what a runtime needs besides its own code; `programs.ts` makes it. */
export interface RuntimePrograms {
  /** The program that makes and enters containers. */
  readonly container: string;
  /** The code of the process that all light containers of a node share. */
  readonly light: string;
}

/**
 * A runtime for both kinds of image. When its process goes, even by SIGKILL, so do the containers.
 *
 * @param folder a folder that belongs only to the runtime; somebody else removes it
 */
export function createRuntime(folder: string, programs: RuntimePrograms): Runtime {
  const light = join(folder, 'light');
  mkdirSync(light, { recursive: true });
  const runtimes: Readonly<Record<ContainerRequest['image']['kind'], Runtime>> = {
    process: new ProcessRuntime(folder, programs.container),
    light: new LightRuntime(light, programs.light),
  };
  return {
    start: (request: ContainerRequest): Promise<RunningContainer> => runtimes[request.image.kind].start(request),
  };
}
