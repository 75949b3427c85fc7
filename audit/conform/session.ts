/** The session of a run: sends, bounds and counts every request to one implementation, and has every response checked. */
import { setTimeout } from 'node:timers/promises';
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import { retryAfterSeconds } from '../../contract/retry-after.ts';
import { counted } from '../../contract/wording.ts';
import type { Operation } from '../../contract/document.ts';
import { NoResponse, TooSlow, createClient, sendRaw } from './client.ts';
import type { HttpResponse } from './client.ts';
import { copiesOf } from '../report/copies.ts';
import { MAX_DEPTH, isDeep } from '../report/depth.ts';
import { Failure } from '../rules/rule.ts';

export interface Server {
  /** The base URL of the implementation, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** A key of another account. */
  readonly key2?: string | undefined;
}

export interface Request {
  readonly method?: string;
  /** Path and query, from the base URL on. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The `Authorization` header. Default: the header with the key; `null`: no header. */
  readonly authorization?: string | null;
  /** Names that the message of a validation error must have. */
  readonly mentions?: readonly string[];
  /** Whether the `text` of the response has every byte after the head, even where HTTP forbids a body. */
  readonly isRaw?: boolean;
}

export interface Exchange extends HttpResponse {
  /** The request in one line, such as `GET /automations?limit=3`, with the headers that the rule tests. */
  readonly request: string;
  readonly method: string;
  /** The text as JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
  readonly mentions: readonly string[];
  /** Parts of the request: the `Authorization`, the path, and its id. */
  readonly source: { readonly key: string; readonly path: string; readonly requestId: string | undefined };
}

/** The number of requests sent, by method. */
export type Counts = Readonly<Record<string, number>>;

/**
 * The run cannot continue: its time or its requests are used up, or the server does not respond. The remaining rules cannot be checked.
 * The message is a sentence for people.
 */
export class Untestable extends Error {
  override readonly name = 'Untestable';
}

/** The bounds of a run. */
export interface Bounds {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
  /** How long the whole run may take, in milliseconds. */
  readonly runMs: number;
  /** The maximum number of requests. */
  readonly requests: number;
}
// A server that conforms is tested with about half of these, and at seven in a second with all within the time.
const REQUESTS_PER_OPERATION = 500;
// The part of the requests of a run that may list records again. The others suffice for the rules.
export const RELISTING_SHARE = 0.4;
const OPERATION_COUNT = COLLECTIONS.map(operationsOf).reduce((sum, { get }) => sum + (get === undefined ? 1 : 2), 0);
export const BOUNDS: Bounds = {
  requestMs: 10_000,
  runMs: 300_000,
  requests: REQUESTS_PER_OPERATION * OPERATION_COUNT,
};

// After a request without a response, one that had a response is repeated, at most this often: a server may be restarting. Then it is down.
const MAX_PROBES = 3;
const PROBE_PAUSE_MS = 1000;
// A server that restarts responds 503. A request is retried at most this many times after 503.
const MAX_UNAVAILABLE = 3;

