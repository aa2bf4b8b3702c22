import { formatPath } from '../../../lib/composition/path';
import { exitCodes } from '../../command';
import type { Parsed } from '../../command';
import { compositions } from '../../compositions';
import { readInputFlags } from '../../input/flags';
import { painter, printableJson } from '../../io';
import type { Io } from '../../io';
import type { InputResult } from '../../input/admit';
import { errorLines, summaryLine, warningLines } from '../../report';
import { admitInput } from '../../input/admit-input';

/** Runs `inferno validate`. @returns the exit code */
export async function validate(parsed: Parsed, io: Io): Promise<number> {
  const options = readInputFlags(parsed);
  const results = await admitInput(options, compositions, io);
  if (parsed.values.get('output')?.[0] === 'json') {
    io.stdout.write(`${printableJson(JSON.stringify(results.map(entryOf), undefined, 2))}\n`);
  } else {
    const paint = painter(io.stdout, io.env);
    io.stderr.write(warningLines(results, painter(io.stderr, io.env)));
    io.stdout.write(errorLines(results, paint) + summaryLine(results, paint));
  }
  return results.some(({ errors }) => errors.length > 0) ? exitCodes.invalid : 0;
}

/** An entry of `validate -o json`: a contract. What a document does not say is null. */
function entryOf({ place, identity, errors }: InputResult): object {
  return {
    file: place.file,
    document: place.document,
    line: place.line,
    kind: identity.kind ?? null,
    namespace: identity.namespace ?? null,
    name: identity.name ?? null,
    valid: errors.length === 0,
    errors: errors.map(({ code, path, message }) => ({ code, path: formatPath(path), message })),
  };
}
