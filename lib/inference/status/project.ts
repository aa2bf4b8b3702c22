import type { Deployment } from '../../../imports/k8s';
import type { InferenceServiceStatus } from '../../../imports/inference-service';
import type { Observed, ProjectContext } from '../../composition/composition';
import type { SyncOutcome } from '../../composition/outcome';
import {
  setConditions,
  setHealth,
  syncedCondition,
  type Condition,
  type ConditionClaim,
  type Health,
} from '../../composition/conditions';
import { findingText } from '../../composition/finding';
import { jsonEquals, toJson } from '../../composition/json';
import { defined } from '../../composition/objects';
import { Kinds } from '../../composition/kinds';
import type { Manifest } from '../../composition/manifest';
import { cutText } from '../../composition/text';
import { objectName, selectorLabels } from '../labels';
import { podToWaitFor, podTrouble, readyOfNewest } from './pods';
import type { AdmittedInferenceService } from '../admitted';
import { rivalOf } from './rivals';
import { scalingBounds } from '../pod/rollout';

/** Characters of a message: enough for the API server's words, little enough for a table. */
const longestMessage = 2048;

type Verdict = Omit<Health, 'observedGeneration'>;

/**
 * The status of a resource, from its children and its pods. Ready means that the rollout is finished: every pod that is
 * wanted runs the newest template and is available, and no older one is left. Texts say why it is not, in the words of
 * the API server or of the pod.
 */
export function projectStatus(
  resource: AdmittedInferenceService,
  observed: Observed,
  { now, sync }: ProjectContext,
): InferenceServiceStatus {
  const live = observed.get(Kinds.Deployment, objectName(resource));
  const rival = rivalOf(resource, observed);
  const verdict = judgeSync(sync) ?? judge(resource, live, observed, rival !== undefined);
  const last = resource.status;
  const { generation } = resource.metadata;
  const seen = defined({ observedGeneration: generation });
  const known = last?.conditions?.filter(isCondition) ?? [];
  const judged = known.some(({ type }) => type === 'AutoscalerActive') || verdict.state === 'Ready';
  // Pods that start have no metric yet, which is not a fault of the autoscaler.
  const own = judged ? autoscalerCondition(resource, observed, generation) : undefined;
  const autoscaler = rival === undefined ? own : rivalCondition(resource, rival, generation);
  const claims = [syncClaim(sync, verdict, generation), ...(autoscaler === undefined ? [] : [autoscaler])];
  const kept = autoscaler === undefined ? known.filter(({ type }) => type !== 'AutoscalerActive') : known;
  const status: InferenceServiceStatus = {
    phase: phaseOf(verdict),
    replicas: live?.status?.replicas ?? 0,
    readyReplicas: live?.status?.readyReplicas ?? 0,
    selector: Object.entries(selectorLabels(resource))
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
    message: verdict.message,
    ...seen,
    conditions: setHealth(setConditions(kept, claims, now), { ...verdict, ...seen }, now),
  };
  const unchanged = last !== undefined && sameBut(last, status);
  return { ...status, lastUpdateTime: (unchanged ? last.lastUpdateTime : undefined) ?? now };
}

/** The health where the children could not be brought to what the resource says. */
function judgeSync(sync: SyncOutcome): Verdict | undefined {
  switch (sync.state) {
    case 'applied':
    case 'altered':
      return undefined;
    case 'waiting':
      return progressing(sync.reason, sync.message);
    case 'invalid':
      return failed('InvalidSpec', sync.errors.map(findingText).join('; '));
    case 'refused':
      return failed(sync.reason, sync.message);
  }
}

function syncClaim(sync: SyncOutcome, verdict: Verdict, generation: number | undefined): ConditionClaim {
  if (sync.state === 'applied') return syncedCondition({ synced: true }, generation);
  const { reason, message } = sync.state === 'altered' ? sync : verdict;
  return syncedCondition({ synced: false, reason, message: cutText(message, longestMessage) }, generation);
}

