import { controllerOf, type Manifest, type PlanStep } from '../../lib/composition';
import { describeObject } from '../../lib/composition/manifest';
import type { StepFailure } from '../write/failures';
import { isScaler, replicasOf, scales } from './scaling';

/** A plan that leaves the number of replicas to other autoscalers, and what is to be told of it. */
export interface Deferral {
  readonly steps: readonly PlanStep[];
  /** The objects whose number of replicas is not the rendered one. */
  readonly contested: readonly StepFailure[];
}

/** The autoscalers among objects that a resource does not control. Pure. */
export function rivalsAmong(objects: readonly Manifest[], ownerUid: string | undefined): readonly Manifest[] {
  return objects.filter(
    (object) =>
      isScaler(object) && object.metadata.deletionTimestamp === undefined && controllerOf(object)?.uid !== ownerUid,
  );
}

/**
 * The same plan, but where an autoscaler that is not ours has a target that we give a number of replicas: there the live
 * number stays, as the two would undo each other's work for ever, and pods would start and end with it. Pure.
 *
 * Zero is given, and left, all the same: an autoscaler does not touch a target that has no replicas.
 */
export function deferToRivals(steps: readonly PlanStep[], rivals: readonly Manifest[]): Deferral {
  if (rivals.length === 0) return { steps, contested: [] };
  const contested: StepFailure[] = [];
  const deferred = steps.map((step): PlanStep => {
    if (step.action !== 'update' || !step.changes.some(({ path }) => path === REPLICAS)) return step;
    const { live, manifest } = step;
    const [wanted, present] = [replicasOf(manifest) ?? 0, replicasOf(live) ?? 0];
    const rival = rivals.find((each) => scales(each, manifest));
    if (rival === undefined || wanted === 0 || present === 0) return step;
    contested.push(contest(manifest, rival));
    const others = step.changes.filter(({ path }) => path !== REPLICAS);
    if (step.reason === 'Drifted' && others.length === 0) return { action: 'unchanged', manifest, live };
    return { ...step, manifest: withReplicas(manifest, present), changes: others };
  });
  return { steps: deferred, contested };
}

const REPLICAS = 'spec.replicas';

function contest(object: Manifest, rival: Manifest): StepFailure {
  const [what, other] = [describeObject(object), describeObject(rival)];
  const message =
    `${what} has the replicas that ${other} gives it, which does not belong to the resource; ` +
    `delete ${other} to have those that the resource says`;
  return { object, reason: 'ScaledByAnother', message, sort: 'altered' };
}

function withReplicas(manifest: Manifest, replicas: number): Manifest {
  const spec = manifest['spec'];
  return { ...manifest, spec: { ...(typeof spec === 'object' ? spec : {}), replicas } };
}
