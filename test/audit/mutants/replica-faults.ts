/** Faults of two replicas behind one address, of CDNs, and of proxies such as nginx. */
import { gzipSync } from 'node:zlib';
import { accountOf, hash, page, replica, tags, toHtml, toNotModified, idOf, opaque } from './edits.ts';
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  counting,
  hasKey,
  inReply,
  inRequest,
  isGetById,
  isList,
  mutantsOf,
  on,
} from './mutant.ts';
import { targetOf, fails, isSecond } from './mutant.ts';
import type { Change, InterceptedRequest, Context, Item, Reply } from './proxy.ts';

const isOdd = (_request: unknown, count: number): boolean => count % 2 === 1;
/** As the contract orders them, but items of one instant by id ascending. */
const ascendingTies = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) =>
    a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1,
  );
const without = (list: string, isSo: (at: number) => boolean) => (items: readonly Item[], path: string) =>
  path === list ? items.filter((_, at) => !isSo(at)) : items;
const copyOf = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers } });
/** Serves stored 200 responses where a request has the name of an earlier one. */
function cdn(nameOf: (request: InterceptedRequest, context: Context) => string | undefined): Change {
  const stored = new WeakMap<Context, Map<string, Reply>>();
  return inReply((reply, request, context) => {
    const name =
      request.method === 'GET' && !('if-none-match' in request.headers) ? nameOf(request, context) : undefined;
    if (name === undefined) return;
    const pages = stored.get(context) ?? new Map<string, Reply>();
    stored.set(context, pages);
    const old = pages.get(name);
    if (old !== undefined) Object.assign(reply, copyOf(old));
    else if (reply.status === 200) pages.set(name, copyOf(reply));
  });
}
const compress = (reply: Reply): void => {
  reply.bytes = gzipSync(reply.body);
  reply.headers['content-encoding'] = 'gzip';
};
const isFull = (reply: Reply, { method }: InterceptedRequest): boolean => reply.status === 200 && method !== 'HEAD';
/** Every so often, changes a response of a status. */
const nowAndThen = (
  every: number,
  isSo: (reply: Reply, request: InterceptedRequest) => boolean,
  edit: (reply: Reply) => unknown,
): Change => {
  let count = 0;
  return inReply((reply, request) => (isSo(reply, request) && ++count % every === 0 ? edit(reply) : undefined));
};

