import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { member } from './objects';

/** Argo CD applies waves one after the other, and waits until the objects of one are healthy. */
const SYNC_WAVE_ANNOTATION = 'argocd.argoproj.io/sync-wave';

/**
 * The objects of a scope, each after those that it depends on.
 *
 * It is the order of `chart.toJson()`, found in one visit of each construct: cdk8s visits a construct once for each path
 * that leads to it, which takes for ever where some thirty objects depend on all before them, and overlooks some cycles.
 *
 * @throws Error where dependencies form a cycle, with its path
 */
export function objectsInOrder(scope: Construct): readonly ApiObject[] {
  const constructs = scope.node.findAll();
  const within = new Set<IConstruct>(constructs);
  const dependencies = new Map(
    constructs.map((construct) => [
      construct,
      [...construct.node.dependencies, ...(ApiObject.isApiObject(construct) ? dependenciesOf(construct) : [])].filter(
        (other) => within.has(other),
      ),
    ]),
  );
  const depended = new Set([...dependencies.values()].flat());
  const first = constructs.filter((construct) => !depended.has(construct));
  return inOrder([...first, ...constructs], (construct) => dependencies.get(construct) ?? []).filter((construct) =>
    ApiObject.isApiObject(construct),
  );
}

/** The objects that one has to come after, also by what was said of the constructs that it is in. */
export function dependenciesOf(object: ApiObject): readonly ApiObject[] {
  const objects = object.node.scopes
    .filter(({ node }) => node.scope !== undefined)
    .flatMap((scope) => scope.node.dependencies)
    .flatMap((construct) => construct.node.findAll())
    .filter((construct) => ApiObject.isApiObject(construct));
  return [...new Set(objects)].filter((other) => other !== object);
}

/**
 * Gives each object in a scope Argo CD's sync wave by what it depends on: what depends on nothing has none, which is wave
 * 0, and every other one comes one wave after the last of those that it depends on. An annotation that is there already
 * stays, and others go by it. To be called once the dependencies are declared.
 *
 * @throws Error where dependencies form a cycle
 */
export function addSyncWaves(scope: Construct): void {
  const objects = scope.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
  const own = new Set(objects);
  const waves = new Map<ApiObject, number>();
  // What they depend on may be elsewhere, such as in another chart.
  for (const object of inOrder(objects, dependenciesOf)) {
    const given = waveOf(object);
    const wave = given ?? Math.max(-1, ...dependenciesOf(object).map((other) => waves.get(other) ?? 0)) + 1;
    waves.set(object, wave);
    if (given === undefined && wave > 0 && own.has(object)) {
      object.metadata.addAnnotation(SYNC_WAVE_ANNOTATION, String(wave));
    }
  }
}

/** The wave that an object has already; what is not a number is wave 0 to Argo CD. */
function waveOf(object: ApiObject): number | undefined {
  const given = member(object.toJson(), 'metadata', 'annotations', SYNC_WAVE_ANNOTATION);
  if (given === undefined) return undefined;
  const wave = Number(given);
  return Number.isInteger(wave) ? wave : 0;
}

/** These, and what they depend on, each once and after what it depends on. */
function inOrder<T extends IConstruct>(constructs: readonly T[], dependencies: (of: T) => readonly T[]): readonly T[] {
  const done = new Set<T>();
  const under = new Set<T>();
  const visit = (construct: T): void => {
    if (done.has(construct)) return;
    if (under.has(construct)) {
      const path = [...under];
      const names = [...path.slice(path.indexOf(construct)), construct].map(({ node }) => node.path);
      throw new Error(`dependencies form a cycle: ${names.join(' => ')}`);
    }
    under.add(construct);
    dependencies(construct).forEach(visit);
    under.delete(construct);
    done.add(construct);
  };
  constructs.forEach(visit);
  return [...done];
}