/** What tells the time of a run, and waits. */
export interface Clock {
  /** @returns milliseconds; they never go back. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}
const CLOCK: Clock = { now: () => performance.now(), pause: setTimeout };

/** What the lists of a run share when their records are listed again. */
export interface Relisting {
  /** How many more requests may do that: a part of those of the run, so that the others are left for its rules. */
  left: number;
  /** Whether the records of any list have changed. */
  hasChange: boolean;
}

export interface Session {
  readonly sent: Counts;
  readonly relisting: Relisting;
  /** The server with the key of the tested account and that of the other account. */
  readonly server: Server;
  /**
   * Sends a request. Retries it while the response is 429, and a few times while it is 503.
   * @throws NoResponse if there is no response to this request, Untestable if there is none to a request that had one either, or if the
   *   bounds of the run are reached.
   */
  readonly send: (request: Request, operation: Operation) => Promise<Exchange>;
  /** @returns a request in one line, with the keys as they are. */
  readonly describe: (request: Request) => string;
  readonly close: () => void;
}

/**
 * @param check called with every exchange, except raw ones.
 * @param trace called with every request in one line before it is sent, keys as they are.
 */
export function openSession(
  server: Server,
  bounds: Bounds,
  check: (exchange: Exchange, operation: Operation) => void,
  trace: (request: string) => void = () => undefined,
  { now, pause }: Clock = CLOCK,
): Session {
  const client = createClient(server.url);
  const deadline = now() + bounds.runMs;
  const sent: Record<string, number> = {};
  let total = 0;
  // The first request that had a response.
  let answered: Request | undefined;
  // By key: when the window of its rate limit ends, if no request is left in it.
  const windowEnds = new Map<string | null, number>();

  const leftMs = (): number => deadline - now();
  const timeIsUp = (why = ''): Untestable =>
    new Untestable(`The run did not end within ${String(bounds.runMs / 1000)} s (--timeout)${why}.`);

  /** Waits for the next window if no request is left according to the last response to this key. */
  const pace = async (authorization: string | null): Promise<void> => {
    const ms = (windowEnds.get(authorization) ?? 0) - now();
    if (ms <= 0) return;
    if (ms >= leftMs())
      throw timeIsUp(`: the rate limit of the key allows no requests for ${String(Math.ceil(ms / 1000))} s`);
    await pause(ms);
  };
  const readPace = (authorization: string | null, { headers }: HttpResponse): void => {
    const [remaining, reset] = [headers.get('ratelimit-remaining'), Number(headers.get('ratelimit-reset') ?? 0)];
    if (remaining === '0' && reset > 0) windowEnds.set(authorization, now() + reset * 1000);
    else windowEnds.delete(authorization);
  };

  const attempt = async (request: Request): Promise<HttpResponse> => {
    const { method = 'GET', path, headers = {}, authorization = `Bearer ${server.key}`, body, isRaw } = request;
    await pace(authorization);
    if (leftMs() <= 0) throw timeIsUp();
    if (total >= bounds.requests)
      throw new Untestable(`The run requires more than ${counted(total, 'requests')} (--max-requests).`);
    trace(describe(request, server));
    total += 1;
    sent[method] = (sent[method] ?? 0) + 1;
    const all = { ...headers, ...(authorization === null ? {} : { authorization }) };
    const timeoutMs = Math.min(bounds.requestMs, leftMs());
    const wire = { method, path, headers: all, body };
    try {
      const response = await (isRaw === true ? sendRaw(server.url, wire, timeoutMs) : client.send(wire, timeoutMs));
      answered ??= request;
      readPace(authorization, response);
      return response;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      // The clock alone does not tell: a timer may fire a little early.
      if (leftMs() <= 0 || (error instanceof TooSlow && timeoutMs < bounds.requestMs))
        throw timeIsUp(`; the last request was ${describe(request, server)}`);
      throw error;
    }
  };

  /** Whether the server responds to a request that had a response before. */
  const isAlive = async (request: Request): Promise<boolean> => {
    for (let probes = 1; ; probes += 1) {
      try {
        await attempt(request);
        return true;
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        if (probes === MAX_PROBES) return false;
      }
      await pause(Math.min(PROBE_PAUSE_MS, Math.max(0, leftMs())));
    }
  };

  const sendOnce = async (request: Request): Promise<HttpResponse> => {
    try {
      return await attempt(request);
    } catch (error) {
      if (!(error instanceof NoResponse) || answered === undefined || (await isAlive(answered))) throw error;
      throw new Untestable(`The server no longer responds: ${describe(request, server)}: ${error.message}.`);
    }
  };

  return {
    sent,
    relisting: { left: Math.floor(bounds.requests * RELISTING_SHARE), hasChange: false },
    server,
    close: client.close,
    describe: (request) => describe(request, server),
    send: async (request, operation) => {
      for (let unavailable = 0; ;) {
        const response = await sendOnce(request);
        const { method = 'GET', mentions = [] } = request;
        const exchange = {
          ...response,
          method,
          mentions,
          source: {
            ...{ key: request.authorization ?? '', path: request.path },
            requestId: request.headers?.['x-request-id'],
          },
          request: describe(request, server),
          body: parse(response.text),
        };
        if (request.isRaw !== true) check(exchange, operation);
        const isTemporary = response.status === 429 || (response.status === 503 && unavailable < MAX_UNAVAILABLE);
        if (!isTemporary) return exchange;
        if (response.status === 503) unavailable += 1;
        const seconds = Math.max(1, retryAfterSeconds(response.headers.get('retry-after')) ?? 1);
        if (seconds * 1000 >= leftMs()) {
          throw timeIsUp(`: ${exchange.request} returned ${String(response.status)}, retry after ${String(seconds)} s`);
        }
        await pause(seconds * 1000);
      }
    },
  };
}

function describe({ method = 'GET', path, headers = {}, authorization, body }: Request, { key, key2 }: Server): string {
  const notes = Object.entries(headers).map(([name, value]) => ` (${name}: ${value})`);
  if (authorization === null) notes.push(' (no Authorization)');
  else if (authorization === `Bearer ${String(key2)}`) notes.push(' (with the second key)');
  else if (authorization !== undefined && authorization !== `Bearer ${key}`)
    notes.push(` (Authorization: ${authorization})`);
  if (body !== undefined) notes.push(` (body: ${body})`);
  return `${method} ${path}${notes.join('')}`;
}

/** @returns a text as JSON; `undefined` if it is not JSON. @throws NoResponse if it nests too deeply for any rule to read. */
function parse(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isDeep(body)) throw new NoResponse(`the body nests more than ${String(MAX_DEPTH)} levels deep`);
  return body;
}

