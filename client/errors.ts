/** Everything that a call can throw, besides the reason of an aborted `signal`, and what a hook throws. */
import type { Problem, ProblemName } from '../generated/models.ts';

/**
 * Makes `instanceof` hold for the instances of every copy of a class: one program may load this package by `import` and by
 * `require`, and each has classes of its own. Classes that extend it are told apart as usual.
 */
function matchEveryCopy(original: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`@rollcall/client ${name}`);
  Object.defineProperty(original.prototype, brand, { value: true });
  Object.defineProperty(original, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === original) return typeof value === 'object' && value !== null && brand in value;
      return Function.prototype[Symbol.hasInstance].call(this, value); // It is inherited by a class that extends the original.
    },
  });
}

/**
 * The server answered with an error. The message says what is wrong, the status and the request; for what is to be shown to
 * people there is `problem.message`.
 */
export class ApiError extends Error {
  static {
    matchEveryCopy(this, 'ApiError');
  }

  /** What went wrong, for programs. An error that is not of the contract, such as a proxy's, is `application_error`. */
  override readonly name: ProblemName;
  /** The HTTP status. */
  readonly status: number;
  /** The body, if it is the contract's. */
  readonly problem: Problem | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** After how many seconds to ask again, if the server says so. */
  readonly retryAfter: number | undefined;
  /** Its body has not been read yet. */
  readonly response: Response;

  constructor(message: string, response: Response, problem?: Problem) {
    super(message);
    this.name = problem?.name ?? 'application_error';
    this.status = response.status;
    this.problem = problem;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterSeconds(response);
    this.response = response;
  }
}

/** No answer of this API came: no connection, one that was cut, no JSON, or JSON that is not of the contract. */
export class NetworkError extends Error {
  static {
    matchEveryCopy(this, 'NetworkError');
  }

  override readonly name = 'NetworkError';
}

/** No answer came in time. */
export class TimeoutError extends Error {
  static {
    matchEveryCopy(this, 'TimeoutError');
  }

  override readonly name = 'TimeoutError';
}

/** @returns the seconds of a `Retry-After` header, whether it is a number or a date; `undefined` without one. */
export function retryAfterSeconds({ headers }: Pick<Response, 'headers'>): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const ms = Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}

/** @returns whether a body is the contract's of this status. */
export function isProblem(body: unknown, status: number): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'statusCode' in body &&
    body.statusCode === status &&
    'name' in body &&
    typeof body.name === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  );
}
