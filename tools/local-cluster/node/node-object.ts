import { arch } from 'node:os';
import { seconds } from './texts';

/** What a node has, and how it behaves. */
export interface NodeOptions {
  readonly name: string;
  /** @default 64 */
  readonly cpu?: string;
  /** @default 256Gi */
  readonly memory?: string;
  /** How many pods it takes. @default 110 */
  readonly pods?: number;
  /** Further resources, as `{ 'nvidia.com/gpu': '4', 'nvidia.com/mig-1g.10gb': '2' }`. @default none */
  readonly extended?: Readonly<Record<string, string>>;
  /** Beside those that every node has. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default none */
  readonly taints?: readonly Taint[];
  /** Seconds before the second restart of a container, doubled each time up to 300. @default 10, the kubelet's */
  readonly backoffSeconds?: number;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** The Node as the agent registers it. */
export function nodeObject({ labels = {}, name, taints = [] }: NodeOptions): Readonly<Record<string, unknown>> {
  const machine = arch() === 'x64' ? 'amd64' : arch();
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': machine,
        ...labels,
      },
    },
    spec: { taints },
  };
}

/** The Node's status. `since` is when the agent began, `now` when this is written. */
export function nodeStatus(
  { cpu = '64', extended = {}, memory = '256Gi', name, pods = 110 }: NodeOptions,
  address: string,
  kubeletPort: number,
  since: Date,
  now: Date,
): Readonly<Record<string, unknown>> {
  const resources = { cpu, memory, pods: `${pods}`, 'ephemeral-storage': '100Gi', ...extended };
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type, status, reason, message, lastHeartbeatTime: seconds(now), lastTransitionTime: seconds(since),
  }); // prettier-ignore
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: {
      architecture: arch() === 'x64' ? 'amd64' : arch(),
      bootID: '',
      containerRuntimeVersion: 'test-node://1',
      kernelVersion: '',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.37.2',
      machineID: name,
      operatingSystem: 'linux',
      osImage: 'test node',
      systemUUID: name,
    },
  };
}
