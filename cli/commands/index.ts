import type { Command } from '../command';
import { completionCommand } from './completion';
import { crdCommand } from './crd';
import { diffCommand } from './diff';
import { fakeServerCommand } from './fake-server';
import { installCommand } from './install';
import { operatorCommand } from './operator';
import { rbacCommand } from './rbac';
import { renderCommand } from './render';
import { schemaCommand } from './schema';
import { statusCommand } from './status';
import { validateCommand } from './validate';

/**
 * All subcommands, in the order of the help. Here is what they are called and take; what they do is in the files of the
 * same names one folder up and is loaded when one runs, so that help and completion are fast.
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
