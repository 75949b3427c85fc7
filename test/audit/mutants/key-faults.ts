/** Faults of keys, of the order of checks, of the second account, and of what caches read. */
import { accountOf, authorizes, hash, idOf, tags, toLimited } from './edits.ts';
import { defaults } from './pages.ts';
import {
  AUTOMATIONS,
  IMPORTS,
  LISTS,
  PROPERTIES,
  becomes,
  counting,
  hasKey,
  inBody,
  inReply,
  inRequest,
} from './mutant.ts';
import {
  isCursor,
  isGetById,
  isList,
  mutantsOf,
  on,
  targetOf,
  fails,
  only,
  problem,
  rejects,
  where,
  withoutCursor,
  isSecond,
} from './mutant.ts';
import type { Change, InterceptedRequest } from './proxy.ts';

const bearer = (value = ''): string => value.replace(/^Bearer +/i, '');
const isKeyless = ({ headers }: { readonly headers: Record<string, string> }): boolean =>
  !/^Bearer ./i.test(headers['authorization'] ?? '');
/** Needs no key for some requests. */
const opens = (isSo: (request: InterceptedRequest) => boolean): Change =>
  authorizes((it, keys) => (isSo(it) && !('authorization' in it.headers) ? keys[0] : undefined));
/** Puts rate-limit headers into every response. */
const limits = (limit: string, remaining: string, reset: string, policy: string): Change =>
  inReply((reply) => {
    toLimited(reply, limit, remaining, reset, policy);
  });
const early = (status: number, name: string, isSo: Parameters<typeof fails>[2]): Change =>
  fails(status, name, (...it) => it[0].status === 401 && isSo(...it));

