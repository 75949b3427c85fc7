/** Faults of keys: schemes that are not anchored, other places of a key, the order of checks. */
import { authorizes, idOf, toLimited, accountOf, fromQuery, otherOf } from './edits.ts';
import { defaults, isUnknown } from './pages.ts';
import {
  AUTOMATIONS,
  becomes,
  counting,
  hasKey,
  inReply,
  isCursor,
  isGetById,
  isList,
  mutantsOf,
  on,
  fails,
  only,
  problem,
  rejects,
  where,
  withoutCursor,
  isSecond,
  IMPORTS,
  cursorOf,
  inBody,
  targetOf,
  inRequest,
} from './mutant.ts';
import type { Change, InterceptedRequest, Context } from './proxy.ts';

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

/** Takes the key from where a pattern finds it in `Authorization`. */
const anchored = (pattern: RegExp): Change =>
  authorizes(({ headers }) => pattern.exec(headers['authorization'] ?? '')?.[1]);

/** Takes the key of a header that authenticates nobody, where there is no `Authorization`. */
const fromHeader = (name: string): Change =>
  authorizes(({ headers }) => ('authorization' in headers ? undefined : headers[name]?.replace(/^Bearer +/i, '')));

const fromCookie = (name: string): Change =>
  authorizes(({ headers }) => {
    const cookies = new Map((headers['cookie'] ?? '').split(/; */).map((it) => it.split('=', 2) as [string, string]));
    return 'authorization' in headers ? undefined : cookies.get(name);
  });

/** Takes the nth of several `Authorization` lines. */
const ofSeveral = (at: number): Change =>
  inRequest(({ headers }) => {
    const lines = headers['authorization']?.split('\n') ?? [];
    if (lines.length > 1) headers['authorization'] = lines.at(at) ?? '';
  });

const hasSeveral = ({ headers }: InterceptedRequest): boolean => headers['authorization']?.includes('\n') === true;

/** Whether an id of the other account is asked for, as an import or as a cursor. */
const isForeign = (request: InterceptedRequest, context: Context): boolean => {
  const account = accountOf(request, context);
  const id = (isGetById(request) ? idOf(request) : cursorOf(request))?.toLowerCase();
  const list = isGetById(request) ? IMPORTS : request.path;
  return account !== undefined && context.items(list, account === 0 ? 1 : 0).some((it) => it.id === id);
};

/** Serves a cursor of the other account from the first page on. */
const knows = (isSo: (request: InterceptedRequest) => boolean): Change =>
  becomes(
    withoutCursor,
    (reply, it, context) => isUnknown(reply, it) && isSo(it) && isForeign(it, context),
    (...it) => (isSecond(...it) ? 1 : 0),
  );

/** Finds imports of the other account. */
const finds = (isSo: (request: InterceptedRequest) => boolean): Change =>
  becomes(
    ({ path }) => path,
    ({ status }, it, context) => status === 404 && isGetById(it) && isSo(it) && isForeign(it, context),
    otherOf,
  );

/** Makes errors 304, for `If-None-Match: *`, or for any tag where there is no key. */
function turnsTo304(isSo: (status: number, request: InterceptedRequest) => boolean): Change {
  return inReply((reply, request) => {
    const tag = request.headers['if-none-match'];
    const isMatch = tag === '*' || (tag !== undefined && reply.status === 401);
    if (!isMatch || !isSo(reply.status, request)) return;
    Object.assign(reply, problem(304, ''), { body: '' });
    reply.headers['etag'] = '"any"';
  });
}

