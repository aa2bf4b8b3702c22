import type { FindingCode } from '../finding';
import type { Walk } from './defaults';
import { isObject, textOf } from '../objects';
import { canonical } from './json';
import { show } from './messages';
import { OWNER_KEYS } from './metadata';
import {
  byteLength,
  dnsLabelFault,
  dnsSubdomainFault,
  isDns1035Label,
  labelValueFault,
  parseApiVersion,
  qualifiedNameFault,
} from './names';
import type { Json, JsonObject } from './types';

/** Who the metadata belongs to. */
export type MetadataOwner = { readonly kind: 'resource'; readonly namespaced: boolean } | { readonly kind: 'embedded' };

/** Checks normalized metadata by Kubernetes' rules for a create. */
export function checkMetadata(metadata: JsonObject, owner: MetadataOwner, walk: Walk): void {
  const text = (key: string): string => textOf(metadata[key]);
  const fault = (code: FindingCode, key: string, message: string): void =>
    walk.errors.add([...walk.path, key], code, message);
  const name = text('name');
  const generateName = text('generateName');
  if (owner.kind === 'embedded') {
    for (const [key, value] of [
      ['name', name],
      ['generateName', generateName],
    ] as const)
      if (/[/%]/.test(value) || (key === 'name' && (value === '.' || value === '..')))
        fault('name', key, `must not be ".", ".." or contain "/" or "%", but is ${show(value)}`);
  } else if (name === '' && generateName === '') {
    fault('required', 'name', 'is missing; expected a name, or metadata.generateName');
  } else {
    const nameFault = name === '' ? undefined : dnsSubdomainFault(name);
    if (nameFault !== undefined) fault('name', 'name', `must be ${nameFault}, but is ${show(name)}`);
    // The API server takes the last two characters for "a" where a dash ends the text, with any character before the dash.
    const prefix = generateName.replace(/[\0-\x7F]-$/, 'a');
    const prefixFault = prefix === '' ? undefined : dnsSubdomainFault(prefix);
    if (prefixFault !== undefined)
      fault('name', 'generateName', `must be ${prefixFault}, but is ${show(generateName)}`);
  }
  checkNamespace(text('namespace'), owner, fault);
  checkLabels(metadata, walk);
  checkAnnotations(metadata, walk);
  checkOwners(metadata, walk);
  checkFinalizers(metadata, walk);
  if (owner.kind !== 'embedded') return;
  // The API server replaces those of the resource itself.
  checkManagedFields(metadata, walk);
  if (typeof metadata['generation'] === 'number' && metadata['generation'] < 0)
    fault('minimum', 'generation', `must be 0 or more, but is ${metadata['generation']}`);
}

function checkNamespace(
  namespace: string,
  owner: MetadataOwner,
  fault: (code: FindingCode, key: string, message: string) => void,
): void {
  if (namespace === '') return;
  if (owner.kind === 'resource' && !owner.namespaced) return;
  const reason = dnsLabelFault(namespace);
  if (reason !== undefined) fault('name', 'namespace', `must be ${reason}, but is ${show(namespace)}`);
}

function checkLabels(metadata: JsonObject, walk: Walk): void {
  for (const [key, value] of Object.entries(metadata['labels'] ?? {})) {
    const path = [...walk.path, 'labels', key];
    const keyFault = qualifiedNameFault(key);
    if (keyFault !== undefined) walk.errors.add(path, 'name', `has an illegal key; expected ${keyFault}`);
    const valueFault = labelValueFault(String(value));
    if (valueFault !== undefined) walk.errors.add(path, 'name', `must be ${valueFault}, but is ${show(value)}`);
  }
}

/** The most that all keys and values of the annotations may take together. */
const MAX_ANNOTATIONS = 256 * 1024;