export const KEY_FAULTS = mutantsOf({
  'auth.missing': {
    'a key may be in upper case': authorizes(({ headers }, keys) => {
      return keys.find((it) => it.toLowerCase() === bearer(headers['authorization']).toLowerCase());
    }),
    'a key may have more behind it': authorizes(({ headers }, keys) => {
      return keys.find((it) => bearer(headers['authorization']).startsWith(it));
    }),
    'the key may be in X-Api-Key': authorizes(({ headers }) => headers['x-api-key']),
    'the key may be in a cookie': authorizes(
      ({ headers }) => /rollcall_[0-9a-f]{40}/.exec(headers['cookie'] ?? '')?.[0],
    ),
    'the key may be the user of Basic': authorizes(({ headers }) => {
      const [, basic] = /^Basic (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
      const user = Buffer.from(basic ?? '', 'base64')
        .toString()
        .replace(/:.*$/s, '');
      return /^[!-~]+$/.test(user) ? user : undefined;
    }),
    'the scheme may be Token': authorizes(({ headers }) => /^Token (.+)$/i.exec(headers['authorization'] ?? '')?.[1]),
    'any scheme has a key': authorizes(
      ({ headers }) => /^[A-Za-z-]+ +(\S+)$/.exec(headers['authorization'] ?? '')?.[1],
    ),
    'another scheme is a wrong key': inBody(401, (body, { headers }) => {
      if (/^Basic /i.test(headers['authorization'] ?? '')) body['name'] = 'invalid_api_key';
    }),
    'get by id needs no key': opens(isGetById),
    'with two slashes no key is needed': opens(({ path }) => path.startsWith('//')),
    'with an escape in the path no key is needed': {
      request: (it, context) => {
        const path = it.path.replace('%73', 's');
        if (path === it.path || 'authorization' in it.headers) return undefined;
        return context.get(targetOf({ ...it, path }));
      },
    },
    'an id in upper case needs no key': opens((it) => isGetById(it) && /[A-F]/.test(it.path)),
    'with a cursor no key is needed': opens(isCursor),
    'a missing key is a wrong one for contact properties': inBody(401, (body, { path }) => {
      if (path === PROPERTIES) body['name'] = 'invalid_api_key';
    }),
  },
  'auth.in_query': {
    'a key is looked for in every parameter': inRequest(({ headers, query }) => {
      const found = [...query].find(([, value]) => /^rollcall_[0-9a-f]{40}$/.test(value));
      if (found === undefined || 'authorization' in headers) return;
      query.delete(found[0]);
      headers['authorization'] = `Bearer ${found[1]}`;
    }),
  },
  'auth.scheme_case': {
    'the scheme may not be in capitals': inRequest(({ headers }) => {
      if (headers['authorization']?.startsWith('BEARER ') === true) delete headers['authorization'];
    }),
  },
  'auth.unknown': {
    'a key of another form is a missing one': inBody(401, (body, { headers }) => {
      if (!/^rollcall_[0-9a-f]{40}$/.test(bearer(headers['authorization']))) body['name'] = 'missing_api_key';
    }),
    'a key with a quote in it is a 500': fails(500, 'application_error', ({ status }, { headers }) => {
      return status === 401 && /['%\\]/.test(headers['authorization'] ?? '');
    }),
    'a long key is a 500': rejects(
      500,
      'application_error',
      ({ headers }) => (headers['authorization']?.length ?? 0) > 255,
    ),
    'a key beyond ASCII is a 500': rejects(500, 'application_error', ({ headers }) => {
      return /[\u0080-\uffff]/.test(headers['authorization'] ?? '');
    }),
    'with a cursor any key is taken': authorizes((it, keys) =>
      isCursor(it) && !isKeyless(it)
        ? (keys.find((key) => it.headers['authorization']?.endsWith(key)) ?? keys[0])
        : undefined,
    ),
    'with a wrong key there is no import': fails(404, 'not_found', ({ status }, it) => {
      return status === 401 && isGetById(it) && !isKeyless(it);
    }),
  },
  'auth.precedence': {
    'a request with If-None-Match needs no key': inReply(async (reply, it, { get }) => {
      const tag = it.headers['if-none-match'];
      if (reply.status !== 401 || tag === undefined) return;
      const found = await get(targetOf(it));
      if (found.headers['etag'] === tag) Object.assign(reply, { ...found, status: 304, body: '' });
    }),
    'the id is checked before the key': early(
      422,
      'validation_error',
      (_reply, it) => idOf(it) !== undefined && !isGetById(it),
    ),
    'without a key an unknown import is a 404': early(404, 'not_found', (_reply, it, { items }) => {
      return isGetById(it) && !items(IMPORTS).some(({ id }) => id === idOf(it)?.toLowerCase());
    }),
    'with a wrong key parameters are checked first': early(422, 'validation_error', (_reply, it) => {
      return (
        isList(it) &&
        !isKeyless(it) &&
        (it.query.has('nonsense') || !/^(?:[1-9]\d?|100)$/.test(it.query.get('limit') ?? '1'))
      );
    }),
    'without a key the limit is checked first': early(422, 'validation_error', (_reply, it) => {
      return isList(it) && isKeyless(it) && it.query.get('limit') === '0';
    }),
    'the method is checked before the path': fails(405, 'method_not_allowed', ({ status }, { method }) => {
      return status === 404 && !['GET', 'HEAD', 'OPTIONS'].includes(method);
    }),
    'a wrong key is checked before the method': fails(401, 'invalid_api_key', ({ status }, it, context) => {
      return status === 405 && !isKeyless(it) && !hasKey(it, context);
    }),
  },
  'header.www_authenticate': {
    'the scheme to authenticate with is Basic': on(
      401,
      ({ headers }) => (headers['www-authenticate'] = 'Basic realm="rollcall"'),
    ),
    'a wrong key has no WWW-Authenticate': on(401, (reply, it) => {
      if (!isKeyless(it)) delete reply.headers['www-authenticate'];
    }),
  },
  'header.cache_control': {
    'responses are public, no-cache': on(200, ({ headers }) => (headers['cache-control'] = 'public, no-cache')),
    'get by id is public': on(200, ({ headers }, it) => {
      if (isGetById(it)) headers['cache-control'] = 'no-cache, public';
    }),
    'errors may be stored for a minute': on(404, ({ headers }) => (headers['cache-control'] = 'public, max-age=60')),
    'a 304 has no Cache-Control': on(304, ({ headers }) => delete headers['cache-control']),
  },
  'header.vary': {
    'a 304 has no Vary': on(304, ({ headers }) => delete headers['vary']),
    'a 401 has no Vary': on(401, ({ headers }) => delete headers['vary']),
    'contact properties vary with the cookie alone': on(200, ({ headers }, { path }) => {
      if (path === PROPERTIES) headers['vary'] = 'Cookie';
    }),
    'responses vary with anything': on(200, ({ headers }) => (headers['vary'] = '*')),
  },
  'header.etag': {
    'the tag of an import has no quotes': on(200, ({ headers }, it) => {
      if (isGetById(it)) headers['etag'] = headers['etag']?.replaceAll('"', '') ?? '';
    }),
    'a weak tag has a small letter': on(200, ({ headers }) => (headers['etag'] = `w/${headers['etag'] ?? ''}`)),
  },
  'header.rate_limit': {
    'more requests remain than there are': limits('100', '101', '1', '100;w=1'),
    'the policy has another limit': limits('100', '99', '1', '1000;w=1'),
    'the window ends after more seconds than it has': limits('100', '99', '60', '100;w=1'),
    'the window ends at a time of the clock': limits('100', '99', '1790000000', '100;w=60'),
    'fewer requests remain than none': limits('100', '-1', '1', '100;w=1'),
    'the limit has its policy behind it': limits('100, 100;w=1', '99', '1', '100;w=1'),
    'a 304 has a part of the rate-limit headers': on(304, ({ headers }) => (headers['ratelimit-remaining'] = '9')),
    'a 429 has no Retry-After': counting((reply, count) => {
      if (count === 100) Object.assign(reply, problem(429, 'rate_limit_exceeded'));
    }),
    'Retry-After is a date': counting((reply, count) => {
      if (count !== 100) return;
      Object.assign(reply, problem(429, 'rate_limit_exceeded'));
      reply.headers['retry-after'] = 'Wed, 21 Oct 2026 07:28:00 GMT';
    }),
  },
  'isolation.etag': {
    'the tag is made of the target alone': tags((_body, { path, query }) => hash(`${path}?${query.toString()}`)),
  },
  'isolation.cursor': {
    'the cursor before may be of the other account': becomes(
      ({ path }) => path,
      ({ status }, it, context) => {
        const cursor = it.query.get('before')?.toLowerCase();
        const account = accountOf(it, context);
        return (
          status === 404 &&
          account !== undefined &&
          LISTS.some(
            (list) => list === it.path && context.items(list, account === 0 ? 1 : 0).some(({ id }) => id === cursor),
          )
        );
      },
    ),
  },
  'list.filter': {
    'with a filter every key reads the first account': authorizes((it, keys) => {
      return it.query.has('status') && it.headers['authorization'] === `Bearer ${keys[1]}` ? keys[0] : undefined;
    }),
    'for the second account the filter is ignored': inRequest((it, context) => {
      if (isSecond(it, context) && ['enabled', 'queued'].includes(it.query.get('status') ?? ''))
        it.query.delete('status');
    }),
  },
  'list.conflicting_cursors': {
    'an unknown cursor is found missing before the limit': fails(404, 'not_found', ({ status }, it, { items }) => {
      const cursor = it.query.get('after') ?? '';
      return (
        status === 422 &&
        isList(it) &&
        /^[0-9a-f-]{36}$/i.test(cursor) &&
        !items(it.path).some(({ id }) => id === cursor.toLowerCase())
      );
    }),
  },
  'list.pagination': {
    'contact properties are those of all accounts': becomes(
      (it) => targetOf(it),
      ({ status }, it, context) => status === 200 && isSecond(it, context) && it.path === PROPERTIES && !isCursor(it),
    ),
  },
  'list.sampled': {
    'for the second account before is the head of the list': becomes(
      withoutCursor,
      ({ status }, it, context) => status === 200 && isSecond(it, context) && it.query.has('before'),
      () => 1,
    ),
    'for the second account automations have another default limit': where(
      isSecond,
      only(
        AUTOMATIONS,
        defaults('10', () => true),
      ),
    ),
  },
  'request.unknown_parameter': {
    'an unknown import is found missing before its parameters': fails(404, 'not_found', ({ status }, it, { items }) => {
      return (
        status === 422 &&
        isGetById(it) &&
        it.query.size > 0 &&
        !items(IMPORTS).some(({ id }) => id === idOf(it)?.toLowerCase())
      );
    }),
  },
  'request.unknown_path': {
    'unknown paths need a key': fails(401, 'missing_api_key', ({ status }, it, context) => {
      return status === 404 && !isList(it) && !isGetById(it) && !hasKey(it, context);
    }),
  },
  'http.head_errors': {
    'HEAD takes any key': authorizes(({ method, headers }, keys) =>
      method === 'HEAD' && !isKeyless({ headers }) ? keys[0] : undefined,
    ),
  },
});
