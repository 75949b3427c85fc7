/** Requests to the API, and everything that can become of them. */
import { TooLarge, textOf } from '../shared/body.js';
import { isObject, parse } from '../shared/json.js';

/**
 * @typedef {{ body: Record<string, unknown>, etag: string | undefined }} Answer
 * @typedef {(target: string, options: { signal: AbortSignal, etag?: string | undefined }) => Promise<Answer | undefined>} Ask
 *   answers undefined if what `etag` names has not changed; throws Failure, or the reason of the signal.
 */

const TIMEOUT_MS = 30_000;
const EXCERPT_LENGTH = 500;

/** A request that has not been answered as it should: what the API says of it, or what is known. */
export class Failure extends Error {
  /**
   * @param {string} title such as `not_found`
   * @param {string} message
   * @param {{ status?: number, requestId?: string | undefined, retryAfter?: number | undefined, excerpt?: string }} [more]
   *   seconds to wait, and the beginning of a body that is not the API's.
   */
  constructor(title, message, { status, requestId, retryAfter, excerpt } = {}) {
    super(message);
    this.title = title;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.excerpt = excerpt;
  }

  /** Whether the key is why. */
  get isRefusal() {
    return this.status === 401;
  }

  /** Whether it may help to ask again. */
  get isPassing() {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

/**
 * @param {string} base URL of the API, with a slash at its end.
 * @param {() => string} key looked up for each request; empty for none.
 * @returns {Ask}
 */
export const createAsk =
  (base, key) =>
  async (target, { signal, etag }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(new URL(`.${target}`, base), {
        headers: {
          ...(key() === '' ? {} : { authorization: `Bearer ${key()}` }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        cache: 'no-store', // Nothing of an account stays behind on the disk.
        signal: AbortSignal.any([signal, timeout]),
      });
      return response.status === 304 ? undefined : await answerOf(response);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      if (error instanceof TooLarge) throw new Failure('Too large', error.message);
      if (timeout.aborted) {
        throw new Failure('No answer', `The server has not answered within ${String(TIMEOUT_MS / 1000)} seconds.`);
      }
      throw new Failure('Network failure', 'The server could not be reached, or the connection was cut.');
    }
  };

/** @param {Response} response @returns {Promise<Answer>} @throws {Failure} */
async function answerOf(response) {
  const { ok, status, headers } = response;
  const text = await textOf(response);
  const body = parsed(text);
  if (ok && isObject(body)) return { body, etag: headers.get('etag') ?? undefined };

  const more = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  if (!ok && isObject(body) && typeof body['name'] === 'string' && typeof body['message'] === 'string') {
    throw new Failure(body['name'], body['message'], more);
  }
  const excerpt = text.slice(0, EXCERPT_LENGTH);
  throw new Failure('Not an answer of the API', 'Something else answered in its place. Its answer begins so:', {
    ...more,
    excerpt,
  });
}

/** @param {string} text @returns {unknown} undefined if it is not JSON. */
function parsed(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string | null} retryAfter @returns {number | undefined} a number of seconds; the header may also be a date. */
function secondsOf(retryAfter) {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
