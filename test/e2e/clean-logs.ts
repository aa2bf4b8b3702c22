import { readFileSync } from 'node:fs';
import type { Cluster, Component } from '../../tools/local-cluster';
import type { Pod } from './objects';

/** Lines that Kubernetes' components write by themselves in such a cluster, whatever is installed in it. */
const NOT_OURS: readonly RegExp[] = [
  // Each component at its start: it looks for a file that a test cluster has no use for.
  /options\.go:\d+\] The manifest file is empty, ignoring/,
  // The API server at its start: versions of its own APIs that are off by default.
  /Skipping API \S+ because it has no resources/,
  // The API server at its start: it makes kube-system itself, some milliseconds later.
  /^kube-apiserver: .* err="namespaces \\"kube-system\\" not found"/,
  // The API server at its start: it writes its own address into the Service kubernetes.
  /Resetting endpoints for master service "kubernetes"/,
  // The API server sees a new Service sooner than the address that it gave to it.
  /repairip\.go:\d+\] .*the ClusterIP \[IPv4\]: \S+ for Service \S+ is not allocated; repairing/,
  // A controller whose cache is older than what it wrote itself: it waits for the cache and goes on.
  /replica_set\.go:\d+\] .* is not as new as written version/,
  /disruption\.go:\d+\] "Error syncing PodDisruptionBudget, requeuing" .*the object has been modified/,
  // A ReplicaSet that goes, with its owner, while its controller looks at it.
  /replica_set\.go:\d+\] .*replicasets\.apps \\"\S+\\" not found/,
];

const COMPONENTS: readonly Component[] = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
/** That the autoscaler has no figures, as nothing serves metrics in a test cluster. */
export const NO_METRICS = /horizontal\.go:\d+\] .*unable to fetch metrics from (custom|resource) metrics API/;
/** The form of a line of level error, warning or fatal, `W1130 14:43:09.000000    1 file.go:12] text`. */
const KLOG_COMPLAINT = /^[EWF]\d{4} \d\d:\d\d:\d\d/;

/** The lines of all logs that tell of something wrong, each with where it stands. */
export function complaints(
  cluster: Cluster,
  operators: readonly Pod[],
  nodes: readonly string[],
  expected: readonly RegExp[] = [],
): readonly string[] {
  const allowed = [...NOT_OURS, ...expected];
  const components = COMPONENTS.flatMap((component) =>
    told(component, readFileSync(cluster.controlPlane.log(component), 'utf8'), isKlogComplaint),
  );
  const pods = operators.flatMap(({ metadata: { name, namespace } }) =>
    told(`pod ${name}`, cluster.podLog(namespace, name), isJsonComplaint),
  );
  const agents = nodes.flatMap((name) => told(`node ${name}`, cluster.nodeLog(name), isJsonComplaint));
  return [...components, ...pods, ...agents].filter((line) => !allowed.some((pattern) => pattern.test(line)));
}

function told(where: string, log: string, isComplaint: (line: string) => boolean): readonly string[] {
  const lines = log.split('\n').filter((line) => line !== '' && isComplaint(line));
  return lines.map((line) => `${where}: ${line}`);
}

export function isKlogComplaint(line: string): boolean {
  return KLOG_COMPLAINT.test(line) || /^(panic|fatal error|goroutine \d+)/.test(line);
}

/** Operator and nodes write nothing but JSON; what is not is a crash. */
export function isJsonComplaint(line: string): boolean {
  try {
    const { level } = JSON.parse(line) as { readonly level?: unknown };
    return level !== 'info' && level !== 'debug';
  } catch {
    return true;
  }
}
