import { InvalidResourceError } from '../composition/errors';
import type { Finding } from '../composition/schema';

/** An InferenceService that its CRD refuses. `errors` has all that is wrong, `message` the same for people. */
export class InvalidInferenceServiceError extends InvalidResourceError {
  /**
   * @param what which one, as the message names it
   * @param errors what is wrong, at least one entry
   */
  constructor(what: string, errors: readonly Finding[]) {
    const [first = { path: '', message: 'is invalid' }, ...others] = errors;
    super([first, ...others]);
    this.name = 'InvalidInferenceServiceError';
    const lines = this.errors.map(({ path, message }) => `\n  ${path}: ${message}`);
    this.message = `InferenceService ${what} is invalid:${lines.join('')}`;
  }
}
