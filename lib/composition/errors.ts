import { finding, findingText, type Finding, type FindingProps } from './finding';
import type { Path } from './path';

const refusal = Symbol.for('cdk8s-inferno.InvalidResourceError');

/**
 * A resource that a composition refuses, for a reason that its schema cannot state. Thrown in `compose`;
 * {@link synthesize} turns it into a result with `valid: false`.
 */
export class InvalidResourceError extends Error {
  /** A composition may come with another copy of this package: its refusals count as well. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === InvalidResourceError
      ? typeof value === 'object' && value !== null && refusal in value
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  readonly errors: readonly Finding[];

  /** @param errors what is wrong with the resource, all of it, at least one entry */
  constructor(errors: readonly [FindingProps, ...FindingProps[]]) {
    const findings = errors.map(finding);
    super(findings.map(findingText).join('; '));
    this.name = 'InvalidResourceError';
    this.errors = findings;
    Object.defineProperty(this, refusal, { value: true });
  }

  /**
   * For one thing that is wrong.
   *
   * @param path where: `spec.env[0].name`, or the same as an array
   */
  static at(path: string | Path, message: string): InvalidResourceError {
    return new InvalidResourceError([{ path, message }]);
  }
}

/** A fault in a composition, not in the resource: it threw, or what it rendered is not allowed. */
export class SynthesisError extends Error {
  /** The kind of the composition's resource. */
  readonly composition: string;
  /** The resource that was rendered, as `namespace/name`. */
  readonly resource: string;

  constructor(composition: string, resource: string, message: string, options?: { readonly cause?: unknown }) {
    super(`composition ${composition}, resource ${resource}: ${message}`, options);
    this.name = 'SynthesisError';
    this.composition = composition;
    this.resource = resource;
  }
}
