import type { Composition } from '../../lib/composition';
import { InputError, Interrupted } from '../errors';
import type { InputOptions } from './flags';
import { readDocuments } from './documents';
import { findSources } from './sources';
import type { Source } from './sources';
import { itemsOf } from './items';
import type { Place } from './items';
import type { Io } from '../io';
import { Admitter } from './admit';
import type { AdmitOptions, LocatedFinding, InputResult } from './admit';
import { Progress } from '../progress';

/**
 * Reads and admits all that the flags name, in order.
 * @throws InputError when there is nothing to admit
 */
export async function admitInput(
  options: InputOptions & Pick<AdmitOptions, 'syncWaves'>,
  compositions: readonly Composition[],
  io: Io,
): Promise<readonly InputResult[]> {
  const sources = findSources(options, io);
  const admitter = new Admitter({ ...options, compositions });
  const progress = new Progress(io, 'resources read');
  const results: InputResult[] = [];
  for (const file of sources.files) {
    // One after the other: the order is the output's, and only one file's text is in memory at a time.
    // oxlint-disable-next-line no-await-in-loop
    for (const result of admitSource(await sources.read(file), admitter)) {
      results.push(result);
      // Lets Ctrl-C in, which cannot be heard while this computes.
      // oxlint-disable-next-line no-await-in-loop
      if (progress.step()) await new Promise((resolve) => setImmediate(resolve));
      if (io.interrupted.aborted) throw new Interrupted();
    }
  }
  progress.end();
  refuseNothing(results, options, sources.hasFolder, compositions);
  return results;
}

function* admitSource(source: Source, admitter: Admitter): Generator<InputResult> {
  const { file } = source;
  if ('fault' in source) {
    yield broken({ file, document: 1, line: 1 }, source.fault);
    return;
  }
  for (const document of readDocuments(source.text, file)) {
    if ('fault' in document) {
      const { line, document: number } = document;
      yield broken({ file, document: number, line }, document.fault);
    } else {
      for (const item of itemsOf(document)) yield admitter.admit(item);
    }
  }
}

function broken(place: Place, message: string): InputResult {
  const error: LocatedFinding = { code: 'syntax', path: [], message, line: place.line };
  return { place, identity: {}, known: false, errors: [error], warnings: [], manifests: [] };
}

function refuseNothing(
  results: readonly InputResult[],
  { filenames, unknownKindsGiven }: InputOptions,
  hasFolder: boolean,
  compositions: readonly Composition[],
): void {
  const where = filenames.map((name) => (name === '-' ? 'standard input' : name)).join(', ');
  if (results.length === 0) throw new InputError(`there is no resource in ${where}`);
  const isBlind =
    hasFolder && !unknownKindsGiven && results.every(({ known, errors }) => !known && errors.length === 0);
  if (!isBlind) return;
  const kinds = compositions.map(({ crd }) => crd.spec.names.kind).join(' or ');
  throw new InputError(
    `there is no ${kinds} in ${where}, only other kinds (${results.length}); --unknown-kinds=pass lets them pass`,
  );
}