const MAX_LENGTH = 300;
const MIN_SECRET = 8;

/** @returns a text with the keys replaced by their names, cut to a readable length. */
export function redact(text: string, { key, key2 }: Server): string {
  const hidden = [
    [key, '<key>'],
    [key2, '<key2>'],
  ].reduce((it, [secret, name]) => (secret === undefined || name === undefined ? it : hide(it, secret, name)), text);
  return hidden.length > MAX_LENGTH ? `${hidden.slice(0, MAX_LENGTH)}… (${String(hidden.length)} characters)` : hidden;
}

// Rules send a key encoded, in another case, without its last characters, and as a user: each of these reveals it.
function hide(text: string, secret: string, name: string): string {
  // A key this short may be an ordinary word elsewhere: only its use as a key is hidden. A server that accepts it accepts any.
  if (secret.length < MIN_SECRET) return text.replaceAll(`Bearer ${secret}`, `Bearer ${name}`);
  const half = secret.slice(0, Math.ceil(secret.length / 2));
  const parts = [secret, secret.slice(0, -1), ...(half.length < MIN_SECRET ? [] : [half])];
  const users = [secret, `${secret}:`, `user:${secret}`].map((it) => Buffer.from(it).toString('base64'));
  const forms = [...users, ...parts.flatMap(copiesOf)];
  return forms.reduce(
    (it, form) => it.replaceAll(new RegExp(form.replaceAll(/[^\w ]/g, '\\$&'), 'gi'), () => name),
    text,
  );
}

/** @returns a response in one line. */
const summary = ({ status, text }: Exchange): string => `${String(status)} ${text}`.trimEnd();

/**
 * @param actual the text to report instead of the response in one line.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(
  exchange: Exchange,
  condition: boolean,
  expected: string,
  actual = summary(exchange),
  difference?: string,
): void {
  if (condition) return;
  const { request } = exchange;
  throw new Failure({ request, expected, actual, ...(difference !== undefined && { difference }) });
}