function checkAnnotations(metadata: JsonObject, walk: Walk): void {
  let size = 0;
  for (const [key, value] of Object.entries(metadata['annotations'] ?? {})) {
    size += byteLength(key) + byteLength(String(value));
    const fault = qualifiedNameFault(key.toLowerCase());
    if (fault !== undefined)
      walk.errors.add([...walk.path, 'annotations', key], 'name', `has an illegal key; expected ${fault}`);
  }
  if (size > MAX_ANNOTATIONS)
    walk.errors.add(
      [...walk.path, 'annotations'],
      'size',
      `must have at most ${MAX_ANNOTATIONS} bytes, but has ${size}`,
    );
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function checkOwners(metadata: JsonObject, walk: Walk): void {
  const owners = list(metadata['ownerReferences']);
  const seen = new Set<string>();
  const kept = owners.filter((owner) => !seen.has(canonical(owner)) && seen.add(canonical(owner)));
  // The API server drops references that are there twice.
  if (kept.length < owners.length) metadata['ownerReferences'] = kept;
  let controllers = 0;
  for (const [index, owner] of kept.entries()) {
    if (!isObject(owner)) continue;
    const path = [...walk.path, 'ownerReferences', index];
    for (const key of OWNER_KEYS)
      if ((owner[key] ?? '') === '') walk.errors.add([...path, key], 'required', 'is missing; expected a string');
    const apiVersion = textOf(owner['apiVersion']);
    const parsed = parseApiVersion(apiVersion);
    if (apiVersion !== '' && (parsed === undefined || parsed.version === ''))
      walk.errors.add(
        [...path, 'apiVersion'],
        'format',
        `must be GROUP/VERSION or VERSION, but is ${show(apiVersion)}`,
      );
    if (apiVersion === 'v1' && owner['kind'] === 'Event') walk.errors.add(path, 'rule', 'must not be an Event');
    if (owner['controller'] === true) controllers++;
  }
  if (controllers > 1)
    walk.errors.add(
      [...walk.path, 'ownerReferences'],
      'rule',
      `must have at most one controller, but has ${controllers}`,
    );
}

function checkFinalizers(metadata: JsonObject, walk: Walk): void {
  const finalizers = list(metadata['finalizers']);
  for (const [index, finalizer] of finalizers.entries()) {
    const fault = qualifiedNameFault(textOf(finalizer));
    if (fault !== undefined)
      walk.errors.add([...walk.path, 'finalizers', index], 'name', `must be ${fault}, but is ${show(finalizer)}`);
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    walk.errors.add([...walk.path, 'finalizers'], 'rule', 'must not have both "orphan" and "foregroundDeletion"');
}

function checkManagedFields(metadata: JsonObject, walk: Walk): void {
  for (const [index, entry] of list(metadata['managedFields']).entries()) {
    if (!isObject(entry)) continue;
    const fault = (code: FindingCode, key: string, message: string): void =>
      walk.errors.add([...walk.path, 'managedFields', index, key], code, message);
    const operation = entry['operation'] ?? '';
    if (operation !== 'Apply' && operation !== 'Update')
      fault('enum', 'operation', `must be "Apply" or "Update", but is ${show(operation)}`);
    const type = entry['fieldsType'] ?? '';
    if (type !== '' && type !== 'FieldsV1') fault('enum', 'fieldsType', `must be "FieldsV1", but is ${show(type)}`);
    const manager = textOf(entry['manager']);
    if (byteLength(manager) > 128 || /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(manager))
      fault('format', 'manager', `must be at most 128 bytes of printable characters, but is ${show(manager)}`);
    if (byteLength(textOf(entry['subresource'])) > 256)
      fault('length', 'subresource', 'must be at most 256 bytes long');
  }
}

/** Checks a resource embedded in another: its type and its metadata. */
export function checkEmbedded(resource: JsonObject, walk: Walk): void {
  const fault = (code: FindingCode, key: string, message: string): void =>
    walk.errors.add([...walk.path, key], code, message, true);
  for (const key of ['apiVersion', 'kind']) {
    const value = Object.hasOwn(resource, key) ? resource[key] : undefined;
    if (value === undefined) fault('required', key, 'is missing; expected a string');
    else if (value === '') fault('length', key, 'must not be empty');
  }
  const { apiVersion, kind, metadata } = resource;
  if (typeof apiVersion === 'string' && parseApiVersion(apiVersion) === undefined)
    fault('format', 'apiVersion', `must be GROUP/VERSION or VERSION, but is ${show(apiVersion)}`);
  if (typeof kind === 'string' && kind !== '' && !isDns1035Label(kind.toLowerCase()))
    fault('name', 'kind', `must be a letter, then letters, digits and "-", but is ${show(kind)}`);
  if (!isObject(metadata)) return;
  walk.path.push('metadata');
  checkMetadata(metadata, { kind: 'embedded' }, walk);
  walk.path.pop();
}
