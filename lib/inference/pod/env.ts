import type { EnvVar } from '../../../imports/k8s';
import type { Engine, EngineContext } from '../engines';
import { literal } from './expansion';
import type { AdmittedSpec } from '../admitted';
import { gpuCount } from './resources';

/**
 * The variables of the server: the model as the resource says it, the engine's and the model source's, then the user's.
 * A name that the user sets is only the user's. References such as `$(NAME)` reach back, so that the user's variables
 * can use the generated ones.
 */
export function environment(context: EngineContext, engine: Engine): readonly EnvVar[] {
  const { spec, source } = context;
  const user = spec.env ?? [];
  const generated = [
    { name: 'MODEL_URI', value: literal(spec.model.uri) },
    { name: 'MODEL_VERSION', value: literal(spec.model.version) },
    ...engine.env(context),
    ...withoutGpus(spec),
    ...source.env,
  ];
  const names = new Set(user.map(({ name }) => name));
  return [...generated.filter(({ name }) => !names.has(name)), ...user];
}

/** Without a GPU in its resources, an image made for CUDA is shown all of the node's. */
function withoutGpus(spec: AdmittedSpec): readonly EnvVar[] {
  const none = spec.resources?.gpu !== undefined && gpuCount(spec) === 0 && !spec.resources.claims?.length;
  return none ? [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' }] : [];
}
