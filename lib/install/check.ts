import { LOG_LEVELS } from '../settings/types';
import { refusedArgument, variableFault } from './arguments';
import { labelsFault, resourcesFault } from './faults';
import { operatorLabels } from './names';
import type { InfernoProps } from './props';
import { follows, rules, type TextRule } from './rules';
import type { CompleteProps } from './complete-props';

/** What Kubernetes or the operator would refuse, in words that follow the name of the prop. */
export interface Fault {
  readonly prop: keyof InfernoProps | 'resources.requests' | 'resources.limits';
  readonly fault: string;
}

/** Namespaces that Kubernetes makes itself. */
const OF_KUBERNETES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** The largest number in a field of 32 bits, as replicas are. */
export const MOST_REPLICAS = 2 ** 31 - 1;

/** The first fault of an installation. Pure. */
export function firstFault(props: CompleteProps): Fault | undefined {
  const [first] = faults(props);
  return first;
}

function* faults(props: CompleteProps): Generator<Fault> {
  const { namespace, createNamespace = true, image, replicas, watchNamespaces, logLevel, compositions } = props;
  const { priorityClassName, imagePullSecrets = [], args = [], env = [] } = props;
  yield* text('namespace', rules.namespace, namespace);
  if (createNamespace && OF_KUBERNETES.includes(namespace)) {
    const why = 'is made by Kubernetes, and pods in it may need more than Pod Security "restricted"';
    yield refuse('namespace', `must be another one, or come without being made: ${namespace} ${why}`, namespace);
  }
  for (const each of watchNamespaces) yield* text('watchNamespaces', rules.namespace, each);
  yield* text('image', rules.image, image);
  if (!Number.isSafeInteger(replicas) || replicas < 0 || replicas > MOST_REPLICAS) {
    yield refuse('replicas', `must be a whole number, 0 or more and at most ${MOST_REPLICAS}`, replicas);
  }
  if (!LOG_LEVELS.includes(logLevel)) yield refuse('logLevel', `must be one of ${LOG_LEVELS.join(', ')}`, logLevel);
  if (compositions.length === 0) yield refuse('compositions', 'must name at least one composition', compositions);
  if (priorityClassName !== undefined) yield* text('priorityClassName', rules.objectName, priorityClassName);
  for (const { name } of imagePullSecrets) yield* text('imagePullSecrets', rules.objectName, name);
  yield* maps(props);
  const refused = refusedArgument(args);
  if (refused !== undefined) yield refuse('args', refused.expected, refused.given);
  for (const { name } of env) {
    yield* text('env', rules.variable, name);
    const fault = variableFault(name);
    if (fault !== undefined) yield refuse('env', fault, name);
  }
}

function* maps({
  podLabels,
  podAnnotations,
  monitoringLabels,
  nodeSelector,
  resources,
}: CompleteProps): Generator<Fault> {
  yield* labels('podLabels', podLabels);
  yield* labels('monitoringLabels', monitoringLabels);
  yield* labels('nodeSelector', nodeSelector);
  for (const [key, value] of Object.entries(podAnnotations ?? {})) {
    yield* text('podAnnotations', rules.annotationKey, key);
    if (typeof value !== 'string') yield refuse('podAnnotations', 'must have texts as values', value);
  }
  const wrong = resourcesFault(resources);
  if (wrong !== undefined) yield { prop: `resources.${wrong.list}`, fault: wrong.fault };
}

function* labels(prop: 'podLabels' | 'monitoringLabels' | 'nodeSelector', map: LabelMap = {}): Generator<Fault> {
  for (const key of Object.keys(operatorLabels)) {
    if (prop !== 'nodeSelector' && Object.hasOwn(map, key)) {
      yield refuse(prop, `must leave ${key} alone, which selects the pods`, map);
    }
  }
  const wrong = labelsFault(map);
  if (wrong !== undefined) yield { prop, fault: wrong };
}

type LabelMap = Readonly<Record<string, string>>;

function* text(prop: keyof InfernoProps, rule: TextRule, value: unknown): Generator<Fault> {
  if (!follows(rule, value)) yield refuse(prop, rule.expected, value);
}

function refuse(prop: keyof InfernoProps, expected: string, came: unknown): Fault {
  return { prop, fault: `${expected}, got ${JSON.stringify(came)}` };
}
