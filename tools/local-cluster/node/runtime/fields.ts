import { quantityValue } from '../../../../lib/inference/quantity';
import type { Container, FieldRef, Pod, ResourceFieldRef } from '../pod';
import { ConfigError, UnsupportedError } from '../runtime-types';
import { namespaceOf } from './objects';

/** What a pod's own object does not say yet when its containers start. */
export interface Addresses {
  readonly podIP: string;
  readonly hostIP?: string | undefined;
}

const SUBSCRIPT = /^(metadata\.(?:labels|annotations))\['(.+)'\]$/;

/** The value of a field of the pod for a variable or a file. Addresses are only known to variables. */
export function fieldValue(pod: Pod, { fieldPath }: FieldRef, addresses?: Addresses): string {
  const { metadata, spec } = pod;
  const [, map, key] = SUBSCRIPT.exec(fieldPath) ?? [];
  if (key !== undefined) {
    return (map === 'metadata.labels' ? metadata.labels : metadata.annotations)?.[key] ?? '';
  }
  const values: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': namespaceOf(pod),
    'metadata.uid': metadata.uid ?? '',
    'metadata.labels': formatMap(metadata.labels),
    'metadata.annotations': formatMap(metadata.annotations),
    'spec.nodeName': spec.nodeName ?? '',
    'spec.serviceAccountName': spec.serviceAccountName ?? '',
    'status.podIP': addresses?.podIP,
    'status.podIPs': addresses?.podIP,
    'status.hostIP': addresses?.hostIP,
    'status.hostIPs': addresses?.hostIP,
  };
  const value = values[fieldPath];
  if (value === undefined) throw new UnsupportedError(`fieldRef ${fieldPath} is not known here`);
  return value;
}

/** The value of `requests.cpu` and the like, in units of the divisor and rounded up. */
export function resourceValue(pod: Pod, own: Container | undefined, ref: ResourceFieldRef): string {
  const { containerName, divisor = '0', resource } = ref;
  const container =
    containerName === undefined || containerName === ''
      ? own
      : [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(({ name }) => name === containerName);
  if (container === undefined) throw new ConfigError(`container ${containerName ?? ''} not found`);
  const [list = '', name = ''] = splitOnce(resource);
  const { limits, requests } = container.resources ?? {};
  // The API server has set a request where there is only a limit.
  const quantity = list === 'limits' ? limits?.[name] : list === 'requests' ? requests?.[name] : undefined;
  if (quantity === undefined) {
    if (list === 'requests') return '0';
    throw new UnsupportedError(
      `resourceFieldRef ${resource}: container ${container.name} has no such value, and what the node has is not told here`,
    );
  }
  const unit = quantityValue(divisor);
  // Thousandths are what the smallest quantities are counted in; doubles would be off by some of their own.
  const thousandths = (value: number): number => Math.round(value * 1000);
  return `${Math.ceil(thousandths(quantityValue(quantity)) / (unit === 0 ? 1000 : thousandths(unit)))}`;
}

function splitOnce(text: string): readonly string[] {
  const dot = text.indexOf('.');
  return dot === -1 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}

function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}
