import { formatPath, parsePath, type Path } from './path';

/**
 * What kind of finding it is, for programs: messages may be worded anew.
 *
 * The schema's own, which mean for metadata and for the fields of a resource the same:
 * - `required`, `type`, `enum`, `pattern`, `format`, `unknown-field`: of the field itself
 * - `minimum`, `maximum`, `multiple-of`: of a number
 * - `length`, `size`: of a text; of a list, a map or the whole resource
 * - `duplicate`: an entry or key that is there twice, or a name that is taken
 * - `alternative`: none, or too many, of the alternatives fit, or one that must not
 * - `name`: not a legal name, key or value of a label
 * - `rule`: a rule over several fields, such as a CEL rule of the CRD
 * - `unchecked`: a pattern or rule that only the API server can check
 *
 * A composition may have codes of its own, such as InferenceService's `reference` for a name that nothing has; without
 * one, its refusals are `refused` and its warnings `warning`. What cannot be read at all is `syntax` to the command line.
 */
export type FindingCode =
  | 'required'
  | 'type'
  | 'enum'
  | 'pattern'
  | 'format'
  | 'unknown-field'
  | 'minimum'
  | 'maximum'
  | 'multiple-of'
  | 'length'
  | 'size'
  | 'duplicate'
  | 'alternative'
  | 'name'
  | 'rule'
  | 'unchecked'
  | 'refused'
  | 'warning'
  | (string & {});

/** Something that is wrong with a resource, or is allowed but probably not meant: what it is and where. */
export interface Finding {
  /** What kind of finding it is. */
  readonly code: FindingCode;
  /** Where: `['spec', 'env', 0, 'name']`; empty for the resource itself. */
  readonly path: Path;
  /** What was wrong, what came and what was expected. */
  readonly message: string;
}

/** A finding as the author of a composition writes it. */
export interface FindingProps {
  /** Where: `spec.env[0].name`, `spec.nodeSelector["a.b/c"]`, or the same as an array; empty for the resource itself. */
  readonly path: string | Path;
  /** What was wrong, what came and what was expected. */
  readonly message: string;
  /** @default 'refused' for errors, 'warning' for warnings */
  readonly code?: FindingCode;
}

/** A finding with all its parts, from what an author wrote. */
export function finding({ path, message, code = 'refused' }: FindingProps): Finding {
  return { code, path: typeof path === 'string' ? parsePath(path) : path, message };
}

/** A finding in one line: `spec.replicas.min: must be 0 or more, but is -1`. */
export function findingText({ path, message }: Finding): string {
  return `${formatPath(path)}: ${message}`;
}
