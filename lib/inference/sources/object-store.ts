import type { SourceScheme } from './source';

/** An object store that the engine reads by itself. Credentials come from the environment or the ServiceAccount. */
export const objectStore: SourceScheme = {
  kind: 'object-store',
  prefixes: ['s3://', 'gs://', 'as://'],
  source: ({ uri }) => ({ location: uri, env: [], volumes: [], volumeMounts: [] }),
};
