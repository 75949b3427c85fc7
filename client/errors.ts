/** The errors of the client, and their messages. A call also rejects with the reason of an aborted signal and errors of hooks. */
import type { Problem, ProblemName } from '../generated/models.ts';
import { retryAfterSeconds } from './headers.ts';

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
 * The server responded with an error. The message has the reason, the status and the request; use `problem.message` for
 * text to show to users.
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

/** No response of this API arrived: no connection, a connection that was cut, or a body that is not JSON of the contract. */
export class NetworkError extends Error {
  static {
    matchEveryCopy(this, 'NetworkError');
  }

  override readonly name = 'NetworkError';
  /** The HTTP status, if a response arrived whose body cannot be read. */
  readonly status: number | undefined;

  constructor(message = '', { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {}) {
    super(message, options);
    this.status = status;
  }
}

/** No response arrived in time. */
export class TimeoutError extends Error {
  static {
    matchEveryCopy(this, 'TimeoutError');
  }

  override readonly name = 'TimeoutError';
}

/** @returns whether a body is an error of the contract with this status. */
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

/** Formats requests and bodies for error messages: short, on one line, and without the API key. */
export interface Describe {
  /** @returns the request, such as `GET http://127.0.0.1:3000/automations`. */
  request(url: string): string;
  /** @returns the start of a body, quoted, or `an empty body`. */
  body(text: string): string;
  /** @returns the text without the key. */
  redact(text: string): string;
}

const MAX_URL = 300;
const MAX_BODY = 200;
// A shorter key is not redacted: it is a placeholder, and may be part of any word.
const MIN_SECRET = 8;

/** @param apiKey redacted from every message, even if a caller or a proxy has put it there. */
export function createDescribe(apiKey: string): Describe {
  const redact = (text: string): string =>
    apiKey.length < MIN_SECRET
      ? text
      : text.replaceAll(apiKey, '[apiKey]').replaceAll(encodeURIComponent(apiKey), '[apiKey]');
  const escape = (text: string): string =>
    text.replaceAll(/[\p{C}\u2028\u2029]/gu, (it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`);
  const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
  return {
    redact,
    request: (url) => `GET ${cut(redact(url.replace(/\/\/[^/]*@/, '//')), MAX_URL)}`,
    body: (text) => (text === '' ? 'an empty body' : `"${escape(cut(redact(text), MAX_BODY))}"`),
  };
}
