import type { ApiObject } from 'cdk8s';
import { Child } from './child';
import type { CompositionProps } from './composition';
import { isJsonList, jsonEquals, toJson } from './json';
import { patchOperation, valueAt, type PatchOperation } from './json-patch';
import { isOfKind } from './kinds';
import { illegalMetadata } from './legal';
import { describeObject, groupOf, type Manifest } from './manifest';
import { MANAGED_BY, MANAGED_BY_LABEL } from './ownership';
import { formatPath } from './path';
import type { Resource } from './resource';

/** What is wrong with rendered manifests, in words; empty where all is right. */
export function checkManifests<R extends Resource>(
  manifests: readonly Manifest[],
  composition: CompositionProps<R>,
  namespace: string | undefined,
): readonly string[] {
  const seen = new Set<string>();
  return manifests.flatMap((manifest) => {
    const what = describeObject(manifest);
    const identity = [groupOf(manifest.apiVersion), manifest.kind, manifest.metadata.namespace, manifest.metadata.name];
    const key = identity.join('\n');
    const twice = seen.has(key) ? [`${what} is rendered twice`] : [];
    seen.add(key);
    return [
      ...twice,
      ...undeclaredKind(manifest, composition),
      ...wrongNamespace(manifest, composition, namespace),
      ...wrongManager(manifest),
      ...illegalMetadata(manifest).map(({ path, message }) => `${what}: ${formatPath(path)} ${message}`),
    ];
  });
}

/**
 * JSON patches of an object that have no effect on what it renders. Typed objects of cdk8s (`KubeDeployment`, and with it
 * all of cdk8s-plus) drop patched values that their types do not know, and say nothing.
 */
export function lostPatches(object: ApiObject): readonly string[] {
  const patches: unknown = Reflect.get(object, 'patches');
  if (object instanceof Child || !Array.isArray(patches) || patches.length === 0) {
    return [];
  }
  const rendered = toJson(object.toJson());
  const operations = patches.map(patchOperation);
  return operations.flatMap((operation, index) => {
    const later = operations.slice(index + 1);
    if (later.some((other) => overlap(operation, other)) || inEffect(operation)) {
      return [];
    }
    return [
      `${object.node.path}: JSON patch ${operation.op} ${JSON.stringify(operation.path)} has no effect, as ` +
        `${object.kind} of cdk8s drops what its type does not know; expected a Child or a plain ApiObject`,
    ];
  });

  function inEffect(operation: PatchOperation): boolean {
    if (operation.op === 'remove') {
      // Behind a removed element stands the next one, so only members can be looked for.
      return /\/\d+$/.test(operation.path) || valueAt(rendered, operation.path) === undefined;
    }
    if (operation.op !== 'add' && operation.op !== 'replace') {
      return true;
    }
    const parent = valueAt(rendered, operation.path.slice(0, operation.path.lastIndexOf('/')));
    return isJsonList(parent)
      ? parent.some((element) => jsonEquals(element, operation.value))
      : jsonEquals(valueAt(rendered, operation.path), operation.value);
  }
}

function overlap(a: PatchOperation, b: PatchOperation): boolean {
  return `${a.path}/`.startsWith(`${b.path}/`) || `${b.path}/`.startsWith(`${a.path}/`);
}

function undeclaredKind<R extends Resource>(manifest: Manifest, { children }: CompositionProps<R>): readonly string[] {
  if (children.some((child) => isOfKind(manifest, child) && child.apiVersion === manifest.apiVersion)) {
    return [];
  }
  const declared = children.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join(', ');
  return [
    `${describeObject(manifest)} is of ${manifest.apiVersion} ${manifest.kind}; expected one of children: ${declared}`,
  ];
}

function wrongNamespace<R extends Resource>(
  manifest: Manifest,
  { crd }: CompositionProps<R>,
  namespace: string | undefined,
): readonly string[] {
  const came = manifest.metadata.namespace;
  if (crd.spec.scope === 'Cluster' || came === namespace) {
    return [];
  }
  const expected = namespace === undefined ? 'none, as the resource has none' : `the resource's, ${namespace}`;
  return [`${describeObject(manifest)} is in namespace ${came ?? '(none)'}; expected ${expected}`];
}

function wrongManager(manifest: Manifest): readonly string[] {
  const came = manifest.metadata.labels?.[MANAGED_BY_LABEL];
  return came === MANAGED_BY
    ? []
    : [`${describeObject(manifest)} has label ${MANAGED_BY_LABEL} ${came ?? '(none)'}; expected ${MANAGED_BY}`];
}
