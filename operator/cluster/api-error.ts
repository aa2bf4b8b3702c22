/** What the API server says in the body of a refusal (a v1 Status), as far as it is used. */
export interface StatusBody {
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** The API server answered, and refused. */
export class ApiError extends Error {
  /** The HTTP status, such as 409. */
  readonly status: number;
  /** The server's reason in one word, such as Conflict or Invalid; "" where it gave none. */
  readonly reason: string;
  /** The causes that a conflict or an invalid object has, by field. */
  readonly causes: readonly { readonly field: string; readonly message: string; readonly reason: string }[];
  /** How long the server asks a client to wait, in milliseconds; 0 where it does not say. */
  readonly retryAfterMs: number;

  constructor(request: string, status: number, body: StatusBody, retryAfterMs: number) {
    super(body.message ?? `${request} was answered with HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.reason = body.reason ?? '';
    this.causes = (body.details?.causes ?? []).map((cause) => ({
      field: cause.field ?? '',
      message: cause.message ?? '',
      reason: cause.reason ?? '',
    }));
    this.retryAfterMs = Math.max(retryAfterMs, (body.details?.retryAfterSeconds ?? 0) * 1000);
  }

  /**
   * Whether the same request may go through later without anybody changing anything: the server was busy, restarting or
   * unreachable. A field that the server does not know is answered with 500 and is not of that kind.
   */
  get transient(): boolean {
    if (this.status === 500 && this.message.includes('field not declared in schema')) return false;
    return this.status === 429 || this.status >= 500 || this.status === 408;
  }
}

/** No answer came: the connection failed, was cut, or the time ran out. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A write was not sent, since this process is not, or no longer, the leader. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
