import type { Composition } from '../composition';
import { inferenceServiceComposition } from '../inference';
import { infernoImage } from '../inference/engines/fake';
import { firstFault, type Fault } from './check';
import { SETTINGS } from '../settings/settings';
import { OPERATOR_NAMESPACE, OPERATOR_RESOURCES } from './names';
import type { InfernoProps } from './props';

/** Props in which everything that has a plain default is there. */
export type CompleteProps = InfernoProps &
  Required<Pick<InfernoProps, 'namespace' | 'image' | 'replicas' | 'watchNamespaces' | 'logLevel' | 'resources'>> & {
    readonly compositions: readonly Composition[];
  };

/** A prop that Kubernetes or the operator would refuse. */
export class InvalidInstallationError extends Error {
  override readonly name = 'InvalidInstallationError';

  /** @param fault what was expected and what came */
  constructor(
    readonly prop: Fault['prop'],
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
export function completeProps(props: InfernoProps): CompleteProps {
  const complete: CompleteProps = {
    ...props,
    namespace: props.namespace ?? OPERATOR_NAMESPACE,
    image: props.image ?? infernoImage,
    replicas: props.replicas ?? 1,
    watchNamespaces: [...new Set(props.watchNamespaces)],
    logLevel: props.logLevel ?? SETTINGS.logLevel.default,
    resources: props.resources ?? OPERATOR_RESOURCES,
    compositions: props.compositions ?? [inferenceServiceComposition],
  };
  const found = firstFault(complete);
  if (found !== undefined) throw new InvalidInstallationError(found.prop, found.fault);
  return complete;
}
