import { fieldsOf, isObject } from '../lib/composition/objects';
/** A command line that makes no sense: exit code 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    /** A line that helps further, such as "did you mean". */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Where a fault of the input is: the file as the user named it, and the line in it, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

/** An input or an output that cannot be used as it is: exit code 1. */
export class InputError extends Error {
  constructor(
    message: string,
    readonly place?: Place,
  ) {
    super(message);
  }
}

/** A cluster that cannot be reached, or that refuses: exit code 1. */
export class ClusterError extends Error {}

/** The user pressed Ctrl-C: exit code 130. */
export class Interrupted extends Error {}

/** The code of an operating system's error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : undefined;
}

/** The message of an operating system's error without its code and path, which the caller says better. */
export function systemMessage(error: unknown): string {
  return known.get(systemCode(error) ?? '') ?? String(isObject(error) ? error['message'] : error);
}

const known: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EEXIST', 'a file of that name is in the way'],
  ['EISDIR', 'is a folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space left on the device'],
  ['EROFS', 'the file system is read-only'],
  ['EMFILE', 'too many open files'],
]);
