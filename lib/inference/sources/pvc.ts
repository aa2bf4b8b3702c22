import type { SourceScheme } from './source';

/** Where the claim of a pvc:// URI is mounted. */
export const modelMountPath = '/mnt/models';

const volume = 'inferno-model';

/**
 * A folder on a PersistentVolumeClaim. The whole claim is mounted, not only the folder: a hub cache is a folder of links
 * to files beside it.
 */
export const pvc: SourceScheme = {
  kind: 'pvc',
  prefixes: ['pvc://'],
  source(_model, path) {
    const [claimName = '', ...folders] = path.split('/').filter((part) => part !== '');
    return {
      location: [modelMountPath, ...folders].join('/'),
      env: [],
      volumes: [{ name: volume, persistentVolumeClaim: { claimName, readOnly: true } }],
      volumeMounts: [{ name: volume, mountPath: modelMountPath, readOnly: true }],
    };
  },
};
