import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CrdSchema, InvalidResourceError, type Composition, type FindingProps } from '../../lib/composition';
import type { CustomResourceDefinition, Resource } from '../../lib/composition';
import { isObject } from '../../lib/composition/objects';
import { inferenceServiceComposition } from '../../lib/inference';

/** A module that gives no compositions; the message names it as the user did. */
export class CompositionFileError extends Error {
  override readonly name = 'CompositionFileError';
}

/** Which compositions an operator runs. */
export interface CompositionChoice {
  /** Modules, as the user named them. */
  readonly compositionFiles: readonly string[];
  /** Whether InferenceService is among them. */
  readonly builtin: boolean;
}

/**
 * The compositions of a choice, each kind of resource once.
 *
 * @param folder what a relative path starts from
 * @throws CompositionFileError
 */
export async function chosenCompositions(
  { compositionFiles, builtin }: CompositionChoice,
  folder: string,
): Promise<readonly Composition[]> {
  const loaded = await Promise.all(compositionFiles.map((file) => loadCompositions(file, folder)));
  const all = [...(builtin ? [inferenceServiceComposition] : []), ...loaded.flat()];
  refuseTwins(all);
  return all;
}

/**
 * The compositions that a module exports, under any name or as its default, each by itself or in a list.
 *
 * They are known by their shape: a module may come with its own copy of this package and of cdk8s.
 *
 * @param file as the user named it
 * @param folder what a relative path starts from
 * @throws CompositionFileError
 */
export async function loadCompositions(file: string, folder: string): Promise<readonly Composition[]> {
  const exported = await load(file, folder);
  const candidates = [...new Set(valuesOf(exported))];
  const found = candidates.flatMap((candidate) => (isComposition(candidate) ? [candidate] : []));
  if (found.length === 0) {
    const names = Object.keys(exported);
    const shape = candidates.map(faultOf).find((fault) => fault !== undefined);
    throw new CompositionFileError(
      `${file} exports no composition (it exports ${names.length === 0 ? 'nothing' : names.join(', ')}` +
        `${shape === undefined ? '' : `; ${shape}`}); expected what defineComposition returns`,
    );
  }
  return found.map(adopt);
}

/** @throws CompositionFileError where two compositions are for the same kind of resource */
function refuseTwins(compositions: readonly Composition[]): void {
  const seen = new Set<string>();
  for (const { crd } of compositions) {
    const kind = `${crd.spec.names.kind}.${crd.spec.group}`;
    if (seen.has(kind)) throw new CompositionFileError(`there are two compositions for ${kind}; expected one`);
    seen.add(kind);
  }
}

async function load(file: string, folder: string): Promise<{ readonly [name: string]: unknown }> {
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new CompositionFileError(`${file} does not exist`);
  try {
    const loaded: unknown = await import(pathToFileURL(path).href);
    return isObject(loaded) ? loaded : {};
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // What follows in further lines is Node's own way to the module.
    throw new CompositionFileError(`${file} could not be loaded: ${text.split('\n')[0]}`, { cause: error });
  }
}

/** What a module exports; a CommonJS module's exports are also the members of its default. */
function valuesOf(exported: { readonly [name: string]: unknown }): readonly unknown[] {
  return Object.entries(exported).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value;
    if (name === 'default' && isObject(value) && !('compose' in value)) return valuesOf(value);
    return [value];
  });
}

function isComposition(value: unknown): value is Composition {
  return isObject(value) && 'compose' in value && faultOf(value) === undefined;
}

/** What something that looks like a composition lacks; undefined for what is one, or does not look like one at all. */
function faultOf(value: unknown): string | undefined {
  if (!isObject(value) || !('compose' in value || 'crd' in value)) return undefined;
  const missing = ['compose', 'project'].find((name) => typeof value[name] !== 'function');
  if (missing !== undefined) return `one has no function ${missing}`;
  if (!isDefinition(value['crd'])) return 'one has no CustomResourceDefinition as crd';
  const children = value['children'];
  return Array.isArray(children) && children.length > 0 && children.every(isChildKind)
    ? undefined
    : 'one has no children, a list of {apiVersion, kind, plural}';
}

function isDefinition(value: unknown): value is CustomResourceDefinition {
  if (!isObject(value) || !isObject(value['spec'])) return false;
  const { group, names, versions } = value['spec'];
  return typeof group === 'string' && isObject(names) && typeof names['plural'] === 'string' && Array.isArray(versions);
}

function isChildKind(value: unknown): boolean {
  return isObject(value) && ['apiVersion', 'kind', 'plural'].every((name) => typeof value[name] === 'string');
}

/** The same composition with this copy's schema and errors. */
function adopt(composition: Composition): Composition {
  return {
    ...composition,
    schema: new CrdSchema(composition.crd),
    compose: (scope, resource: Resource, context) => {
      try {
        composition.compose(scope, resource, context);
      } catch (error) {
        throw ownRefusal(error) ?? error;
      }
    },
    project: (resource: Resource, observed, context) => composition.project(resource, observed, context),
  };
}

/** The refusal of another copy as one of this copy. */
function ownRefusal(error: unknown): InvalidResourceError | undefined {
  if (!(error instanceof Error) || error.name !== 'InvalidResourceError' || !('errors' in error)) return undefined;
  const errors: readonly unknown[] = Array.isArray(error.errors) ? error.errors : [];
  const [first, ...rest] = errors.flatMap((each) => (isObject(each) ? [findingOf(each)] : []));
  return first === undefined ? undefined : new InvalidResourceError([first, ...rest]);
}

/** An older copy writes the path as a text. */
function findingOf({ path, message, code }: { readonly [name: string]: unknown }): FindingProps {
  const segments: readonly unknown[] | undefined = Array.isArray(path) ? path : undefined;
  return {
    path: segments?.map((key) => (typeof key === 'number' ? key : String(key))) ?? String(path),
    message: String(message),
    ...(typeof code === 'string' ? { code } : {}),
  };
}
