import { operatorRbac } from '../lib/install/rbac';
import type { Parsed } from './command';
import { compositionsWith } from './compositions';
import { readNamespace } from './input-flags';
import { printableJson } from './io';
import type { Io } from './io';
import { writeStream } from './output/format';

/** Runs `inferno rbac`. @returns the exit code */
export async function rbac({ values }: Parsed, io: Io): Promise<number> {
  const namespace = values.get('namespace')?.[0] ?? 'inferno-system';
  readNamespace('namespace', namespace);
  const namespaces = (values.get('watch-namespace') ?? []).flatMap((text) => text.split(','));
  for (const each of namespaces) readNamespace('watch-namespace', each);
  const serviceAccount = values.get('service-account')?.[0];
  const leaderElectionId = values.get('leader-election-id')?.[0];
  const objects = operatorRbac({
    compositions: await compositionsWith(values.get('composition'), io),
    namespace,
    namespaces,
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    ...(leaderElectionId === undefined ? {} : { leaderElectionId }),
  });
  const isJson = values.get('output')?.[0] === 'json';
  const text = writeStream(objects, isJson ? 'json' : 'yaml');
  io.stdout.write(isJson ? printableJson(text) : text);
  return 0;
}
