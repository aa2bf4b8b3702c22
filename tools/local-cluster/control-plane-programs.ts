import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPrograms, type FindOptions, type Found, type GoPrograms } from '../go/programs';

/** The programs of a control plane. */
export const BINARIES = ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager', 'kube-scheduler'] as const;
export type Binary = (typeof BINARIES)[number];

const modules = join(__dirname, 'modules');

/** The version of Kubernetes that is built. */
export const VERSION = requiredVersion(join(modules, 'controlplane', 'go.mod'), 'k8s.io/kubernetes');

/** What is quick to build comes first. */
export const controlPlanePrograms: GoPrograms<Binary> = {
  what: 'The control plane',
  key: `control-plane-${VERSION}`,
  modules: [
    {
      folder: join(modules, 'etcd'),
      flags: ['-trimpath', '-ldflags=-s -w'],
      packages: { etcd: 'go.etcd.io/etcd/server/v3' },
    },
    {
      folder: join(modules, 'controlplane'),
      flags: ['-trimpath', `-ldflags=-s -w ${versionFlags(VERSION)}`],
      packages: {
        'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
        kubectl: 'k8s.io/kubernetes/cmd/kubectl',
        'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
        'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
      },
    },
  ],
  variable: {
    name: 'KUBEBUILDER_ASSETS',
    is: 'folder',
    hint: 'The archives of setup-envtest hold etcd, kube-apiserver and kubectl only.',
  },
  cost: "about 6 minutes and 5 GB in Go's caches",
};

/**
 * Finds the programs: in the folder that `KUBEBUILDER_ASSETS` names, else in the cache, else builds them into the cache.
 *
 * @throws Error which says what is missing and what to do, where that folder lacks one or where there is no Go
 */
export function findBinaries<B extends Binary>(needed: readonly B[], options?: FindOptions): Promise<Found<B>> {
  return findPrograms(controlPlanePrograms, needed, options);
}

/** The version of a module that a go.mod requires. */
export function requiredVersion(goMod: string, module: string): string {
  const line = readFileSync(goMod, 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([path, version]) => path === module && version?.startsWith('v'));
  if (line?.[1] === undefined) throw new Error(`${goMod} does not require ${module}`);
  return line[1];
}

function versionFlags(version: string): string {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.entries(values)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
}
