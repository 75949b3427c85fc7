/** The session of a run: sends requests to one server, and bounds, paces, repeats and counts them. */
import { setTimeout } from 'node:timers/promises';
import { retryAfterSeconds } from '../../client/retry-after.ts';
import { counted } from '../../contract/wording.ts';
import { whyTooMuch } from '../rules/depth.ts';
import { Said, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { createClient } from './client.ts';
import type { Client, HttpRequest, HttpResponse, Sending } from './client.ts';
import { NoResponse, TooSlow } from './connection.ts';
import { leadsTo } from './origin.ts';
import { sendRaw } from './raw.ts';

/**
 * The run cannot continue: its time or its requests are used up, or the server does not respond. The remaining rules cannot be checked.
 * The text is a sentence for people.
 */
export class Untestable extends Said {
  override readonly name = 'Untestable';
}

/** The requests of the run are used up. */
export class Spent extends Untestable {}

/** The bounds of a run. */
export interface Bounds {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
  /** How long the whole run may take, in milliseconds. */
  readonly runMs: number;
  /** The maximum number of requests. */
  readonly requests: number;
  /** The maximum number of requests in a second; no limit if undefined. */
  readonly perSecond?: number | undefined;
  /** How long the server may ask to wait at once, in milliseconds; as long as the run may take if undefined. */
  readonly waitMs?: number | undefined;
}

/** What tells the time of a run, and waits. */
export interface Clock {
  /** @returns milliseconds; they never go back. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}
const CLOCK: Clock = { now: () => performance.now(), pause: setTimeout };

export interface Outgoing extends HttpRequest {
  /** The request in one line, for messages. */
  readonly line: Text;
  /** Whose request it is: the server may limit the rate of each account. */
  readonly account: string;
  /** Whether the `text` of the response has every byte after the head, even where HTTP forbids a body. */
  readonly isRaw?: boolean | undefined;
}

export interface Received extends HttpResponse {
  /** The text as JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
}

export interface Session {
  /** The number of requests sent so far, by method. */
  readonly sent: Readonly<Record<string, number>>;
  /** How many requests are left. */
  readonly left: number;
  /**
   * Sends a request. Repeats it while the response is 429, and a few times while it is 503.
   * @param read called with every response, also with those after which the request is repeated.
   * @returns what it returns for the last one.
   * @throws NoResponse if there is no response to this request, Untestable if there is none to a request that had one either, or if the
   *   bounds of the run are reached.
   */
  readonly send: <T>(request: Outgoing, read: (response: Received) => T) => Promise<T>;
  readonly close: () => void;
}

// After a request without a response, one that had a response is repeated, at most this often: a server may be restarting. Then it is down.
const MAX_PROBES = 3;
const PROBE_PAUSE_MS = 1000;
// A server that restarts responds 503. A request is repeated at most this many times after 503.
const MAX_UNAVAILABLE = 3;
// A larger number of seconds is an instant since 1970, and a larger one of these counts milliseconds.
const MAX_SECONDS = 1e9;
const MAX_INSTANT = 1e11;

/** What sends the requests of a session. */
export interface Transport extends Client {
  /** Sends a request whose response has every byte after the head as its text. @throws NoResponse as `send` does. */
  readonly sendRaw: Client['send'];
}

export interface SessionOptions extends Sending {
  /** By default, requests are sent by HTTP. */
  readonly transport?: Transport | undefined;
  /** The only origin that is requested: that of the URL by default. A URL that a document has made may have another one. */
  readonly origin?: string | undefined;
  /** Called with the line of every request before it is sent. */
  readonly trace?: ((line: Text) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const overHttp = (url: string, sending: Sending): Transport => ({
  ...createClient(url, sending),
  sendRaw: (request, timeoutMs) => sendRaw(url, request, timeoutMs, sending),
});

/** @param url the address that the paths of requests follow. */
export function openSession(url: string, bounds: Bounds, options: SessionOptions = {}): Session {
  const { origin = new URL(url).origin, trace = () => undefined, clock: { now, pause } = CLOCK, ...others } = options;
  const { transport = overHttp(url, others) } = others;
  const deadline = now() + bounds.runMs;
  const sent: Record<string, number> = {};
  let [total, next] = [0, 0];
  // The first request that had a response.
  let answered: Outgoing | undefined;
  // By account: when the window of its rate limit ends, if no request is left in it.
  const windowEnds = new Map<string, number>();

  const leftMs = (): number => deadline - now();
  const timeIsUp = (why: Text): Untestable =>
    new Untestable(say`The run did not end within ${bounds.runMs / 1000} s (--timeout)${why}.`);

  /** Waits as long as the server asks for. @throws Untestable if that is too long. */
  const wait = async (ms: number, why: Text): Promise<void> => {
    if (ms >= leftMs()) throw timeIsUp(say`: ${why}`);
    if (ms > (bounds.waitMs ?? Infinity)) throw new Untestable(say`The server asks to wait too long: ${why}.`);
    if (ms > 0) await pause(ms);
  };
  const pace = async (account: string): Promise<void> => {
    const ms = (windowEnds.get(account) ?? 0) - now();
    await wait(ms, say`its rate limit allows no requests for ${Math.ceil(ms / 1000)} s`);
    if (bounds.perSecond === undefined) return;
    const early = next - now();
    next = Math.max(next, now()) + 1000 / bounds.perSecond;
    if (early > 0) await pause(early);
  };
  const readPace = (account: string, { headers }: HttpResponse): void => {
    const value = (name: string): string | undefined =>
      headers.get(`ratelimit-${name}`) ?? headers.get(`x-ratelimit-${name}`);
    const seconds = value('remaining') === '0' ? secondsUntil(value('reset')) : 0;
    if (seconds > 0) windowEnds.set(account, now() + seconds * 1000);
    else windowEnds.delete(account);
  };

  const attempt = async (request: Outgoing): Promise<HttpResponse> => {
    const { method, line, account, isRaw } = request;
    if (total >= bounds.requests)
      throw new Spent(say`The run requires more than ${counted(total, 'requests')} (--max-requests).`);
    await pace(account);
    if (leftMs() <= 0) throw timeIsUp(say``);
    // The one guard, right before the socket, whoever has made the request.
    if (!leadsTo(origin, url, request.path))
      throw new Untestable(say`${line} would lead away from ${own(origin)}, and was not sent.`);
    trace(line);
    total += 1;
    sent[method] = (sent[method] ?? 0) + 1;
    const timeoutMs = Math.min(bounds.requestMs, leftMs());
    try {
      const response = await (isRaw === true ? transport.sendRaw : transport.send)(request, timeoutMs);
      answered ??= request;
      readPace(account, response);
      return response;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      // The clock alone does not tell: a timer may fire a little early.
      if (leftMs() <= 0 || (error instanceof TooSlow && timeoutMs < bounds.requestMs))
        throw timeIsUp(say`; the last request was ${line}`);
      throw error;
    }
  };

  /** Whether the server responds to a request that had a response before. */
  const isAlive = async (request: Outgoing): Promise<boolean> => {
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

  const sendOnce = async (request: Outgoing): Promise<HttpResponse> => {
    try {
      return await attempt(request);
    } catch (error) {
      if (!(error instanceof NoResponse) || answered === undefined || (await isAlive(answered))) throw error;
      throw new Untestable(say`The server no longer responds: ${request.line}: ${error.text}.`);
    }
  };

  return {
    sent,
    get left() {
      return bounds.requests - total;
    },
    close: transport.close,
    send: async (request, read) => {
      for (let unavailable = 0; ;) {
        const response = await sendOnce(request);
        const result = read({ ...response, body: parse(response.text) });
        const { status } = response;
        if (status !== 429 && (status !== 503 || unavailable >= MAX_UNAVAILABLE)) return result;
        if (status === 503) unavailable += 1;
        const seconds = Math.max(1, retryAfterSeconds(response) ?? 1);
        await wait(seconds * 1000, say`${request.line} returned ${status}, retry after ${quote(String(seconds))} s`);
      }
    },
  };
}

/** @returns the seconds until a rate limit ends. Servers state them, or the instant in seconds or milliseconds, or a date. */
function secondsUntil(reset = ''): number {
  if (!/^\d+(\.\d+)?$/.test(reset)) return retryAfterSeconds({ headers: { get: () => reset } }) ?? 0;
  const stated = Number(reset);
  if (stated <= MAX_SECONDS) return stated;
  return (stated > MAX_INSTANT ? stated / 1000 : stated) - Date.now() / 1000;
}

/** @returns a text as JSON; `undefined` if it is not JSON. @throws NoResponse if it is too much for any rule to read. */
function parse(text: string): unknown {
  const why = whyTooMuch(text);
  if (why !== undefined) throw new NoResponse(why);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
