import { ApiObject, App } from 'cdk8s';
import type { Construct } from 'constructs';

/** Argo CD applies waves one after the other, and waits until the objects of one are healthy. */
const SYNC_WAVE_ANNOTATION = 'argocd.argoproj.io/sync-wave';

/**
 * Gives each object in a scope Argo CD's sync wave by what it depends on: what depends on nothing has none, which is wave
 * 0, and every other one comes one wave after the last of those that it depends on. An annotation that is there already
 * stays. To be called once the dependencies are said.
 *
 * @throws Error where dependencies form a cycle
 */
export function addSyncWaves(scope: Construct): void {
  const objects = scope.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
  const waves = new Map<ApiObject, number>();
  const waveOf = (object: ApiObject, path: readonly ApiObject[]): number => {
    const known = waves.get(object);
    if (known !== undefined) return known;
    if (path.includes(object)) {
      const names = [...path.slice(path.indexOf(object)), object].map(({ node }) => node.path);
      throw new Error(`Dependency cycle detected: ${names.join(' => ')}`);
    }
    const before = dependenciesOf(object).filter((other) => other !== object);
    const wave = Math.max(-1, ...before.map((other) => waveOf(other, [...path, object]))) + 1;
    waves.set(object, wave);
    return wave;
  };
  for (const object of objects) {
    const wave = waveOf(object, []);
    const annotations: unknown = Reflect.get(object.toJson().metadata ?? {}, 'annotations') ?? {};
    if (wave > 0 && !Object.hasOwn(Object(annotations), SYNC_WAVE_ANNOTATION)) {
      object.metadata.addAnnotation(SYNC_WAVE_ANNOTATION, String(wave));
    }
  }
}

/** The objects that one has to come after, also by what was said of the constructs that it is in. */
function dependenciesOf(object: ApiObject): readonly ApiObject[] {
  return object.node.scopes
    .filter((scope) => !(scope instanceof App))
    .flatMap((scope) => scope.node.dependencies)
    .flatMap((construct) => construct.node.findAll())
    .filter((construct) => ApiObject.isApiObject(construct));
}
