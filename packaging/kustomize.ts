import { writeObject, writeStream } from '../cli/output/format';
import { installManifests } from '../lib/install';
import { byFile, withoutThose } from './objects';

/** The kustomize base and its component, as texts by path. */
export function kustomizeFiles(): Readonly<Record<string, string>> {
  const plain = installManifests();
  const monitoring = withoutThose(installManifests({ monitoring: true }), plain);
  const base = [...byFile(plain)].map(([name, objects]) => [`${name}.yaml`, writeStream(objects, 'yaml')] as const);
  return {
    'kustomization.yaml': kustomization(
      'kustomize.config.k8s.io/v1beta1',
      'Kustomization',
      base.map(([name]) => name),
    ),
    ...Object.fromEntries(base),
    'components/monitoring/kustomization.yaml': kustomization('kustomize.config.k8s.io/v1alpha1', 'Component', [
      'monitoring.yaml',
    ]),
    'components/monitoring/monitoring.yaml': writeStream(monitoring, 'yaml'),
  };
}

function kustomization(apiVersion: string, kind: string, resources: readonly string[]): string {
  return writeObject({ apiVersion, kind, resources }, 'yaml');
}
