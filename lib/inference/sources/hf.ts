import type { SourceScheme } from './source';

/** A repository of the Hugging Face Hub, which the engine downloads by itself. */
export const hf: SourceScheme = {
  kind: 'hf',
  prefixes: ['hf://'],
  source({ secretRef }, path) {
    const token = secretRef && {
      secretKeyRef: { name: secretRef.name, key: secretRef.key, optional: secretRef.optional },
    };
    return {
      location: path,
      // Libraries read the one name or the other.
      env: token ? ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'].map((name) => ({ name, valueFrom: token })) : [],
      volumes: [],
      volumeMounts: [],
    };
  },
};
