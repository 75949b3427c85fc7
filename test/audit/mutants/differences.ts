/** What an implementation may do differently, by its name: `conform` is green with each. */
import { fromMicroseconds, toMicroseconds } from '../../../contract/timestamp.ts';
import { randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { accountOf, ignores, opaque, toLimited } from './edits.ts';
import {
  LISTS,
  PROPERTIES,
  counting,
  inBody,
  inItems,
  inList,
  inReply,
  inRequest,
  isGetById,
  on,
  problem,
  instants,
  where,
} from './mutant.ts';
import type { Change, Context, InterceptedRequest, Item, Reply } from './proxy.ts';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, it]) => [name, reversed(it)]),
  );
};

/** Sets a header where a response has it. */
const respell = (name: string, value: (old: string) => string): Change =>
  inReply(({ headers }) => {
    const old = headers[name];
    if (old !== undefined) headers[name] = value(old);
  });
/** Changes the text of every body. */
const rewrite = (text: (json: unknown) => string): Change =>
  inReply((reply) => {
    if (reply.body !== '') reply.body = text(JSON.parse(reply.body));
  });
const all = (...changes: readonly Change[]): Change =>
  inReply(async (...response) => {
    for (const { reply } of changes) await reply?.(...response);
  });

const limited = problem(429, 'rate_limit_exceeded');
limited.headers['retry-after'] = '1';
const unavailable = problem(503, 'service_unavailable');
unavailable.headers['retry-after'] = '1';
/** Once, at a place among the responses, responds with an error that passes. */
const passing = (isSo: (count: number) => boolean, error: Reply): Change =>
  counting((reply, count) => {
    if (isSo(count)) Object.assign(reply, error, { headers: { ...error.headers, 'x-request-id': randomUUID() } });
  });

const withMinutes = (instant: string): string => instant.replace(/([+-]\d\d)$/, '$1:00');
const withMicroseconds = (instant: string): string =>
  instant.replace(/(?:\.(\d+))?([+-]\d\d(?::\d\d)?)$/, (_, digits = '', offset) => {
    return `.${String(digits).padEnd(6, '0')}${String(offset)}`;
  });
const INDIA_US = 330n * 60_000_000n;
const inIndia = (instant: string): string =>
  fromMicroseconds((toMicroseconds(instant) ?? 0n) + INDIA_US).replace('+00', '+05:30');

/** Of a list, an id of the second account and one of the first that may stand in its place without a change of the order. */
function shared(path: string, { items }: Context): readonly [string, string] {
  const others = items(path, 1);
  for (const [at, { id, created_at }] of others.entries()) {
    const isAt = (it: Item | undefined): it is Item => it?.created_at === created_at;
    const [before, after] = [others[at - 1], others[at + 1]];
    const found = items(path).find((it) => (!isAt(before) || it.id < before.id) && (!isAt(after) || it.id > after.id));
    if (at > 1 && found) return [id, found.id];
  }
  throw new Error(`The accounts cannot share an id in ${path}.`);
}
/** Whether a request is for a list or one of its items. */
const isBelow = (list: string, { path }: InterceptedRequest): boolean => path.replace(/^\/+/, '/').startsWith(list);

/** Gives a record of each list of the second account the id of one of the first. */
const sharing: Change = {
  request: (request, context) => {
    if (accountOf(request, context) !== 1) return undefined;
    for (const list of LISTS) {
      const [own, others] = shared(list, context);
      const swap = (text: string): string =>
        text.replaceAll(new RegExp(`${own}|${others}`, 'gi'), (id) => (id.toLowerCase() === own ? others : own));
      if (!isBelow(list, request)) continue;
      request.path = swap(request.path);
      for (const [name, value] of [...request.query])
        if (request.query.getAll(name).length === 1) request.query.set(name, swap(value));
    }
    return undefined;
  },
  reply: (reply, request, context) => {
    if (accountOf(request, context) !== 1 || reply.status !== 200) return;
    for (const list of LISTS) {
      const [own, others] = shared(list, context);
      if (isBelow(list, request)) reply.body = reply.body.replaceAll(own, others);
    }
  },
};

/** A window of a second with so many requests: a client waits after the last of them, and then the next window begins. */
function windows(limit: number): Change {
  let used = 0;
  return inReply((reply) => {
    used = (used % limit) + 1;
    toLimited(reply, String(limit), String(limit - used), '1', `${String(limit)};w=1`);
  });
}

