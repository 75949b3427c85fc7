/** What an implementation may do differently: `conform` is green with each. */
import { inBody, inItems, inList, on, problem } from './mutant.ts';
import type { Change } from './proxy.ts';

export interface Difference extends Change {
  readonly name: string;
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, it]) => [name, reversed(it)]),
  );
};

export const DIFFERENCES: readonly Difference[] = [
  { name: 'none' },
  {
    name: 'more properties in items, lists and errors',
    reply: async (reply, request, context) => {
      for (const change of [
        inItems((item) => Object.assign(item, { tags: ['new'] })),
        inList((body) => Object.assign(body, { total: 3 })),
        ...[401, 404, 405, 422].map((status) =>
          inBody(status, (body) => Object.assign(body, { docs: 'https://example.com' })),
        ),
      ])
        await change(reply, request, context);
    },
  },
  {
    name: 'weak tags',
    reply: ({ headers }) => {
      if (headers['etag'] !== undefined) headers['etag'] = `W/${headers['etag']}`;
    },
  },
  {
    name: 'more in Vary, in lower case',
    reply: ({ headers }) => {
      if (headers['vary'] !== undefined) headers['vary'] = 'accept-encoding, authorization, Origin';
    },
  },
  {
    name: 'a stricter Cache-Control',
    reply: ({ headers }) => {
      if (headers['cache-control'] !== undefined) headers['cache-control'] = 'private, no-store, max-age=0';
    },
  },
  {
    name: 'another order of keys',
    reply: (reply) => {
      if (reply.body !== '') reply.body = JSON.stringify(reversed(JSON.parse(reply.body)));
    },
  },
  {
    name: 'another form of JSON: spaces, escapes',
    reply: (reply) => {
      if (reply.body === '') return;
      const text = JSON.stringify(JSON.parse(reply.body), null, 2);
      reply.body = text.replaceAll(/[^\0-\x7f]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
    },
  },
  {
    name: 'no lengths: bodies in chunks, HEAD without one',
    reply: ({ headers }) => Reflect.deleteProperty(headers, 'content-length'),
  },
  {
    name: 'other words in messages',
    reply: inBody(422, (body) => (body['message'] = `Falsch: ${String(body['message']).toUpperCase()}`)),
  },
  {
    name: 'another realm',
    reply: on(401, ({ headers }) => (headers['www-authenticate'] = 'Bearer realm="other", error="invalid_token"')),
  },
  {
    name: 'rate limits with headers',
    reply: (reply) => {
      const headers = { limit: '1000', remaining: '999', reset: '1', policy: '1000;w=1' };
      if (reply.status === 200 || reply.status === 304) {
        for (const [name, value] of Object.entries(headers)) reply.headers[`ratelimit-${name}`] = value;
      }
    },
  },
  {
    name: 'a request too many, once',
    request: (request, { memory }) => {
      const count = (memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      if (count !== 100 || request.method !== 'GET') return undefined;
      const limited = problem(429, 'rate_limit_exceeded');
      limited.headers['retry-after'] = '1';
      return limited;
    },
  },
  {
    name: 'connections that are closed after each response',
    reply: ({ headers }) => (headers['connection'] = 'close'),
  },
];
