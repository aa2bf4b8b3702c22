import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The programs of a control plane. */
export const BINARIES = ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager', 'kube-scheduler'] as const;
export type Binary = (typeof BINARIES)[number];

/** A Go module in `modules/` and the flags that its programs are built with. */
export interface GoModule {
  readonly folder: string;
  readonly flags: readonly string[];
  /** The packages of the programs. */
  readonly packages: { readonly [binary in Binary]?: string };
}

/** The version of Kubernetes that the modules build. */
export const VERSION = requiredVersion(join(__dirname, 'modules', 'controlplane', 'go.mod'), 'k8s.io/kubernetes');

/** The modules in the order in which they are built: what is quick first. */
export const MODULES: readonly GoModule[] = [
  {
    folder: join(__dirname, 'modules', 'etcd'),
    flags: ['-trimpath', '-ldflags=-s -w'],
    packages: { etcd: 'go.etcd.io/etcd/server/v3' },
  },
  {
    folder: join(__dirname, 'modules', 'controlplane'),
    flags: ['-trimpath', `-ldflags=-s -w ${versionFlags(VERSION)}`],
    packages: {
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
      'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
      'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
    },
  },
];

/** The version of a module that a go.mod requires. */
export function requiredVersion(goMod: string, module: string): string {
  const line = readFileSync(goMod, 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([path, version]) => path === module && version?.startsWith('v'));
  if (line?.[1] === undefined) throw new Error(`${goMod} does not require ${module}`);
  return line[1];
}

/** The oldest Go that all modules can be built with. */
export function goVersion(modules: readonly GoModule[] = MODULES): string {
  const versions = modules.map(
    ({ folder }) => /^go (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1] ?? '',
  );
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
}

function versionFlags(version: string): string {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.entries(values)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
}
