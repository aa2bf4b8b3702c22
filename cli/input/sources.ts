import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError, UsageError, systemMessage } from '../errors';
import type { Io } from '../io';
import { decodeText } from './text';

/** A file (or standard input) with its text, or the reason why it could not be read. */
export type Source =
  { readonly file: string; readonly text: string } | { readonly file: string; readonly fault: string };

/** The name of standard input in messages. */
export const stdinName = '<stdin>';

/** The largest file that is read, in bytes. */
export const maxFileBytes = 100 * 1024 * 1024;

/** What the -f and -R flags say. */
export interface SourceSelection {
  readonly filenames: readonly string[];
  readonly recursive: boolean;
}

/** Sources of a command, one by one, in the order of the flags and then of the names. */
export interface Sources {
  readonly files: readonly string[];
  readonly hasFolder: boolean;
  read(file: string): Promise<Source>;
}

/**
 * Finds what -f names, as kubectl does: a file of any name, a folder's .json, .yaml and .yml files in sorted order,
 * its subfolders' with -R, `-` for standard input.
 * @throws UsageError for a URL, or for standard input twice
 * @throws InputError for what is not there, and for a folder without such files
 */
export function findSources(selection: SourceSelection, io: Io): Sources {
  const names = selection.filenames.flatMap((name) => splitAtCommas(name, io.cwd));
  if (names.filter((name) => name === '-').length > 1)
    throw new UsageError('standard input (-f -) can be read only once');
  let hasFolder = false;
  const files = names.flatMap((name) => {
    if (name === '-') return [stdinName];
    if (/^https?:\/\//i.test(name)) {
      throw new UsageError(`URLs are not read: ${name}`, `download it first: curl -fsSL ${name} | inferno … -f -`);
    }
    if (!isFolder(name, io.cwd)) return [name];
    hasFolder = true;
    return filesOf(name, selection.recursive, io.cwd);
  });
  return { files, hasFolder, read: async (file) => readSource(file, io) };
}

// kubectl takes a comma-separated list, too. A file with a comma in its name comes first.
function splitAtCommas(name: string, cwd: string): readonly string[] {
  const isList = name.includes(',') && statSync(resolve(cwd, name), { throwIfNoEntry: false }) === undefined;
  return isList ? name.split(',').filter((part) => part !== '') : [name];
}

function isFolder(name: string, cwd: string): boolean {
  if (name === '') throw new UsageError('-f needs a file, a folder or -, but came empty');
  try {
    return statSync(resolve(cwd, name)).isDirectory();
  } catch (error) {
    throw new InputError(systemMessage(error), { file: name });
  }
}

function filesOf(folder: string, recursive: boolean, cwd: string): readonly string[] {
  const files = walk(folder, recursive, cwd);
  if (files.length > 0) return files;
  const elsewhere =
    !recursive && walk(folder, true, cwd).length > 0 ? '; there are some in its folders, read them with -R' : '';
  throw new InputError(`has no .yaml, .yml or .json file${elsewhere}`, { file: folder });
}

/** Symbolic links to files are followed, those to folders are not: so there are no loops. */
function walk(folder: string, recursive: boolean, cwd: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  } catch (error) {
    throw new InputError(systemMessage(error), { file: folder });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return recursive ? walk(path, recursive, cwd) : [];
    if (!/\.(?:json|ya?ml)$/.test(entry.name)) return [];
    const leadsToFolder =
      entry.isSymbolicLink() && statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
    return leadsToFolder ? [] : [path];
  });
}

async function readSource(file: string, io: Io): Promise<Source> {
  try {
    const bytes = file === stdinName ? await io.readStdin() : readFile(resolve(io.cwd, file));
    return { file, text: decodeText(bytes) };
  } catch (error) {
    return { file, fault: error instanceof InputError ? error.message : systemMessage(error) };
  }
}

function readFile(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > maxFileBytes) throw tooLong(`${size}`);
    // A device or a pipe does not say its size, and may have no end.
    return size > 0 ? readFileSync(descriptor) : readStream(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readStream(descriptor: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let total = 0; total <= maxFileBytes;) {
    const part = Buffer.allocUnsafe(1024 * 1024);
    const length = readSync(descriptor, part);
    if (length === 0) return Buffer.concat(parts);
    total += length;
    parts.push(part.subarray(0, length));
  }
  throw tooLong(`more than ${maxFileBytes}`);
}

/** The fault of a source with too many bytes. */
export function tooLong(bytes: string): InputError {
  return new InputError(`is ${bytes} bytes long; at most ${maxFileBytes} are read`);
}
