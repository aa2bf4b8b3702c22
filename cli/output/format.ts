import { Document, isMap, Scalar, visit } from 'yaml';
import type { OutputObject } from '../input/admit';
import { resolvePlain } from '../input/scalar';

/** The formats of manifests. */
export type Format = 'yaml' | 'json';

/** Manifests as one text: YAML documents, or a JSON `v1` List. kubectl takes both. */
export function writeStream(objects: readonly OutputObject[], format: Format): string {
  if (format === 'yaml') return objects.map(writeYaml).join('---\n');
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 2)}\n`;
}

/** One manifest as the text of a file. */
export function writeObject(object: OutputObject, format: Format): string {
  return format === 'yaml' ? writeYaml(object) : `${JSON.stringify(object, undefined, 2)}\n`;
}

/**
 * YAML that means the same to readers of YAML 1.1, of 1.2, and to kubectl, which is neither. Where the library would leave
 * a text plain that one of them takes for something else, it is quoted.
 */
function writeYaml(object: OutputObject): string {
  const document = new Document(object, {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, { Scalar: quoteForAll });
  if (object['kind'] === 'CustomResourceDefinition') writeKubernetesShapesShort(document);
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).replaceAll(unreadable, escape);
}

/** What has no description comes from Kubernetes' own definitions, and is a line each. */
function writeKubernetesShapesShort(document: Document): void {
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isMap(value) || ['metadata', 'names'].includes(String(key)) || describes(value.toJSON())) return undefined;
      value.flow = true;
      return visit.SKIP;
    },
  });
}

function describes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key === 'description' || describes(member));
}

function quoteForAll(_: unknown, scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  if (hasUnreadable.test(value) || blankStart.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  const resolved = resolvePlain(value);
  if (!resolved.ok || resolved.value !== value) scalar.type = Scalar.QUOTE_DOUBLE;
}

// Characters that kubectl refuses or takes as line breaks: they are in double quotes, as escapes. The library escapes
// those below U+0020 itself.
const unreadable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const hasUnreadable = new RegExp(unreadable.source);

// The library writes blocks that begin with a blank line of spaces without saying how far they are indented.
const blankStart = /^(?:\n|[ \t][^]*\n)/;
