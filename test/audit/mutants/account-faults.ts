/** Faults that only the second account meets, leaks between the accounts, and faults of replicas, CDNs and proxies. */
import { setImmediate } from 'node:timers/promises';
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  inList,
  inPage,
  mutantsOf,
  on,
  only,
  where,
  withoutCursor,
  becomes,
  reads,
  isSecond,
  inReply,
  targetOf,
} from './mutant.ts';
import { defaults, drops, isParameter, isUnknown, limits } from './pages.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';
import { gzipSync } from 'node:zlib';
import { accountOf, replica, toNotModified } from './edits.ts';

/** Changes what the second account gets, in all lists or in one. */
const second = (change: Change, path?: string): Change =>
  where(isSecond, path === undefined ? change : only(path, change));

// Client and proxy are in one thread: after so many turns of its loop, a request that was sent at the same time is there.
const TURNS = 50;

/** Keeps the key of a request for a moment where the next one overwrites it. */
function racing(): Change {
  let last: string | undefined;
  return {
    request: async (request) => {
      last = request.headers['authorization'];
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      if (last !== undefined) request.headers['authorization'] = last;
      return undefined;
    },
  };
}

const isOdd = (_request: unknown, count: number): boolean => count % 2 === 1;

const compress = (reply: Reply): void => {
  reply.bytes = gzipSync(reply.body);
  reply.headers['content-encoding'] = 'gzip';
};

const isFull = (reply: Reply, { method }: InterceptedRequest): boolean => reply.status === 200 && method !== 'HEAD';

export const ACCOUNT_FAULTS = mutantsOf({
  'list.invalid_limit': {
    'the second account: the limit has no bound': second(reads('limit', (it) => (Number(it) > 100 ? '100' : it))),
  },
  'request.unknown_parameter': {
    'the second account: unknown parameters are ignored': second(drops((it) => !isParameter(it))),
  },
  'response.status': {
    'the second account: validation errors are 400': second(on(422, (reply) => (reply.status = 400))),
  },
  'isolation.list': {
    'two requests at the same time are of the account of the later one': racing(),
  },
  'isolation.cursor': {
    'the second account: an unknown cursor is the first page': second(becomes(withoutCursor, isUnknown, () => 1)),
    'the cursor of the other account is the start of its list': second(
      becomes(withoutCursor, (reply, { path, query }, { items }) => {
        return reply.status === 404 && items(path).some(({ id }) => id === query.get('before'));
      }),
    ),
  },
  'list.sampled': {
    'the second account: after is ignored': second(
      becomes(
        withoutCursor,
        ({ status }, { query }) => query.has('after') && status === 200,
        () => 1,
      ),
      PROPERTIES,
    ),
    'the second account: before has the newest automations': second(
      inPage((page, { isBackward, newer, limit }) => {
        if (isBackward) page.data = newer.slice(0, limit);
      }),
      AUTOMATIONS,
    ),
    'the second account: there is always more': second(inList((page) => (page.has_more = true))),
    'the second account: automations have no second page': second(
      inList((page) => (page.has_more = false)),
      AUTOMATIONS,
    ),
    'the second account: the default limit of imports is 20': second(
      defaults('20', () => true),
      IMPORTS,
    ),
    'the second account: the limit is not read': second(
      limits(/^([1-9]\d?|100)$/, () => 20),
      AUTOMATIONS,
    ),
    'the second account: with a cursor the filter is ignored': second(
      inPage((page, { status, items, cursor, limit, isBackward }) => {
        if (status !== null && cursor >= 0 && !isBackward) page.data = items.slice(cursor + 1, cursor + 1 + limit);
      }),
      IMPORTS,
    ),
  },
  'http.modified': {
    'a CDN stores a 304 for those who hold nothing': (() => {
      const stored = new Set<string>();
      return inReply((reply, it, context) => {
        const name = `${targetOf(it)} ${String(accountOf(it, context))} ${it.method}`;
        if (reply.status === 304) stored.add(name);
        else if (reply.status === 200 && stored.delete(name)) toNotModified(reply);
      });
    })(),
  },
  'http.compression': {
    'bodies are compressed without being asked': inReply((reply, it) => {
      if (isFull(reply, it)) compress(reply);
    }),
    'long pages are compressed without being asked': inReply((reply, it) => {
      if (isFull(reply, it) && reply.body.length > 4096) compress(reply);
    }),
    'gzip;q=0 is compressed': inReply((reply, it) => {
      if (isFull(reply, it) && /gzip;\s*q=0(?:\.0*)?(?![.\d])/.test(it.headers['accept-encoding'] ?? ''))
        compress(reply);
    }),
    'identity is compressed': inReply((reply, it) => {
      if (isFull(reply, it) && it.headers['accept-encoding']?.startsWith('identity') === true) compress(reply);
    }),
    'errors are compressed without being asked': inReply((reply, { method }) => {
      if (reply.status === 422 && method === 'GET') compress(reply);
    }),
  },
  'http.unique_request_id': {
    'a CDN stores the X-Request-Id of a page': (() => {
      const known = new Map<string, string>();
      return on(200, (reply, it, context) => {
        if ('x-request-id' in it.headers) return;
        const name = `${targetOf(it)} ${String(accountOf(it, context))}`;
        reply.headers['x-request-id'] = known.get(name) ?? reply.headers['x-request-id'] ?? '';
        known.set(name, reply.headers['x-request-id']);
      });
    })(),
  },
  'list.after': {
    'a replica has other statuses of automations': replica(
      (items, path) =>
        items.map((it, at) => (path === AUTOMATIONS && at % 5 === 0 ? { ...it, status: 'enabled' } : it)),
      isOdd,
    ),
  },
});
