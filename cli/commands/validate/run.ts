import { formatPath } from '../../../lib/composition';
import { exitCodes } from '../../command';
import type { Parsed } from '../../command';
import { compositions } from '../../compositions';
import { readInputFlags } from '../../input/flags';
import { painter, printableJson } from '../../io';
import type { Io } from '../../io';
import type { Verdict } from '../../input/admit';
import { errorLines, summaryLine, warningLines } from '../../report';
import { judgeInput } from '../../input/verdicts';

/** Runs `inferno validate`. @returns the exit code */
export async function validate(parsed: Parsed, io: Io): Promise<number> {
  const options = readInputFlags(parsed);
  const verdicts = await judgeInput(options, compositions, io);
  if (parsed.values.get('output')?.[0] === 'json') {
    io.stdout.write(`${printableJson(JSON.stringify(verdicts.map(entryOf), undefined, 2))}\n`);
  } else {
    const paint = painter(io.stdout, io.env);
    io.stderr.write(warningLines(verdicts, painter(io.stderr, io.env)));
    io.stdout.write(errorLines(verdicts, paint) + summaryLine(verdicts, paint));
  }
  return verdicts.some(({ errors }) => errors.length > 0) ? exitCodes.invalid : 0;
}

/** An entry of `validate -o json`: a contract. What a document does not say is null. */
function entryOf({ place, identity, errors }: Verdict): object {
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
