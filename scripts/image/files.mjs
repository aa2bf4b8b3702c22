import { copyFileSync, chmodSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * Where the files of a stage are on this machine, as what was built and installed here is what the stage makes.
 * @typedef {{ readonly image: string, readonly file: string, readonly mode: number }} Entry
 */

/** Files that only the stage has, since the npm package that brings Node here lacks them. */
const onlyInStage = new Set(['node:/usr/local/LICENSE']);

/**
 * The files that the last stage adds to its base.
 * @param {readonly import('./dockerfile.mjs').Stage[]} stages
 * @param {string} root the repository
 * @returns {{ readonly entries: readonly Entry[], readonly missing: readonly string[] }} `missing` are files that cannot
 * be had without a container engine
 */
export function filesOf(stages, root) {
  const last = stages.at(-1);
  if (last.runs.length > 0) throw new Error(`Dockerfile: the last stage has no shell to RUN ${last.runs[0]}`);
  /** @type {Entry[]} */
  const entries = [];
  const missing = [];
  for (const { from, sources, target } of last.copies) {
    if (from === undefined)
      throw new Error(`Dockerfile: the last stage copies ${sources.join(', ')} from the context, not from a stage`);
    // it is joined to a folder here, and may not lead out of it
    if (!posix.isAbsolute(target) || posix.normalize(target) !== target)
      throw new Error(`Dockerfile: expected an absolute path without "." and ".." to COPY to, got ${target}`);
    for (const source of sources) {
      const image = target.endsWith('/') ? posix.join(target, posix.basename(source)) : target;
      if (onlyInStage.has(`${from}:${source}`)) missing.push(image);
      else entries.push({ image, ...local(stages, from, source, root) });
    }
  }
  return { entries: entries.toSorted((a, b) => (a.image < b.image ? -1 : 1)), missing };
}

/** The file here that a stage has at that path. */
function local(stages, from, source, root) {
  const stage = stages.find(({ name }) => name === from);
  if (source === '/usr/local/bin/node' && /(^|\/)node:/.test(stage.base)) {
    return { file: join(root, 'node_modules/node/bin/node'), mode: 0o755 };
  }
  const inRepository = posix.relative(stage.workingDir ?? '/', source);
  if (stage.workingDir === undefined || inRepository.startsWith('..')) {
    throw new Error(`Dockerfile: nothing here stands for ${source} of the stage ${from}`);
  }
  return { file: join(root, inRepository), mode: 0o644 };
}

/**
 * Puts the files into a folder, which becomes the root of the image without its base.
 * @param {readonly Entry[]} entries
 * @param {string} folder must be empty or not there yet
 */
export function assemble(entries, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} has to be empty, but holds ${readdirSync(folder).slice(0, 3).join(', ')}`);
  }
  for (const { file } of entries) {
    if (!existsSync(file)) throw new Error(`${file} is not there: run npm ci and npm run build first`);
  }
  makeFolder(folder);
  for (const { image, file, mode } of entries) {
    const target = join(folder, image);
    makeFolder(dirname(target));
    // where the file system can, without copying: Node has more than 100 MB
    copyFileSync(file, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(target, mode);
  }
}

/** Readable to all, whatever the umask is. */
function makeFolder(folder) {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}
