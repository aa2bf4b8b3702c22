import type { SourceDocument } from './documents';
import { memberOf, textAt } from './located';
import type { Located } from './located';
import { defined } from '../../lib/composition/objects';

/** Where something stands in the input. */
export interface Place {
  /** As the user named it. */
  readonly file: string;
  /** Counted from 1; documents without content do not count. */
  readonly document: number;
  /** Counted from 1. */
  readonly line: number;
}

/** What a resource says it is; each as far as it says it with a string. */
export interface Identity {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A resource of the input: a document, or an item of a List. */
export interface Item {
  readonly place: Place;
  readonly identity: Identity;
  readonly node: Located;
}

/** The resources in a document. As kubectl does, takes the items of a List, of any kind, one by one. */
export function itemsOf(document: SourceDocument & { readonly root: Located }): readonly Item[] {
  const { file, document: number } = document;
  return expand(document.root).map((node) => ({
    place: { file, document: number, line: node.line },
    identity: identityOf(node),
    node,
  }));
}

function expand(node: Located): readonly Located[] {
  const kind = textAt(node, 'kind');
  const items = kind?.endsWith('List') === true ? memberOf(node, 'items') : undefined;
  if (kind === undefined || items?.kind !== 'list') return [node];
  return items.items.flatMap((item) => expand(withKind(item, textAt(node, 'apiVersion'), kind)));
}

/** An item of a FooList that says no kind is a Foo. */
function withKind(item: Located, apiVersion: string | undefined, listKind: string): Located {
  if (item.kind !== 'map' || listKind === 'List' || item.entries.has('kind') || apiVersion === undefined) return item;
  const { line } = item;
  const entry = (value: string) => ({ line, node: { kind: 'scalar' as const, line, value } });
  const entries = new Map([
    ['apiVersion', entry(apiVersion)],
    ['kind', entry(listKind.slice(0, -'List'.length))],
    ...item.entries,
  ]);
  return { kind: 'map', line, entries };
}

function identityOf(node: Located): Identity {
  const metadata = memberOf(node, 'metadata');
  const apiVersion = textAt(node, 'apiVersion');
  const kind = textAt(node, 'kind');
  const namespace = metadata === undefined ? undefined : textAt(metadata, 'namespace');
  const name = metadata === undefined ? undefined : textAt(metadata, 'name');
  return {
    ...defined({ apiVersion, kind, namespace, name }),
  };
}
