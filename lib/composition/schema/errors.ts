import type { Finding, FindingCode } from '../finding';
import { formatPath, type Path } from '../path';
import type { JsonSchema } from './types';

interface Fault extends Finding {
  readonly blocking: boolean;
}

/** Collects the faults of one resource. */
export class Errors {
  private readonly faults: Fault[] = [];

  /** Whether there are none. */
  get empty(): boolean {
    return this.faults.length === 0;
  }

  /** How many there are. */
  get count(): number {
    return this.faults.length;
  }

  /**
   * Adds a fault. Blocking are those after which a CEL rule over the value would have nothing sensible to look at: wrong
   * types, missing fields, values that are not in an enum, too long ones.
   */
  add(path: Path, code: FindingCode, message: string, blocking = false): void {
    this.faults.push({ code, path: [...path], message, blocking });
  }

  /** Takes over the faults of another collection. */
  take(other: Errors): void {
    this.faults.push(...other.faults);
  }

  /** Whether a blocking fault lies at the path or below it. */
  blockedBelow(path: Path): boolean {
    return this.faults.some((fault) => fault.blocking && path.every((segment, index) => fault.path[index] === segment));
  }

  /** Whether any fault lies at the path or below it. */
  anyBelow(path: Path): boolean {
    return this.faults.some((fault) => path.every((segment, index) => fault.path[index] === segment));
  }

  /** All faults, without repetitions, in the order in which the schema names the fields. */
  sorted(schema: JsonSchema | undefined): readonly Finding[] {
    const ranked = this.faults.map((fault) => ({ fault, rank: rankOf(fault.path, schema) }));
    ranked.sort((a, b) => compareRanks(a.rank, b.rank));
    const seen = new Set<string>();
    const result: Finding[] = [];
    for (const { fault } of ranked) {
      const { code, path, message } = fault;
      const key = `${formatPath(path)}\n${message}`;
      if (seen.has(key)) continue;
      seen.add(key);
      result.push({ code, path, message });
    }
    return result;
  }
}

type Rank = readonly (readonly [number, string])[];

/** A path as positions in the schema, so that paths can be compared. Keys that the schema does not name come last. */
function rankOf(path: Path, root: JsonSchema | undefined): Rank {
  let schema = root;
  return path.map((segment) => {
    if (typeof segment === 'number') {
      schema = schema?.items;
      return [segment, ''];
    }
    const names = schema?.properties;
    const position = names === undefined ? -1 : Object.keys(names).indexOf(segment);
    const additional = schema?.additionalProperties;
    schema = position < 0 ? (typeof additional === 'object' ? additional : undefined) : names?.[segment];
    return [position < 0 ? Number.MAX_SAFE_INTEGER : position, segment];
  });
}

function compareRanks(a: Rank, b: Rank): number {
  for (const [index, [position, name]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (position !== other[0]) return position - other[0];
    if (name !== other[1]) return name < other[1] ? -1 : 1;
  }
  return a.length - b.length;
}
