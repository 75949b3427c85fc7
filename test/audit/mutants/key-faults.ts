/** Faults of keys, of the order of checks, of the second account, and of what caches read. */
import { authorizes, idOf, toLimited } from './edits.ts';
import { defaults } from './pages.ts';
import { AUTOMATIONS, becomes, counting, hasKey, inReply } from './mutant.ts';
import {
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
} from './mutant.ts';
import type { Change, InterceptedRequest } from './proxy.ts';
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
    'the key may be in X-Api-Key': authorizes(({ headers }) => headers['x-api-key']),
    'the scheme may be Token': authorizes(({ headers }) => /^Token (.+)$/i.exec(headers['authorization'] ?? '')?.[1]),
    'an id in upper case needs no key': opens((it) => isGetById(it) && /[A-F]/.test(it.path)),
    'with a cursor no key is needed': opens(isCursor),
  },
  'auth.unknown': {
    'a long key is a 500': rejects(
      500,
      'application_error',
      ({ headers }) => (headers['authorization']?.length ?? 0) > 255,
    ),
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
});