export const REPLICA_FAULTS = mutantsOf({
  'list.pagination': {
    'a CDN ignores the limit': cdn((it, context) => {
      return isList(it) && hasKey(it, context) && it.query.size === 1
        ? `${targetOf(it, 'limit')} ${String(accountOf(it, context))}`
        : undefined;
    }),
    'two replicas have ties in different order, each for every second request': replica(ascendingTies, isOdd),
    'a replica has the last pages in the order of their ids': replica((items) => {
      const [head, tail] = [items.slice(0, 60), items.slice(60)];
      return [...head, ...tail.toSorted((a, b) => (a.id < b.id ? 1 : -1))];
    }, isOdd),
    'a CDN ignores the query': cdn((it, context) => {
      return isList(it) ? `${it.path} ${String(accountOf(it, context))}` : undefined;
    }),
    'a CDN ignores the cursor after': cdn((it, context) => {
      return isList(it) && hasKey(it, context) && !it.query.has('before')
        ? `${targetOf(it, 'after')} ${String(accountOf(it, context))}`
        : undefined;
    }),
  },
  'list.limit': {
    'a stale replica lacks the three newest automations': replica(
      without(AUTOMATIONS, (at) => at < 3),
      isOdd,
    ),
  },
  'list.filter': {
    'a CDN of imports ignores the filter': cdn((it, context) => {
      return it.path === IMPORTS && hasKey(it, context) && it.query.has('status')
        ? `${targetOf(it, 'status')} ${String(accountOf(it, context))}`
        : undefined;
    }),
  },
  'get.found': {
    'a stale replica does not find the newest imports': (() => {
      let count = 0;
      return fails(404, 'not_found', ({ status }, it, context) => {
        const at = context.items(IMPORTS, accountOf(it, context)).findIndex(({ id }) => id === idOf(it)?.toLowerCase());
        return status === 200 && isGetById(it) && at >= 0 && at < 20 && count++ % 2 === 1;
      });
    })(),
  },
  'auth.missing': {
    'a CDN has stored pages for any key': cdn((it, context) =>
      isSecond(it, context) || !('authorization' in it.headers) ? undefined : targetOf(it),
    ),
    'a CDN has stored pages without a key': cdn((it, context) => {
      return isSecond(it, context) || (!hasKey(it, context) && 'authorization' in it.headers)
        ? undefined
        : targetOf(it);
    }),
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
  'http.not_modified': {
    'two replicas have different tags': (() => {
      let count = 0;
      return tags((body) => `"${String(count++ % 2)}.${hash(body).slice(1)}`);
    })(),
    'a proxy makes all tags weak and knows only strong ones': {
      request: ({ headers }) => {
        if (headers['if-none-match']?.startsWith('W/') === true) delete headers['if-none-match'];
        return undefined;
      },
      reply: ({ headers }) => {
        if ('etag' in headers) headers['etag'] = `W/${opaque(headers['etag'])}`;
      },
    },
    'tags are weak, and compared as texts': {
      request: ({ headers }) => {
        if (headers['if-none-match']?.startsWith('W/') !== true) delete headers['if-none-match'];
        return undefined;
      },
      reply: ({ headers }) => {
        if ('etag' in headers) headers['etag'] = `W/${opaque(headers['etag'])}`;
      },
    },
  },
  'response.status': {
    'nginx: every fortieth GET is a 502': nowAndThen(
      40,
      (_reply, { method }) => method === 'GET',
      (reply) => Object.assign(reply, page(502)),
    ),
    'nginx: a long target is a 414': { request: ({ target }) => (target.length > 1024 ? page(414) : undefined) },
    'nginx: a path with %00 is a 400': { request: ({ path }) => (path.includes('%00') ? page(400) : undefined) },
    'nginx: get by id redirects to https': {
      request: (it) => {
        if (!isGetById(it) || it.method !== 'GET') return undefined;
        return { ...page(301), headers: { ...page(301).headers, location: `https://localhost${it.path}` } };
      },
    },
    'a firewall rejects what looks like SQL or a script': {
      request: ({ target, headers }) =>
        /%27|'|%3c|</i.test(`${target}${headers['authorization'] ?? ''}`) ? page(403) : undefined,
    },
    'a limit per second of the proxy is a 503 in HTML': counting((reply, count) => {
      if (count === 90) Object.assign(reply, page(509));
    }),
  },
  'response.content_type': {
    'nginx: errors of unknown methods are HTML': on(405, (reply, { method }) => {
      if (!['POST', 'PUT', 'PATCH'].includes(method)) toHtml(reply);
    }),
    'nginx: a missing key is a page': on(401, (reply, { headers }) => {
      if (!('authorization' in headers)) toHtml(reply);
    }),
    'nginx: errors have a charset': inReply(({ status, headers }) => {
      if (status >= 400) headers['content-type'] = 'application/json; charset=utf-8';
    }),
    'a proxy replaces the body of a 404 of get by id': on(404, (reply, it) => {
      if (isGetById(it)) toHtml(reply);
    }),
  },
  'header.etag': {
    'nginx: imports have no tag': on(200, ({ headers }, it) => {
      if (isGetById(it)) delete headers['etag'];
    }),
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
  'http.head': {
    'a CDN makes HEAD of stored pages of another query': inReply(async (reply, it, context) => {
      const account = accountOf(it, context);
      if (it.method !== 'HEAD' || reply.status !== 200 || !isList(it) || it.query.size === 0 || account === undefined)
        return;
      reply.headers['etag'] = (await context.get(it.path, account)).headers['etag'] ?? '';
    }),
  },
  'http.request_id': {
    'a CDN has pages of one account for the other': cdn((it, context) =>
      hasKey(it, context) && isList(it) ? targetOf(it) : undefined,
    ),
    'a CDN has first pages of contact properties for both accounts': cdn((it, context) =>
      hasKey(it, context) && it.path === PROPERTIES && it.query.size === 0 ? it.path : undefined,
    ),
  },
  'http.kept_request_id': {
    'nginx sets an X-Request-Id of its own on errors': nowAndThen(
      1,
      ({ status }) => status === 404 || status === 401,
      ({ headers }) => {
        headers['x-request-id'] = hash(String(Math.random())).slice(1, -1);
      },
    ),
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
  'http.multiple_etags': {
    'for imports alone two replicas have ties in different order': replica(
      (items, path) => (path === IMPORTS ? ascendingTies(items) : items),
      isOdd,
    ),
    'a replica lacks an old contact property': replica(
      without(PROPERTIES, (at) => at === 40),
      isOdd,
    ),
  },
  'list.after': {
    'a replica has other statuses of automations': replica(
      (items, path) =>
        items.map((it, at) => (path === AUTOMATIONS && at % 5 === 0 ? { ...it, status: 'enabled' } : it)),
      isOdd,
    ),
    'every fourth request for a cursor goes to a replica without ties in order': replica(
      ascendingTies,
      ({ query }, count) => query.has('after') && count % 4 === 3,
    ),
  },
  'list.default_limit': {
    'two replicas have different default limits': (() => {
      let count = 0;
      return inRequest((it) => {
        if (isList(it) && !it.query.has('limit') && it.query.size === 0 && count++ % 2 === 1)
          it.query.set('limit', '25');
      });
    })(),
  },
  'request.exact_path': {
    'a CDN has imports of one account for the other': cdn((it, context) =>
      hasKey(it, context) && isGetById(it) ? it.path.toLowerCase() : undefined,
    ),
  },
  'response.schema': {
    'a proxy cuts long pages': on(200, (reply, { method }) => {
      if (method === 'GET' && reply.body.length > 16_384) reply.body = reply.body.slice(0, 16_384);
    }),
  },
});
