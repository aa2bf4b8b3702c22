import { InvalidResourceError } from '../composition/errors';
import { findingText, type FindingProps } from '../composition/finding';

/** An InferenceService that its CRD refuses. `errors` has all that is wrong, `message` the same for people. */
export class InvalidInferenceServiceError extends InvalidResourceError {
  /**
   * @param what which one, as the message names it
   * @param errors what is wrong, at least one entry
   */
  constructor(what: string, errors: readonly FindingProps[]) {
    const [first = { path: [], message: 'is invalid' }, ...others] = errors;
    super([first, ...others]);
    this.name = 'InvalidInferenceServiceError';
    const lines = this.errors.map((error) => `\n  ${findingText(error)}`);
    this.message = `InferenceService ${what} is invalid:${lines.join('')}`;
  }
}
