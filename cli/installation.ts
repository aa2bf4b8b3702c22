import type { Parsed } from './command';
import { readNamespace } from './input/flags';
import { printableJson } from './io';
import type { Io } from './io';
import type { OutputObject } from './input/admit';
import { writeStream } from './output/format';

/** The namespaces of `--watch-namespace`. @throws UsageError */
export function readWatchNamespaces({ values }: Parsed): readonly string[] {
  const namespaces = (values.get('watch-namespace') ?? []).flatMap((text) => text.split(','));
  for (const each of namespaces) readNamespace('watch-namespace', each);
  return namespaces;
}

/** Prints objects as `--output` says. */
export function printObjects(objects: readonly OutputObject[], { values }: Parsed, io: Io): void {
  const isJson = values.get('output')?.[0] === 'json';
  const text = writeStream(objects, isJson ? 'json' : 'yaml');
  io.stdout.write(isJson ? printableJson(text) : text);
}
