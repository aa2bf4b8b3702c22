import type { AdmittedSpec } from '../admitted';
import { file } from './file';
import { hf } from './hf';
import { objectStore } from './object-store';
import { pvc } from './pvc';
import type { ModelSource, SourceScheme } from './source';

export type { ModelSource, SourceKind, SourceScheme } from './source';

/** Every kind of model URI with a meaning of its own. */
export const sourceSchemes: readonly SourceScheme[] = [hf, pvc, objectStore, file];

/** Where the model is. A URI of no known kind is the server's own affair: it is handed on as it is. */
export function modelSource(model: AdmittedSpec['model']): ModelSource {
  for (const scheme of sourceSchemes) {
    const prefix = scheme.prefixes.find((beginning) => model.uri.startsWith(beginning));
    if (prefix !== undefined) return { kind: scheme.kind, ...scheme.source(model, model.uri.slice(prefix.length)) };
  }
  return { kind: 'other', location: model.uri, env: [], volumes: [], volumeMounts: [] };
}
