import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what takes long to make is kept: outside the repository, for all clones of it. */
export function userCache(env: NodeJS.ProcessEnv): string {
  const { HOME, XDG_CACHE_HOME } = env;
  return join(XDG_CACHE_HOME || join(HOME ?? homedir(), '.cache'), 'inferno');
}