function judge(
  resource: AdmittedInferenceService,
  live: Deployment | undefined,
  observed: Observed,
  hasRival: boolean,
): Verdict {
  if (!live) return rollingOut('the Deployment is not there yet');
  const { status = {}, spec } = live;
  const { min } = resource.spec.replicas;
  // Somebody else's autoscaler decides as ours does, except on zero, which it leaves.
  const scaled = scalingBounds(resource.spec) !== undefined || (min > 0 && hasRival);
  const wanted = scaled ? (spec.replicas ?? 1) : min;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, readyReplicas = 0 } = status;
  const seen = (status.observedGeneration ?? 0) >= (live.metadata?.generation ?? 0);
  const ready = Math.min(updatedReplicas, availableReplicas, readyReplicas);
  if (wanted === 0 && scalingBounds(resource.spec) !== undefined) {
    const remedy = `kubectl scale deployment/${objectName(resource)} --replicas=1`;
    return failed('ScaledToZero', `Somebody scaled the Deployment to 0, where its autoscaler leaves it: ${remedy}`);
  }
  if (seen && (spec.replicas ?? 1) === wanted && ready >= wanted && replicas === wanted) {
    return wanted === 0
      ? { state: 'Ready', reason: 'Parked', message: 'Parked: no pods are wanted and none run' }
      : { state: 'Ready', reason: 'RolloutFinished', message: `${readyReplicas} of ${wanted} pods are ready` };
  }
  // Until then its conditions and its pods speak of an earlier version.
  if (!seen) return rollingOut('the Deployment controller has not seen the newest Deployment yet');
  const refused = status.conditions?.find((c) => c.type === 'ReplicaFailure' && c.status === 'True');
  if (refused) return failed(refused.reason ?? 'ReplicaFailure', refused.message ?? 'Pods could not be created');
  const trouble = podTrouble(observed);
  if (trouble?.lasting === true) return failed(trouble.reason, trouble.message);
  if (spec.paused === true) {
    const remedy = `kubectl rollout resume deployment/${objectName(resource)}`;
    return progressing('RolloutPaused', `Somebody paused the Deployment's rollout: ${remedy}`);
  }
  const late = status.conditions?.find((c) => c.type === 'Progressing' && c.reason === 'ProgressDeadlineExceeded');
  if (late) {
    const message = late.message ?? 'The rollout took longer than its deadline';
    return failed('ProgressDeadlineExceeded', trouble === undefined ? message : `${message}; ${trouble.message}`);
  }
  if (trouble) return progressing(trouble.reason, trouble.message);
  const waiting = podToWaitFor(observed);
  const what = waiting === undefined ? '' : `; ${waiting}`;
  if (replicas > updatedReplicas) {
    const older = `${replicas - updatedReplicas} older ones are still there`;
    // The Deployment counts ready pods of all its templates together.
    const count = Math.min(ready, readyOfNewest(observed));
    return rollingOut(`${count} of ${wanted} new pods are ready, ${older}${what}`);
  }
  if (replicas > wanted) return rollingOut(`${replicas - wanted} pods are to end`);
  return rollingOut(`${Math.min(ready, wanted)} of ${wanted} pods are ready${what}`);
}

/** That somebody else's autoscaler has the same Deployment. */
function rivalCondition(
  resource: AdmittedInferenceService,
  rival: Manifest,
  generation: number | undefined,
): ConditionClaim {
  const what = `HorizontalPodAutoscaler ${rival.metadata.name}`;
  const message = scalingBounds(resource.spec)
    ? `${what}, which does not belong to this resource, scales its Deployment too, so that neither autoscaler works: delete it, or set spec.autoscaling.enabled to false`
    : `${what}, which does not belong to this resource, scales its Deployment: delete it, and let spec.autoscaling do its work`;
  return defined<ConditionClaim>({
    type: 'AutoscalerActive',
    status: 'False',
    reason: 'AnotherAutoscaler',
    message,
    observedGeneration: generation,
  });
}

/** Whether the autoscaler can do its work, in its own words; undefined where there is none, or it has not said yet. */
function autoscalerCondition(
  resource: AdmittedInferenceService,
  observed: Observed,
  generation: number | undefined,
): ConditionClaim | undefined {
  const live = observed.get(Kinds.HorizontalPodAutoscaler, objectName(resource));
  const said = live?.status?.conditions?.filter(({ type }) => type === 'AbleToScale' || type === 'ScalingActive') ?? [];
  const worst = said.find(({ status }) => status === 'False') ?? said.find(({ type }) => type === 'ScalingActive');
  if (worst === undefined) return undefined;
  return defined<ConditionClaim>({
    type: 'AutoscalerActive',
    status: worst.status === 'True' ? 'True' : 'False',
    reason: worst.reason ?? worst.type,
    message: worst.status === 'True' ? 'The autoscaler reads its metric' : cutText(worst.message ?? '', longestMessage),
    observedGeneration: generation,
  });
}

/** One reason for all stages of a rollout, so that each is not a change that has to be written at once. */
function rollingOut(message: string): Verdict {
  return progressing('RollingOut', `Rolling out: ${message}`);
}

function progressing(reason: string, message: string): Verdict {
  return { state: 'Progressing', reason, message: cutText(message, longestMessage) };
}

function failed(reason: string, message: string): Verdict {
  return { state: 'Failed', reason, message: cutText(message, longestMessage) };
}

function phaseOf({ state }: Verdict): NonNullable<InferenceServiceStatus['phase']> {
  switch (state) {
    case 'Ready':
      return 'Running';
    case 'Progressing':
      return 'Pending';
    case 'Failed':
      return 'Failed';
  }
}

/** Whether two statuses say the same, except for the time of the last change. */
function sameBut(last: InferenceServiceStatus, status: InferenceServiceStatus): boolean {
  const { lastUpdateTime: _, ...before } = last;
  return jsonEquals(toJson(before), toJson(status));
}

type StoredCondition = NonNullable<InferenceServiceStatus['conditions']>[number];

function isCondition(condition: StoredCondition): condition is StoredCondition & Condition {
  return ['True', 'False', 'Unknown'].includes(condition.status);
}
