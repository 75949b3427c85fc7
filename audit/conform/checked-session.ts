/** The session of a run of `conform`: requests by the keys of one or two accounts, whose every response is checked. */
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import type { Operation } from '../../contract/document.ts';
import { Failure } from '../rules/rule.ts';
import { LONG, joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { createRandom } from './sample.ts';
import { secretsOfProxy } from '../session/proxy.ts';
import type { Proxy } from '../session/proxy.ts';
import { createRedaction } from '../session/redact.ts';
import type { Redaction, Secret } from '../session/redact.ts';
import { openSession } from '../session/session.ts';
import type { Bounds, Received, Session, SessionOptions } from '../session/session.ts';

export interface Server {
  /** The base URL of the implementation, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** A key of another account. */
  readonly otherKey?: string | undefined;
  /** What stands before it. */
  readonly proxy?: Proxy | undefined;
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

export interface CheckedResponse extends Received {
  /** The request in one line, such as `GET /automations?limit=3`, with the headers that the rule tests. */
  readonly request: Text;
  readonly method: string;
  readonly mentions: readonly string[];
  /** Parts of the request: the `Authorization`, the path, and its id. */
  readonly source: { readonly key: string; readonly path: string; readonly requestId: string | undefined };
}

const REQUEST_ID = 'x-request-id';
const IDS = 1e9;

// A server that conforms is tested with less than two thirds of these, and at ten in a second with all within the time.
const REQUESTS_PER_OPERATION = 700;
// The part of the requests of a run that may list records again. The others suffice for the rules.
export const RELISTING_SHARE = 0.35;
const OPERATION_COUNT = COLLECTIONS.map(operationsOf).reduce((sum, { get }) => sum + (get === undefined ? 1 : 2), 0);
export const BOUNDS: Bounds = {
  requestMs: 10_000,
  runMs: 300_000,
  requests: REQUESTS_PER_OPERATION * OPERATION_COUNT,
};

/** What the lists of a run share when their records are listed again. */
export interface Relisting {
  /** How many more requests may do that: a part of those of the run, so that the others are left for its rules. */
  left: number;
  /** Whether the records of any list have changed. */
  hasChange: boolean;
}

export interface CheckedSession extends Pick<Session, 'sent' | 'close'> {
  readonly relisting: Relisting;
  /** The server with the key of the tested account and that of the other account. */
  readonly server: Server;
  /** Sends a request, as any session does. @throws NoResponse, Untestable */
  readonly send: (request: Request, operation: Operation) => Promise<CheckedResponse>;
  /** @returns a request in one line. */
  readonly describe: (request: Request) => Text;
}

/** @param check called with every response, except raw ones. */
export function openCheckedSession(
  server: Server,
  bounds: Bounds,
  check: (response: CheckedResponse, operation: Operation) => void,
  options: SessionOptions = {},
): CheckedSession {
  const { sent, send, close } = openSession(server.url, bounds, { ...options, proxy: server.proxy });
  const random = createRandom(1);
  return {
    sent,
    relisting: { left: Math.floor(bounds.requests * RELISTING_SHARE), hasChange: false },
    server,
    close,
    describe: (request) => describe(request, server),
    send: async (request, operation) => {
      const { method = 'GET', path, headers = {}, body, mentions = [], isRaw } = request;
      const { authorization = `Bearer ${server.key}` } = request;
      const line = describe(request, server);
      // Half of the requests have an id of their own, which their responses must have.
      const ownId = isRaw === true || random(2) === 0 ? undefined : `conform-${String(random(IDS))}`;
      const requestId = headers[REQUEST_ID] ?? ownId;
      const source = { key: request.authorization ?? '', path, requestId };
      const id = requestId !== undefined && { [REQUEST_ID]: requestId };
      const all = { ...headers, ...id, ...(authorization !== null && { authorization }) };
      const outgoing = { method, path, headers: all, body, isRaw, line, account: authorization ?? '' };
      return send(outgoing, (received) => {
        const response: CheckedResponse = { ...received, method, mentions, source, request: line };
        if (isRaw !== true) check(response, operation);
        return response;
      });
    },
  };
}

function describe(
  { method = 'GET', path, headers = {}, authorization, body }: Request,
  { key, otherKey }: Server,
): Text {
  const notes = Object.entries(headers).map(([name, value]) => say` (${quote(`${name}: ${value}`, LONG)})`);
  if (authorization === null) notes.push(say` (no Authorization)`);
  else if (authorization === `Bearer ${String(otherKey)}`) notes.push(say` (with the other key)`);
  else if (authorization !== undefined && authorization !== `Bearer ${key}`)
    notes.push(say` (Authorization: ${quote(authorization, LONG)})`);
  if (body !== undefined) notes.push(say` (body: ${quote(body, LONG)})`);
  return say`${own(method)} ${quote(path, LONG)}${joined(notes, '')}`;
}

/** @returns what shows the names of the keys in their place. */
export const redactionOf = ({ key, otherKey, proxy }: Server): Redaction =>
  createRedaction([
    ...formsOf(key, '<key>'),
    ...(otherKey === undefined ? [] : formsOf(otherKey, '<other key>')),
    ...secretsOfProxy(proxy).map((secret) => [secret, '…'] as const),
  ]);

// A shorter part of a key could be any word.
const MIN_PART = 6;

// Rules send a key encoded, in another case, without its last characters or its prefix, and as a user: each of these reveals it.
function formsOf(key: string, name: string): readonly Secret[] {
  const users = [key, `${key}:`, `user:${key}`].map((user) => Buffer.from(user).toString('base64'));
  const parts = [key.slice(0, -1), key.slice(0, Math.ceil(key.length / 2)), key.replace(/^[a-z]+_/, '')];
  return [key, ...users, ...parts.filter((part) => part.length >= MIN_PART)].map((form) => [form, name]);
}

/** @returns a response in one line. */
export const summary = ({ status, text }: CheckedResponse): Text =>
  text.trimEnd() === '' ? say`${status}` : say`${status} ${quote(text.trimEnd(), LONG)}`;

/**
 * @param actual the text to report instead of the response in one line.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(
  response: CheckedResponse,
  condition: boolean,
  expected: Text,
  actual = summary(response),
  difference?: Text,
): void {
  if (condition) return;
  const { request } = response;
  throw new Failure({ request, expected, actual, ...(difference !== undefined && { difference }) });
}