export const KEY_FAULTS = mutantsOf({
  'auth.missing': {
    'the key may be in X-Api-Key': authorizes(({ headers }) => headers['x-api-key']),
    'the scheme may be Token': authorizes(({ headers }) => /^Token (.+)$/i.exec(headers['authorization'] ?? '')?.[1]),
    'an id in upper case needs no key': opens((it) => isGetById(it) && /[A-F]/.test(it.path)),
    'with a cursor no key is needed': opens(isCursor),
    'a scheme may end in Bearer': anchored(/^\w+Bearer +(\S+)$/),
    'a scheme stands before Bearer': anchored(/^Basic +Bearer +(\S+)$/),
    'an equals sign may follow Bearer': anchored(/^Bearer=(\S+)$/),
    'a colon and a blank may follow Bearer': anchored(/^Bearer: +(\S+)$/),
    'a scheme may begin with Bearer': anchored(/^Bearer\w+ +(\S+)$/),
    'Digest is a wrong key': inBody(401, (body, { headers }) => {
      if (headers['authorization']?.startsWith('Digest ') === true) body['name'] = 'invalid_api_key';
    }),
    'the scheme may be JWT': anchored(/^JWT +(\S+)$/),
    'the scheme may be Key': anchored(/^Key +(\S+)$/),
    'the key may be in Api-Key': fromHeader('api-key'),
    'the key may be in X-Access-Token': fromHeader('x-access-token'),
    'the key may be in X-Authorization': fromHeader('x-authorization'),
    'the key may be in Authentication': fromHeader('authentication'),
    'the key may be in X-Forwarded-Authorization': fromHeader('x-forwarded-authorization'),
    'the key may be in the cookie api_key': fromCookie('api_key'),
    'the key may be in the cookie access_token': fromCookie('access_token'),
    'the key may be in the cookie Authorization': fromCookie('Authorization'),
    'the key may be in the cookie auth': fromCookie('auth'),
  },
  'auth.unknown': {
    'a long key is a 500': rejects(
      500,
      'application_error',
      ({ headers }) => (headers['authorization']?.length ?? 0) > 255,
    ),
    'what follows a key behind a blank is passed over': anchored(/^Bearer +(\S+) +\S/i),
    'Bearer may be there twice': anchored(/^Bearer +Bearer +(\S+)$/i),
    'a key may be named token': anchored(/^Bearer +token=(\S+)$/i),
    'a key may end with a semicolon': anchored(/^Bearer +([^; ]+);$/i),
    'a key may be percent-encoded': authorizes(({ headers }) => {
      const [, key] = /^Bearer +(\S*%\S*)$/i.exec(headers['authorization'] ?? '') ?? [];
      return key === undefined ? undefined : decodeURIComponent(key);
    }),
    'a key may be in base64': authorizes(({ headers }) => {
      const [, key = ''] = /^Bearer +([\w+/=]+)$/i.exec(headers['authorization'] ?? '') ?? [];
      const text = Buffer.from(key, 'base64').toString();
      return /^rollcall_[0-9a-f]{40}$/.test(text) ? text : undefined;
    }),
    'a key may be in angle brackets': anchored(/^Bearer +<(\S+)>$/i),
  },
  'auth.precedence': {
    'the id is checked before the key': early(
      422,
      'validation_error',
      (_reply, it) => idOf(it) !== undefined && !isGetById(it),
    ),
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
    'a wrong key is checked before the method': fails(401, 'invalid_api_key', ({ status }, it, context) => {
      return status === 405 && !isKeyless(it) && !hasKey(it, context);
    }),
    'without a key any If-None-Match is a 304': turnsTo304((status) => status === 401),
    'a path with a trailing slash is a 405 for other methods': fails(405, 'method_not_allowed', (reply, it) => {
      return reply.status === 404 && it.method === 'POST' && isList({ path: it.path.replace(/\/$/, '') });
    }),
  },
  'header.www_authenticate': {
    'a wrong key has no WWW-Authenticate': on(401, (reply, it) => {
      if (!isKeyless(it)) delete reply.headers['www-authenticate'];
    }),
  },
  'header.vary': {
    'a 304 has no Vary': on(304, ({ headers }) => delete headers['vary']),
  },
  'header.rate_limit': {
    'more requests remain than there are': limits('100', '101', '1', '100;w=1'),
    'the policy has another limit': limits('100', '99', '1', '1000;w=1'),
    'the window ends after more seconds than it has': limits('100', '99', '60', '100;w=1'),
    'a 429 has no Retry-After': counting((reply, count) => {
      if (count === 100) Object.assign(reply, problem(429, 'rate_limit_exceeded'));
    }),
    'Retry-After is a date': counting((reply, count) => {
      if (count !== 100) return;
      Object.assign(reply, problem(429, 'rate_limit_exceeded'));
      reply.headers['retry-after'] = 'Wed, 21 Oct 2026 07:28:00 GMT';
    }),
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
  'http.head_errors': {
    'HEAD takes any key': authorizes(({ method, headers }, keys) =>
      method === 'HEAD' && !isKeyless({ headers }) ? keys[0] : undefined,
    ),
  },
  'auth.in_query': {
    'the key may be in auth': fromQuery('auth'),
    'the key may be in bearer': fromQuery('bearer'),
    'the key may be in apiKey': fromQuery('apiKey'),
    'the key may be in api-key': fromQuery('api-key'),
    'the key may be in auth_token': fromQuery('auth_token'),
  },
  'auth.several': {
    'of two keys the first counts': ofSeveral(0),
    'two keys are a missing one': rejects(401, 'missing_api_key', hasSeveral),
  },
  'isolation.disclosure': {
    'the message of a 404 tells that a cursor is of another account': inBody(404, (body, request, context) => {
      if (isCursor(request) && isForeign(request, context)) body['message'] = 'You cannot use this cursor.';
    }),
    'the 404 of a foreign id has one header more': inReply((reply, request, context) => {
      if (reply.status === 404 && isForeign(request, context)) reply.headers['x-owner'] = 'second';
    }),
  },
  'isolation.cursor': {
    'an id of the other account in upper case is a cursor': knows((it) => /[A-F]/.test(cursorOf(it))),
  },
  'isolation.get': {
    'HEAD finds imports of the other account': finds(({ method }) => method === 'HEAD'),
  },
  'http.conditional_errors': {
    'If-None-Match: * of an unknown import is a 304': turnsTo304((status, it) => status === 404 && isGetById(it)),
    'a known tag is a 304 before parameters are judged': inReply(async (reply, request, context) => {
      const tag = request.headers['if-none-match'];
      if (reply.status !== 422 || tag === undefined || tag === '*' || !hasKey(request, context)) return;
      const found = await context.get(targetOf(request, ...request.query.keys()), accountOf(request, context));
      if (found.headers['etag'] === tag) Object.assign(reply, { ...found, status: 304, body: '' });
    }),
    'If-None-Match: * is a 304 before parameters are judged': turnsTo304((status) => status === 422),
  },
});
