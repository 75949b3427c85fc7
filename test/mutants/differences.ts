/** What an implementation may do differently, by its name: `conform` is green with each. */
import { counting, inBody, inItems, inList, inReply, on, problem } from './mutant.ts';
import type { Change } from './proxy.ts';

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
  'rate limits with headers': inReply((reply) => {
    const limits = { limit: '1000', remaining: '999', reset: '1', policy: '1000;w=1' };
    if (reply.status === 200 || reply.status === 304) {
      for (const [name, value] of Object.entries(limits)) reply.headers[`ratelimit-${name}`] = value;
    }
  }),
  'a request too many, once': counting((reply, count) => {
    if (count === 100) Object.assign(reply, limited);
  }),
  'connections that are closed after each response': inReply(({ headers }) => (headers['connection'] = 'close')),
};
