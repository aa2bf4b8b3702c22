import type { EnvVar, ResourceRequirements, Toleration } from '../../../imports/k8s';
import { defined } from '../../../lib/composition/objects';
import type { ImagePullPolicy, InfernoProps, OperatorLogLevel } from '../../../lib/install/props';
import { installManifests } from '../../../lib/install/render';
import { InvalidInstallationError } from '../../../lib/install/complete-props';
import { OPERATOR_RESOURCES } from '../../../lib/install/names';
import type { Parsed } from '../../command';
import { compositionsWith } from '../../compositions';
import { UsageError } from '../../errors';
import { readNamespace } from '../../input/flags';
import { printObjects, readWatchNamespaces } from '../../installation';
import type { Io } from '../../io';

/** Runs `inferno install`. @returns the exit code */
export async function install(parsed: Parsed, io: Io): Promise<number> {
  const props = { ...readProps(parsed), compositions: await compositionsWith(parsed.values.get('composition'), io) };
  printObjects(render(props), parsed, io);
  return 0;
}

function render(props: InfernoProps): ReturnType<typeof installManifests> {
  try {
    return installManifests(props);
  } catch (error) {
    if (!(error instanceof InvalidInstallationError)) throw error;
    throw new UsageError(`--${flagOf(error.prop)} ${error.fault}`);
  }
}

/** Such as `pod-label` for podLabels, and `limits` for resources.limits. */
function flagOf(prop: InvalidInstallationError['prop']): string {
  const [, list] = prop.split('.');
  if (list !== undefined) return list;
  // there is one number of replicas, while a list has a flag for each of its elements
  const singular = prop === 'replicas' ? prop : prop.replace(/s$/, '');
  return singular.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readProps(parsed: Parsed): InfernoProps {
  const { switches, values } = parsed;
  const one = (flag: string): string | undefined => values.get(flag)?.[0];
  const all = (flag: string): readonly string[] | undefined => values.get(flag);
  const without = (flag: string): false | undefined => (switches.has(`without-${flag}`) ? false : undefined);
  const map = (flag: string): Readonly<Record<string, string>> | undefined => readMap(flag, all(flag));
  const namespace = one('namespace');
  if (namespace !== undefined) readNamespace('namespace', namespace);
  if (values.has('monitoring-label') && !switches.has('monitoring'))
    throw new UsageError('--monitoring-label needs --monitoring, without which there is nothing to carry it');
  return defined<InfernoProps>({
    namespace,
    createNamespace: without('namespace'),
    image: one('image'),
    imagePullPolicy: one('image-pull-policy') as ImagePullPolicy | undefined,
    imagePullSecrets: all('image-pull-secret')?.map((name) => ({ name })),
    replicas: readCount('replicas', one('replicas')),
    watchNamespaces: readWatchNamespaces(parsed),
    logLevel: one('log-level') as OperatorLogLevel | undefined,
    resources: readResources(one('requests'), one('limits')),
    priorityClass: without('priority-class'),
    priorityClassName: one('priority-class-name'),
    podDisruptionBudget: without('pod-disruption-budget'),
    networkPolicy: without('network-policy'),
    monitoring: switches.has('monitoring'),
    monitoringLabels: map('monitoring-label'),
    crds: without('crds'),
    nodeSelector: map('node-selector'),
    tolerations: all('toleration')?.map(readToleration),
    podLabels: map('pod-label'),
    podAnnotations: map('pod-annotation'),
    args: all('arg'),
    env: all('env')?.map((text): EnvVar => {
      const [name, value] = readPair('env', text);
      return { name, value };
    }),
  });
}

function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} must be a whole number, 0 or more, but came as "${text}"`);
}

function readPair(flag: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--${flag} must be NAME=VALUE, but came as "${text}"`);
}

function readMap(flag: string, texts: readonly string[] | undefined): Readonly<Record<string, string>> | undefined {
  return texts === undefined ? undefined : Object.fromEntries(texts.map((text) => readPair(flag, text)));
}

/** As `kubectl set resources` takes them. What is not given keeps its default. */
function readResources(requests: string | undefined, limits: string | undefined): ResourceRequirements | undefined {
  if (requests === undefined && limits === undefined) return undefined;
  return {
    requests: readMap('requests', requests?.split(',')) ?? OPERATOR_RESOURCES.requests,
    limits: readMap('limits', limits?.split(',')) ?? OPERATOR_RESOURCES.limits,
  };
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** A toleration for a taint as `kubectl taint` writes it. */
function readToleration(text: string): Toleration {
  const [, key = '', value, effect] = /^([^=:]+)(?:=([^:]*))?(?::(.*))?$/.exec(text) ?? [];
  if (key === '' || (effect !== undefined && !EFFECTS.includes(effect))) {
    const expected = `KEY, KEY:EFFECT or KEY=VALUE:EFFECT with an effect of ${EFFECTS.join(', ')}`;
    throw new UsageError(`--toleration must be ${expected}, but came as "${text}"`);
  }
  return defined<Toleration>({ key, operator: value === undefined ? 'Exists' : 'Equal', value, effect });
}
