import { exitCodes } from '../../command';
import type { Parsed } from '../../command';
import { compositionsWith } from '../../compositions';
import { UsageError } from '../../errors';
import { readInputFlags } from '../../input/flags';
import { painter } from '../../io';
import type { Io } from '../../io';
import { refuseCollisions } from '../../output/collisions';
import { writeFiles } from '../../output/files';
import { writeObject, writeStream } from '../../output/format';
import { fileNames } from '../../output/names';
import { errorLines, summaryLine, warningLines } from '../../report';
import { admitInput } from '../../input/admit-input';

/** Runs `inferno render`. @returns the exit code */
export async function render(parsed: Parsed, io: Io): Promise<number> {
  const options = { ...readInputFlags(parsed), syncWaves: parsed.switches.has('argocd-sync-waves') };
  const folder = parsed.values.get('out-dir')?.[0];
  if (folder === '') throw new UsageError('--out-dir needs a folder, but came empty');
  const format = parsed.values.get('output')?.[0] === 'json' ? 'json' : 'yaml';
  const compositions = await compositionsWith(parsed.values.get('composition'), io);
  const results = await admitInput(options, compositions, io);
  const paint = painter(io.stderr, io.env);
  io.stderr.write(warningLines(results, paint));
  if (results.some(({ errors }) => errors.length > 0)) {
    io.stderr.write(`${errorLines(results, paint)}${summaryLine(results, paint)}nothing was written\n`);
    return exitCodes.invalid;
  }
  const objects = results.flatMap(({ manifests, place }) => manifests.map((object) => ({ object, place })));
  refuseCollisions(objects);
  if (folder === undefined) {
    io.stdout.write(
      writeStream(
        objects.map(({ object }) => object),
        format,
      ),
    );
    return 0;
  }
  const names = fileNames(objects, format);
  const files = objects.map(({ object }, index) => ({ name: names[index] ?? '', text: writeObject(object, format) }));
  await writeFiles(folder, files, io);
  io.stderr.write(`${files.length} ${files.length === 1 ? 'file' : 'files'} written to ${folder}\n`);
  return 0;
}
