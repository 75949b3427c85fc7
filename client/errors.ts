/** Everything that a call can throw, besides the reason of an aborted `signal`, and what a hook throws. */
import type { Problem, ProblemName } from '../generated/models.ts';
import { retryAfterSeconds } from './headers.ts';

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

/** How messages tell of requests and bodies: short, on one line, and without the key. */
export interface Describe {
  /** @returns such as `GET http://127.0.0.1:3000/automations`. */
  request(url: string): string;
  /** @returns the start of a body, quoted, or that it is empty. */
  body(text: string): string;
  /** @returns the text without the key. */
  redact(text: string): string;
}

const MAX_URL = 300;
const MAX_BODY = 200;
// What is shorter is no key but a stand-in, and may be a part of any word.
const MIN_SECRET = 8;

/** @param apiKey what no message shows, even where a caller or a proxy has put it. */
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
