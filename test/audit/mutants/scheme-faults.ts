/** Faults of keys and accounts that a request or two show: schemes that are not anchored, other places of a key, what tells a foreign id. */
import { accountOf, authorizes, idOf, fromQuery, otherOf } from './edits.ts';
import { isUnknown } from './pages.ts';
import { IMPORTS, cursorOf, hasKey, inBody, inReply, isCursor, isGetById, isList } from './mutant.ts';
import { mutantsOf, targetOf, withoutCursor, becomes, fails, inRequest, problem, rejects, isSecond } from './mutant.ts';
import type { Change, Context, InterceptedRequest } from './proxy.ts';

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

export const SCHEME_FAULTS = mutantsOf({
  'auth.missing': {
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
  'auth.unknown': {
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
  'auth.precedence': {
    'without a key any If-None-Match is a 304': turnsTo304((status) => status === 401),
    'a path with a trailing slash is a 405 for other methods': fails(405, 'method_not_allowed', (reply, it) => {
      return reply.status === 404 && it.method === 'POST' && isList({ path: it.path.replace(/\/$/, '') });
    }),
  },
});

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
