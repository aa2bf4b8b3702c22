import type { Command } from '../command';
import { completionCommand } from './completion/command';
import { crdCommand } from './crd/command';
import { diffCommand } from './diff/command';
import { fakeServerCommand } from './fake-server/command';
import { installCommand } from './install/command';
import { operatorCommand } from './operator/command';
import { rbacCommand } from './rbac/command';
import { renderCommand } from './render/command';
import { schemaCommand } from './schema/command';
import { statusCommand } from './status/command';
import { validateCommand } from './validate/command';

/**
 * All subcommands, in the order of the help. Here is what they are called and take; what they do is in `run.ts`
 * beside it and is loaded when one runs, so that help and completion are fast.
 */
export const commands: readonly Command[] = [
  renderCommand,
  validateCommand,
  schemaCommand,
  diffCommand,
  statusCommand,
  installCommand,
  operatorCommand,
  crdCommand,
  rbacCommand,
  fakeServerCommand,
  completionCommand,
];
