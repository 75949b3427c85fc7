/** The errors of the client. A call also rejects with the reason of an aborted signal, and with errors of hooks. */
import type { Problem, ProblemName } from '../generated/models.ts';
import { retryAfterSeconds } from './retry-after.ts';

/**
 * Makes `instanceof` match the instances of every copy of a class: a program may load this package by `import` and by
 * `require`, and each build has its own classes. Subclasses are compared as usual.
 */
function matchEveryCopy(original: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`@rollcall/client ${name}`);
  Object.defineProperty(original.prototype, brand, { value: true });
  Object.defineProperty(original, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === original) return typeof value === 'object' && value !== null && brand in value;
      return Function.prototype[Symbol.hasInstance].call(this, value); // Subclasses inherit this method.
    },
  });
}

/**
 * The server responded with an error. The message has the reason, the status, the request, and the start of a body that does not match
 * the contract; it never has the API key. Use `problem.message` for text to show to users. `instanceof` also works if a program loads the
 * client with both `import` and `require`.
 */
export class ApiError extends Error {
  static {
    matchEveryCopy(this, 'ApiError');
  }

  /** The error code. `application_error` for an error that does not match the contract, such as a proxy's. */
  override readonly name: ProblemName;
  /** The HTTP status. */
  readonly status: number;
  /** The body, if it matches the contract. */
  readonly problem: Problem | undefined;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** The seconds to wait before a retry, if the server sent them. */
  readonly retryAfter: number | undefined;
  /** Its body has not been consumed. */
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

/**
 * No response of this API arrived: no connection, a connection that was cut, or a body that is not JSON of the contract; or a list does
 * not advance. The message says why, as far as `fetch` does, such as `connect ECONNREFUSED 127.0.0.1:3000`.
 */
export class NetworkError extends Error {
  static {
    matchEveryCopy(this, 'NetworkError');
  }

  override readonly name = 'NetworkError';
  /** The HTTP status, if a response arrived whose body cannot be read. */
  readonly status: number | undefined;

  constructor(message = '', options: { readonly cause?: unknown; readonly status?: number | undefined } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** No response arrived in time. */
export class TimeoutError extends Error {
  static {
    matchEveryCopy(this, 'TimeoutError');
  }

  override readonly name = 'TimeoutError';
}
