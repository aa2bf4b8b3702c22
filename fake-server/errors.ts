import { defined } from '../lib/composition/objects';
/** An error that the client sees, in the form of the OpenAI API. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: {
      readonly type: 'invalid_request_error' | 'server_error';
      readonly param?: string;
      readonly code?: string;
      readonly headers?: { readonly [name: string]: string };
    },
  ) {
    super(message);
  }

  body(): object {
    const { type, param, code } = this.details;
    return { error: { message: this.message, type, param: param ?? null, code: code ?? null } };
  }
}

/** A request that is wrong in itself. */
export function badRequest(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, message, {
    type: 'invalid_request_error',
    ...defined({ param, code }),
  });
}
