import type { SourceScheme } from './source';

/** A path in the image or on a volume that the user mounts. */
export const file: SourceScheme = {
  kind: 'file',
  prefixes: ['file://', '/'],
  source: ({ uri }) => ({
    location: uri.startsWith('file://') ? uri.slice('file://'.length) : uri,
    env: [],
    volumes: [],
    volumeMounts: [],
  }),
};