/** A server that does not read the body of a GET: it takes it for the next request on the connection, which is closed then. */
function unread(): Change {
  const spoilt = new WeakSet();
  return {
    request: ({ connection }) => {
      if (!spoilt.has(connection)) return undefined;
      const headers = { 'content-type': 'text/html', 'content-length': '0', connection: 'close' };
      return { status: 400, headers, body: '<p>Bad request syntax' };
    },
    reply: (_reply, { body, connection }) => {
      if (body !== '') spoilt.add(connection);
    },
  };
}
const isGzip = (headers: Reply['headers']): boolean => /\bgzip(?!;\s*q=0)/.test(headers['accept-encoding'] ?? '');
const TAG_END = ",;:!/\\~'";

export const DIFFERENCES: Readonly<Record<string, Change>> = {
  none: {},
  'more properties in items, lists and errors': all(
    inItems((item) => Object.assign(item, { tags: ['new'] })),
    inList((body) => Object.assign(body, { total: 3 })),
    ...[401, 404, 405, 422].map((status) =>
      inBody(status, (body) => Object.assign(body, { docs: 'https://example.com' })),
    ),
  ),
  'weak tags': respell('etag', (old) => `W/${old}`),
  'more in Vary, in lower case': respell('vary', () => 'accept-encoding, authorization, Origin'),
  'a stricter Cache-Control': respell('cache-control', () => 'private, no-store, max-age=0'),
  'another order of keys': rewrite((json) => JSON.stringify(reversed(json))),
  'another form of JSON: spaces, escapes': rewrite((json) =>
    JSON.stringify(json, null, 2).replaceAll(
      /[^\0-\x7f]/g,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  'no lengths: bodies in chunks, HEAD without one': inReply(({ headers }) => delete headers['content-length']),
  'other words in messages': inBody(
    422,
    (body) => (body['message'] = `Falsch: ${String(body['message']).toUpperCase()}`),
  ),
  'another realm': on(
    401,
    ({ headers }) => (headers['www-authenticate'] = 'Bearer realm="other", error="invalid_token"'),
  ),
  'rate limits with headers in responses to GET and HEAD': inReply((reply, { method }) => {
    if (method === 'GET' || method === 'HEAD') toLimited(reply);
  }),
  'rate limits with headers, but not for unknown paths': inReply((reply, { method, path }) => {
    if (method === 'OPTIONS' || !LISTS.some((it) => path.replace(/^\/+/, '/').startsWith(it))) return;
    if (!/\/nonsense|\/$/.test(path)) toLimited(reply);
  }),
  'a request too many, once': counting((reply, count) => {
    if (count === 100) Object.assign(reply, limited);
  }),
  'connections that are closed after each response': inReply(({ headers }) => (headers['connection'] = 'close')),
  'more properties in the items of lists alone': inList(({ data }) => {
    for (const item of data) Object.assign(item, { url: `/items/${item.id}` });
  }),
  'more properties in the single record alone': inBody(200, (body, it) => {
    if (isGetById(it)) Object.assign(body, { file: { name: 'a.csv', lines: [1, 2] }, errors: [] });
  }),
  'more properties in counts, in lists alone': inItems((item, it) => {
    if (!isGetById(it) && 'counts' in item) Object.assign(item['counts'] as object, { pending: 3 });
  }),
  'instants with the minutes of the offset': instants(withMinutes),
  'instants with all digits of the fraction': instants(withMicroseconds),
  'instants of another time zone': instants(inIndia),
  'in the single record instants have the minutes of the offset': where(isGetById, instants(withMinutes)),
  'in the single record instants have all digits of the fraction': where(isGetById, instants(withMicroseconds)),
  'in the single record instants are of another time zone': where(isGetById, instants(inIndia)),
  'instants of some items are of another time zone': inItems((item) => {
    if (/[0-7]$/.test(item.id)) item.created_at = inIndia(item.created_at);
  }),
  'headers of servers and proxies': inReply(({ headers }) => {
    Object.assign(headers, { server: 'nginx', via: '1.1 cdn', age: '0', 'x-cache': 'MISS', 'alt-svc': 'h3=":443"' });
    headers['strict-transport-security'] = 'max-age=31536000';
    headers['link'] = '<https://example.com/docs>; rel="help"';
    headers['x-powered-by'] = 'PHP/8.4';
  }),
  'a cookie with every response': counting(
    ({ headers }, count) => (headers['set-cookie'] = `SESSION=${String(count)}; Path=/; HttpOnly`),
  ),
  'headers for scripts of any origin': inReply(({ headers }) => {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = 'ETag, X-Request-Id';
    headers['vary'] &&= `Origin, ${headers['vary']}`;
  }),
  'headers of an operation that will go': inReply(({ headers }) => {
    Object.assign(headers, { deprecation: '@1790000000', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' });
  }),
  'compression where it is asked for, with weak tags': inReply((reply, { method, headers }) => {
    if (reply.status !== 200 || !isGzip(headers)) return;
    if (method !== 'HEAD') reply.bytes = gzipSync(reply.body);
    Object.assign(reply.headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding, Authorization' });
    reply.headers['etag'] = `W/${opaque(reply.headers['etag'])}`;
  }),
  'a proxy that compresses, and leaves HEAD the length of the server': on(200, (reply, { method, headers }) => {
    if (!isGzip(headers)) return;
    if (method === 'HEAD')
      Object.assign(reply, { stray: '' }); // With the length of what is not sent.
    else {
      const bytes = gzipSync(reply.body);
      Object.assign(reply, { bytes });
      Object.assign(reply.headers, { 'content-encoding': 'gzip', 'content-length': String(bytes.length) });
    }
  }),
  'Brotli where it is asked for': inReply((reply, { method, headers }) => {
    if (reply.status !== 200 || headers['accept-encoding'] !== 'br') return;
    if (method !== 'HEAD') reply.bytes = brotliCompressSync(reply.body);
    reply.headers['content-encoding'] = 'br';
  }),
  'compression where it is asked for, with a tag of its own': {
    request: ({ headers }) => {
      const tag = headers['if-none-match'];
      if (tag !== undefined && isGzip(headers)) headers['if-none-match'] = tag.replaceAll(/-gzip(?=")/g, '');
      return undefined;
    },
    reply: (reply, { method, headers }) => {
      const { etag } = reply.headers;
      if (etag === undefined || !isGzip(headers)) return;
      if (method !== 'HEAD') reply.bytes = gzipSync(reply.body);
      if (reply.status === 200) reply.headers['content-encoding'] = 'gzip';
      Object.assign(reply.headers, { vary: 'Accept-Encoding, Authorization', etag: etag.replace(/"$/, '-gzip"') });
    },
  },
  'pages of more than 1 MB': inItems((item) => {
    if (typeof item['name'] === 'string' && /№ \d/.test(item['name'])) item['name'] = '𝄞'.repeat(1000);
    Object.assign(item, { notes: '𝄞'.repeat(5000) });
  }),
  'a slow first response': counting(async (_reply, count) => {
    if (count === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }),
  'messages in another language': inReply((reply) => {
    if (reply.status < 400 || reply.body === '') return;
    const { message, ...error } = JSON.parse(reply.body) as Record<string, unknown>;
    reply.headers['content-language'] = 'ja';
    const names = String(message).match(/\x60[^\x60]+\x60|\d+/g) ?? [];
    reply.body = JSON.stringify({ ...error, message: `${names.join('、')}が正しくありません。` });
  }),
  'no-store alone': respell('cache-control', () => 'no-store'),
  'several requests too many': passing((count) => count > 0 && count % 90 === 0 && count < 300, limited),
  'unavailable, once': passing((count) => count === 110, unavailable),
  'rate limits of a small window': windows(200),
  'request ids of other forms': inReply(({ headers }, request) => {
    if (!('x-request-id' in request.headers)) headers['x-request-id'] = `req_01:${String(Math.random()).slice(2)}/+=@~`;
  }),
  'errors with details': inReply((reply) => {
    if (reply.status < 400 || reply.body === '') return;
    const error = JSON.parse(reply.body) as object;
    reply.body = JSON.stringify({
      error: 'Failed',
      details: [{ path: ['query'], value: null }],
      ...error,
      status: '4xx',
    });
  }),
  'every character of texts is escaped': rewrite((json) =>
    JSON.stringify(json).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => {
      const escape = (it: string): string => `\\u${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
      return `"${(JSON.parse(text) as string).replaceAll(/[^]/g, escape)}"`;
    }),
  ),
  'numbers with exponents': inReply((reply, { path }) => {
    if (path.replace(/^\/+/, '/') !== PROPERTIES || reply.body === '') return;
    const value = /("key":"key_\d+","type":"number","fallback_value":)null/g;
    reply.body = reply.body.replaceAll(value, '$11E+2');
  }),
  'tags of unusual characters': {
    request: ({ headers }) => {
      if (headers['if-none-match']) headers['if-none-match'] = headers['if-none-match'].replaceAll(TAG_END, '');
      return undefined;
    },
    reply: ({ headers }) => {
      if (headers['etag']) headers['etag'] = headers['etag'].replace(/"$/, `${TAG_END}"`);
    },
  },
  'a 304 with the type of its response': on(304, ({ headers }) => (headers['content-type'] = 'application/json')),
  '103 Early Hints before each response': inReply((reply) => (reply.isHinted = true)),
  'no X-Content-Type-Options': inReply(({ headers }) => delete headers['x-content-type-options']),
  'both accounts have a record of one id': sharing,
  'a body of a GET is not read': unread(),
  'connections are closed after requests with a body': inReply(({ headers }, { body }) => {
    if (body !== '') headers['connection'] = 'close';
  }),
  'messages with the id and the number of the request': counting((reply, count) => {
    if (reply.status < 400 || reply.body === '') return;
    const error = JSON.parse(reply.body) as { message: string };
    reply.body = JSON.stringify({
      ...error,
      message: `${error.message} (error ${String(count)}, trace ${randomUUID()})`,
    });
  }),
  'messages with the id that was not found': on(404, (reply, { path, query }) => {
    if (reply.body === '') return;
    const id = query.get('after') ?? query.get('before') ?? path.slice(-36);
    const error = JSON.parse(reply.body) as object;
    reply.body = JSON.stringify({ ...error, message: `Nothing has the id ${id}.` });
  }),
  'messages with the value that is wrong': inReply((reply, { query }) => {
    if (reply.status !== 422 || reply.body === '') return;
    const [value = ''] = query.values();
    const error = JSON.parse(reply.body) as { message: string };
    reply.body = JSON.stringify({ ...error, message: `${error.message} It is ${JSON.stringify(value.slice(0, 50))}.` });
  }),
  'other words for the range of a limit': inBody(422, (body, { query }) => {
    if (query.has('limit') && query.size === 1 && query.getAll('limit').length === 1)
      body['message'] = 'limit: expected an integer, minimum 1, maximum 100';
  }),
  'X-Content-Type-Options and Cache-Control on two lines': inReply((reply) => {
    if (reply.status === 204) return;
    if (reply.body !== '') reply.headers['x-content-type-options'] = 'nosniff';
    reply.again = { 'cache-control': 'no-store', ...(reply.body !== '' && { 'x-content-type-options': 'nosniff' }) };
  }),
  'no scripts of other origins': inReply(({ headers }) => {
    for (const name of Object.keys(headers))
      if (name.startsWith('access-control-')) Reflect.deleteProperty(headers, name);
  }),
  'scripts of one other origin, whoever asks': inReply(({ headers }) => {
    if ('access-control-allow-origin' in headers) headers['access-control-allow-origin'] = 'https://app.example';
  }),
  'a star is no tag, as in Spring': ignores('if-none-match', (it) => it === '*'),
  'a 400 for methods in lower case': { unparsed: 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n' },
  'the connection is closed for methods in lower case': { unparsed: '' },
  'the first request is a 503, of a server that starts': passing((count) => count < 2, unavailable),
  'several lines of a header are malformed for the proxy, which has the errors of the contract': {
    request: ({ headers }) =>
      [headers['authorization'], headers['if-none-match']].some((it) => it?.includes('\n') === true)
        ? problem(422, 'validation_error')
        : undefined,
  },
  'escaped letters of a path are decoded': inRequest((it) => {
    it.path = it.path.replaceAll(/%(?:[46][1-9a-f]|[57][0-9a])/gi, decodeURIComponent);
  }),
  'several keys are a 400 of the proxy': {
    request: ({ headers }) =>
      headers['authorization']?.includes('\n') === true
        ? { status: 400, headers: { 'content-type': 'text/html', 'content-length': '0' }, body: '<p>Bad request</p>' }
        : undefined,
  },
};
