import type { Composition } from '../composition';
import { inferenceServiceComposition } from '../inference';
import { infernoImage } from '../inference/engines/fake';
import { operatorLabels } from './names';
import type { InfernoProps, OperatorLogLevel } from './props';

/** The namespace of the operator where none is named. */
export const OPERATOR_NAMESPACE = 'inferno-system';
/** How much an operator may be told to tell. */
export const LOG_LEVELS: readonly OperatorLogLevel[] = ['error', 'info', 'debug'];

/** What an operator gets where nothing else is said. */
export const OPERATOR_RESOURCES = {
  requests: { cpu: '100m', memory: '192Mi' },
  limits: { memory: '512Mi' },
} as const;

/** Props in which everything that has a plain default is there. */
export type InstallSettings = InfernoProps &
  Required<Pick<InfernoProps, 'namespace' | 'image' | 'replicas' | 'watchNamespaces' | 'logLevel' | 'resources'>> & {
    readonly compositions: readonly Composition[];
  };

/** A prop that Kubernetes or the operator would refuse. */
export class InvalidInstallationError extends Error {
  override readonly name = 'InvalidInstallationError';

  /** @param fault what was expected and what came */
  constructor(
    readonly prop: keyof InfernoProps,
    readonly fault: string,
  ) {
    super(`${prop} ${fault}`);
  }
}

/**
 * The props with their defaults.
 *
 * @throws InvalidInstallationError
 */
export function installSettings(props: InfernoProps): InstallSettings {
  const settings: InstallSettings = {
    ...props,
    namespace: props.namespace ?? OPERATOR_NAMESPACE,
    image: props.image ?? infernoImage,
    replicas: props.replicas ?? 1,
    watchNamespaces: [...new Set(props.watchNamespaces)],
    logLevel: props.logLevel ?? 'info',
    resources: props.resources ?? OPERATOR_RESOURCES,
    compositions: props.compositions ?? [inferenceServiceComposition],
  };
  check(settings);
  return settings;
}

function check(settings: InstallSettings): void {
  const { namespace, image, replicas, watchNamespaces, logLevel, compositions, podLabels = {}, args = [] } = settings;
  const refuse = (prop: keyof InfernoProps, expected: string, got: unknown): never => {
    throw new InvalidInstallationError(prop, `${expected}, got ${JSON.stringify(got)}`);
  };
  if (!isNamespace(namespace)) refuse('namespace', namespaceRule, namespace);
  for (const each of watchNamespaces) if (!isNamespace(each)) refuse('watchNamespaces', namespaceRule, each);
  if (!/^[^\s@]+(@sha256:[0-9a-f]{64})?$/.test(image)) refuse('image', 'must be the name of an image', image);
  if (!Number.isSafeInteger(replicas) || replicas < 0)
    refuse('replicas', 'must be a whole number, 0 or more', replicas);
  if (!LOG_LEVELS.includes(logLevel)) refuse('logLevel', `must be one of ${LOG_LEVELS.join(', ')}`, logLevel);
  if (compositions.length === 0) refuse('compositions', 'must name at least one composition', compositions);
  for (const key of Object.keys(operatorLabels)) {
    if (Object.hasOwn(podLabels, key))
      refuse('podLabels', `must leave ${key} alone, which selects the pods`, podLabels);
  }
  for (const arg of args) {
    const flag = RESERVED_FLAGS.find((each) => arg === each || arg.startsWith(`${each}=`));
    if (flag !== undefined) refuse('args', `must leave ${flag} alone, as ${reserved[flag]}`, arg);
  }
}

const namespaceRule = 'must be at most 63 of a-z, 0-9 and "-", and begin and end with a letter or digit';

function isNamespace(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
}

const fixed = 'other objects of the installation rely on it';
/** Flags of the operator that are given already, or that the permissions depend on, and why. */
const reserved: Readonly<Record<string, string>> = {
  '--namespace': 'it is watchNamespaces',
  '-n': 'it is watchNamespaces',
  '--log-level': 'it is logLevel',
  '--zap-log-level': 'it is logLevel',
  '--leader-elect': fixed,
  '--leader-election-id': fixed,
  '--leader-election-namespace': fixed,
  '--metrics-bind-address': fixed,
  '--health-probe-bind-address': fixed,
};

/** Flags of `inferno operator` that `args` has to leave alone. */
export const RESERVED_FLAGS: readonly string[] = Object.keys(reserved);
