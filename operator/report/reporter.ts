import { findingText, type Conclusion, type Finding, type Manifest } from '../../lib/composition';
import type { StepResult } from '../write/applier';
import type { EventRecorder } from './events';
import type { Logger } from './log';
import { publicText } from './public-text';

/** What is remembered of what was reported of one resource; losing it costs nothing but a repeated log line. */
export interface ReportMemory {
  /** The failure that was reported last. */
  failure?: string;
  /** The warnings of the last look, all of them reported. */
  warnings?: ReadonlySet<string>;
}

/**
 * Reports what became of a resource, in the log and as events: once for each thing that is new, not for each try.
 */
export class Reporter {
  readonly #events: EventRecorder;
  readonly #log: Logger;

  constructor({ events, log }: { readonly events: EventRecorder; readonly log: Logger }) {
    this.#events = events;
    this.#log = log;
  }

  /** What was changed in the cluster; nothing where nothing was. */
  applied(resource: Manifest, results: readonly StepResult[]): void {
    const fields = Object.entries({ created: 'create', updated: 'update', deleted: 'delete' }).flatMap(
      ([what, action]) => {
        const objects = results.flatMap(({ step, done }) => {
          if (!done || step.action !== action) return [];
          const { kind, metadata } = step.action === 'delete' ? step.live : step.manifest;
          return [`${kind}/${metadata.name}`];
        });
        return objects.length === 0 ? [] : [[what, objects] as const];
      },
    );
    if (fields.length === 0) return;
    this.#log.info('Applied children', { ...placeOf(resource), ...Object.fromEntries(fields) });
  }

  /**
   * A failure, where it is not the one that was reported last.
   *
   * @param known whether the status said it already, so that a restart does not repeat the event
   */
  failed(
    resource: Manifest,
    memory: ReportMemory,
    { reason, message, isForOperators }: NonNullable<Conclusion['report']>,
    known: boolean,
  ): void {
    const text = `${reason}: ${message}`;
    if (memory.failure === text) return;
    memory.failure = text;
    const line = 'Could not reconcile';
    if (isForOperators) this.#log.error(line, message, { ...placeOf(resource), reason });
    else this.#log.info(line, { ...placeOf(resource), reason, error: message });
    if (!known) this.#events.record(resource, { type: 'Warning', reason, action: 'Reconcile', message });
  }

  /** Everything is well: the next failure is a new one, even if it is the same. */
  recovered(memory: ReportMemory): void {
    delete memory.failure;
  }

  /**
   * What is allowed but probably not meant, where it is not what was reported last.
   *
   * @param known whether an earlier process reported it: it had seen this generation of the resource
   */
  warned(resource: Manifest, memory: ReportMemory, warnings: readonly Finding[], known: boolean): void {
    const texts = new Set(warnings.map(findingText));
    const told = memory.warnings ?? (known ? texts : new Set());
    memory.warnings = texts;
    for (const text of texts) {
      if (told.has(text)) continue;
      const warning = publicText(text, [resource]);
      this.#log.info('Resource has a warning', { ...placeOf(resource), warning });
      const note = { type: 'Warning', reason: 'ProbablyNotMeant', action: 'Validate', message: warning } as const;
      this.#events.record(resource, { ...note, subject: text });
    }
  }
}

function placeOf({ metadata }: Manifest): { readonly namespace: string | undefined; readonly name: string } {
  return { namespace: metadata.namespace, name: metadata.name };
}
