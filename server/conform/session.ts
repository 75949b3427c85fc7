/** The session of a run: sends, bounds, counts and records every request to one implementation. */
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../contract/counted.ts';
import type { Operation } from '../contract/document.ts';
import { NoAnswer, createClient, sendRaw } from './client.ts';
import type { Answer } from './client.ts';

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
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The `Authorization` header in place of the one with the key; `null` for none. */
  readonly authorization?: string | null;
  /** What the message of the answer must name. */
  readonly mentions?: readonly string[];
  /** Whether the answer's text is to be every byte after its head, whether or not HTTP allows for a body. */
  readonly isRaw?: boolean;
}

export interface Exchange extends Answer {
  /** The request in one line, such as `GET /automations?limit=3`, with the headers that the rule is about. */
  readonly request: string;
  readonly method: string;
  /** The text as JSON; `undefined` if it is not JSON. */
  readonly body: unknown;
  readonly mentions: readonly string[];
}

/** How many requests were sent, by method. */
export type Counts = Readonly<Record<string, number>>;

/** The run cannot go on: nothing can be said about the rules that are left. The message is for people, a sentence. */
export class Untestable extends Error {
  override readonly name = 'Untestable';
}

/** The bounds of a run. */
export interface Bounds {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
  /** How long the whole run may take, in milliseconds. */
  readonly runMs: number;
  /** How many requests are sent at most. */
  readonly requests: number;
}
export const BOUNDS: Bounds = { requestMs: 10_000, runMs: 300_000, requests: 10_000 };

// So many requests in a row without an answer, and there is no server any more.
const MAX_UNANSWERED = 3;
// A server that restarts says so with a 503; it is asked again this often.
const MAX_UNAVAILABLE = 3;

export interface Session {
  readonly sent: Counts;
  /** The key of the account that is tested, and that of another. */
  readonly server: Server;
  /**
   * Sends a request, again and again while its answer is that the key asks too often.
   * @throws NoAnswer if there is none, Untestable if the bounds of the run are reached.
   */
  readonly send: (request: Request, operation: Operation) => Promise<Exchange>;
  readonly close: () => void;
}

/** @param see is shown every exchange of an operation, but those that are raw. */
export function openSession(
  server: Server,
  bounds: Bounds,
  see: (exchange: Exchange, operation: Operation) => void,
): Session {
  const client = createClient(server.url);
  const deadline = performance.now() + bounds.runMs;
  const sent: Record<string, number> = {};
  let [total, unanswered] = [0, 0];

  const leftMs = (): number => deadline - performance.now();
  const timeIsUp = (why = ''): Untestable =>
    new Untestable(`The run was not done within ${String(bounds.runMs / 1000)} s (--timeout)${why}.`);

  const sendOnce = async (request: Request): Promise<Answer> => {
    const { method = 'GET', target, headers = {}, authorization = `Bearer ${server.key}`, body, isRaw } = request;
    if (leftMs() <= 0) throw timeIsUp();
    if (total >= bounds.requests) throw new Untestable(`${counted(total, 'requests')} did not suffice for the run.`);
    total += 1;
    sent[method] = (sent[method] ?? 0) + 1;
    const all = { ...headers, ...(authorization === null ? {} : { authorization }) };
    const timeoutMs = Math.min(bounds.requestMs, leftMs());
    const wire = { method, target, headers: all, body };
    try {
      const answer = await (isRaw === true ? sendRaw(server.url, wire, timeoutMs) : client.send(wire, timeoutMs));
      unanswered = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (leftMs() <= 0) throw timeIsUp(`; the last request was ${describe(request, server)}`);
      unanswered += 1;
      if (unanswered < MAX_UNANSWERED) throw error;
      throw new Untestable(`The server no longer answers: ${describe(request, server)}: ${error.message}.`);
    }
  };

  return {
    sent,
    server,
    close: client.close,
    send: async (request, operation) => {
      for (let unavailable = 0; ;) {
        const answer = await sendOnce(request);
        const { method = 'GET', mentions = [] } = request;
        const exchange = { ...answer, method, mentions, request: describe(request, server), body: parse(answer.text) };
        if (request.isRaw !== true) see(exchange, operation);
        const mayPass = answer.status === 429 || (answer.status === 503 && unavailable < MAX_UNAVAILABLE);
        if (!mayPass) return exchange;
        if (answer.status === 503) unavailable += 1;
        const seconds = Math.max(1, Number(answer.headers.get('retry-after') ?? 1) || 1);
        if (seconds * 1000 >= leftMs()) {
          throw timeIsUp(
            `: ${exchange.request} is answered ${String(answer.status)}, to ask again in ${String(seconds)} s`,
          );
        }
        await pause(seconds * 1000);
      }
    },
  };
}

function describe(
  { method = 'GET', target, headers = {}, authorization, body }: Request,
  { key, key2 }: Server,
): string {
  const notes = Object.entries(headers).map(([name, value]) => ` (${name}: ${value})`);
  if (authorization === null) notes.push(' (no Authorization)');
  else if (authorization === `Bearer ${String(key2)}`) notes.push(' (with the second key)');
  else if (authorization !== undefined && authorization !== `Bearer ${key}`)
    notes.push(` (Authorization: ${authorization})`);
  if (body !== undefined) notes.push(` (body: ${body})`);
  return `${method} ${target}${notes.join('')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_LENGTH = 300;

/** @returns a text without the keys, cut. */
export function plain(text: string, { key, key2 }: Server): string {
  const hidden = [
    [key, '<key>'],
    [key2, '<key2>'],
  ].reduce((it, [secret, name]) => (secret === undefined || name === undefined ? it : hide(it, secret, name)), text);
  return hidden.length > MAX_LENGTH ? `${hidden.slice(0, MAX_LENGTH)}… (${String(hidden.length)} characters)` : hidden;
}

// Also as a query has it. A key with one character more or less is no secret less than the key.
function hide(text: string, secret: string, name: string): string {
  // What is as short as a word is one in most places; a server that takes it for a key takes any.
  if (secret.length < MIN_SECRET) return text.replaceAll(`Bearer ${secret}`, `Bearer ${name}`);
  return [secret, secret.slice(0, -1)]
    .flatMap((it) => [it, encodeURIComponent(it)])
    .reduce((it, form) => it.replaceAll(form, name), text);
}

const MIN_SECRET = 8;
