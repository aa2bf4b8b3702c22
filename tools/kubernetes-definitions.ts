// Writes crds/src/kubernetes.json: the part of Kubernetes' OpenAPI document that the CRD and imports/k8s.ts are made of.
// Needs Go, once for each new version of Kubernetes; everything else regenerates from the file that this writes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { prune } from './generate/definitions';
import { kubernetesKinds } from './generate/kubernetes-kinds';
import { root, sources } from './generate/paths';
import type { KubernetesDefinitions } from './generate/schema';

const MODULE = 'k8s.io/kubernetes';

function go(...args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const cwd = join(root, 'tools/local-cluster/modules/controlplane');
  return JSON.parse(execFileSync('go', args, { cwd, encoding: 'utf8' }));
}

/** Names of the definitions that a source names, at any depth. */
function named(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$kubernetes' ? [String(value)] : named(value)));
}

// The version comes first: with it, the download is of this one module and not of all that it needs.
const { Version: version } = go('list', '-m', '-json', MODULE);
const { Dir: folder, Error: error } = go('mod', 'download', '-json', `${MODULE}@${version}`);
if (folder === undefined) throw new Error(`cannot download ${MODULE}@${version}: ${error}`);
const document: KubernetesDefinitions = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8'));
const used = named(parse(readFileSync(sources.crd, 'utf8')));
const definitions = prune(document.definitions, [...kubernetesKinds, ...used]);
// A definition a line: short for the reader of a diff, and not 15,000 lines.
const lines = Object.entries(definitions).map(([name, body]) => `    ${JSON.stringify(name)}: ${JSON.stringify(body)}`);
writeFileSync(
  sources.kubernetes,
  `{\n  "kubernetes": ${JSON.stringify(version)},\n  "definitions": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`crds/src/kubernetes.json: ${lines.length} definitions of Kubernetes ${version}`);
