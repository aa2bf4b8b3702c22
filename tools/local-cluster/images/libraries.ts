import { existsSync } from 'node:fs';

/** Folders of this machine with what programs that are not linked statically need. */
export function libraries(): readonly string[] {
  return ['/lib', '/lib64', '/usr/lib'].filter((folder) => existsSync(folder));
}
