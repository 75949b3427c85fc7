/** Requests that reach a server in memory, through a change, as if they were sent by HTTP. */
import { isUtf8 } from 'node:buffer';
import { METHODS, validateHeaderValue } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { say } from '../../../audit/rules/text.ts';
import { decompressed, withCommon } from '../../../audit/session/client.ts';
import type { HttpRequest, HttpResponse } from '../../../audit/session/client.ts';
import { NoResponse } from '../../../audit/session/connection.ts';
import type { Transport } from '../../../audit/session/session.ts';
import type { ModelRequest, ModelResponse } from '../../support/model-server.ts';
import { UNPARSED, changed, partsOf, passedTarget } from './proxy.ts';
import type { Change, Context, InterceptedRequest, Lists, Reply } from './proxy.ts';

type Model = (request: ModelRequest) => ModelResponse;

// Of several lines with these names, HTTP clients take the first. They join those with other names.
const FIRST_COUNTS = ['content-type', 'etag', 'content-length', 'location', 'retry-after'];

/** @returns the requests to a model, through a change. The other parameters are those of `changed`. */
export function inMemory(
  model: Model,
  keys: Context['keys'],
  lists: readonly [Lists, Lists],
  change: Change,
): Transport {
  const passOn = (request: InterceptedRequest): Promise<Reply> => {
    const { method, headers } = request;
    const authorization = headers['authorization']?.split('\n') ?? [];
    return Promise.resolve({ ...model({ method, target: passedTarget(request), authorization, headers }) });
  };
  const answer = changed(change, passOn, keys, lists);
  const connection = {};
  const exchange = async (request: HttpRequest, isRaw: boolean): Promise<HttpResponse> => {
    if (!METHODS.includes(request.method)) return unparsed(change.unparsed ?? UNPARSED);
    const isOwn = isRaw || request.body !== undefined;
    const received = receivedOf(request, isOwn ? {} : connection);
    const reply = await answer(received).catch(() => undefined); // A handler that raises an error.
    // Other requests at the same time come in between.
    await setImmediate();
    if (reply === undefined || reply.isCut === true)
      throw new NoResponse(say`the connection was closed without a response`);
    return responseOf(reply, received.method, isRaw);
  };
  return {
    send: (request) => exchange(request, false),
    sendRaw: (request) => exchange(request, true),
    close: () => undefined,
  };
}

/** @returns a request as a server reads it. */
function receivedOf(
  { method, path: target, headers: sent, body }: HttpRequest,
  connection: object,
): InterceptedRequest {
  const lines: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(withCommon(sent))) (lines[name.toLowerCase()] ??= []).push(value.trim());
  if (body !== undefined && lines['transfer-encoding'] === undefined)
    lines['content-length'] = [String(Buffer.byteLength(body))];
  const headers = Object.entries(lines).map(([name, values]) => [
    name,
    values.join(name === 'authorization' ? '\n' : ', '),
  ]);
  const [path, query] = partsOf(target);
  return {
    ...{ method, path, target, lines, connection, body: body ?? '' },
    query: new URLSearchParams(query),
    headers: Object.fromEntries(headers) as Record<string, string>, // Of pairs of texts.
  };
}

/** @returns a response as a client reads it. @throws NoResponse if HTTP has no such response. */
function responseOf(reply: Reply, method: string, isRaw: boolean): HttpResponse {
  const { status, headers, body, bytes, stray, again = {} } = reply;
  const hasBody = method !== 'HEAD' && status !== 304 && status !== 204;
  const sent = hasBody ? (bytes ?? Buffer.from(body)) : Buffer.of();
  const { 'content-length': length, ...others } = headers;
  const written = stray !== undefined ? length : hasBody && length !== undefined ? String(sent.length) : undefined;
  const all = { ...others, ...(written !== undefined && { 'content-length': written }) };
  const repeated = new Map<string, readonly string[]>();
  const values = Object.entries<unknown>(all).map(([name, value]): [string, string] => {
    const first = String(value).trim();
    const second = again[name] ?? first;
    if (name in again) repeated.set(name, [first, second]);
    return [name, second === first || FIRST_COUNTS.includes(name) ? first : `${first}, ${second}`];
  });
  try {
    for (const [name, value] of values) validateHeaderValue(name, value);
  } catch {
    throw new NoResponse(say`the connection was closed without a response`);
  }
  const extra = Object.entries(again).filter(([name]) => !(name in all));
  const known = new Map([...values, ...extra]);
  if (isRaw) {
    const text = stray ?? sent.toString('latin1');
    return { status, headers: known, repeated: new Map(), text, isUtf8: true };
  }
  const plain = decompressed(known.get('content-encoding'), sent);
  return { status, headers: known, repeated, text: plain.toString(), isUtf8: isUtf8(plain) };
}

/** @returns what comes back for what is no request. */
function unparsed(text: string): HttpResponse {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  if (status === undefined) throw new NoResponse(say`the connection was closed without a response`);
  return { status: Number(status), headers: new Map(), repeated: new Map(), text: '', isUtf8: true };
}
