/** Rules of API keys. */
import { Failure, forEach } from '../rules/rule.ts';
import type { Rule } from './rule.ts';
import { assertThat } from './session.ts';
import type { Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_KEY } from './values.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const AUTH_RULES: readonly Rule[] = [
  {
    id: 'auth.missing',
    title: 'without a bearer key, the response is 401 missing_api_key; other headers and schemes do not authenticate',
    change:
      'Read the key from the Authorization header alone, and match its whole value: Bearer, spaces, and all that follows as the key, which is missing only if nothing follows.',
    check: async (target) => {
      const { key } = target;
      const others = [
        ...['Bearer', '', 'Basic dXNlcjpwYXNz', `Basic ${base64(`${key}:`)}`, `Basic ${base64(`user:${key}`)}`],
        ...[`Token ${key}`, `Bearer${key}`, `ApiKey ${key}`, `JWT ${key}`, `Key ${key}`],
        ...[`Basic Bearer ${key}`, `XBearer ${key}`, `Token Bearer ${key}`],
      ];
      // No schemes at all: a server may take each for another scheme, or for a wrong key.
      const malformed = [`Bearer:${key}`, `Bearer=${key}`, `Bearer, Bearer ${key}`, `Basic dTpw, Bearer ${key}`];
      const path = await target.likelyPath();
      await forEach([null, key, ...target.shareOfAll(others)], (authorization) =>
        target.assertProblem({ path, authorization }, 'missing_api_key'),
      );
      const { missing_api_key } = target.contract.problemStatus;
      await forEach(target.shareOfAll(malformed), (authorization) =>
        target.request({ path, authorization }, missing_api_key),
      );
      const entries = KEY_HEADERS.map(
        (name) => [name, name.endsWith('authorization') ? `Bearer ${key}` : key] as const,
      );
      await assertNone(entries, (some) => {
        return target.assertProblem(
          { path, authorization: null, headers: Object.fromEntries(some) },
          'missing_api_key',
        );
      });
      await assertNone(KEY_COOKIES, (some) => {
        const cookie = some.map((name) => `${name}=${key}`).join('; ');
        return target.assertProblem({ path, authorization: null, headers: { cookie } }, 'missing_api_key');
      });
    },
  },
  {
    id: 'auth.in_query',
    title: 'a key in the query does not authenticate (the real key is sent only with --allow-key-in-url)',
    change: 'Do not read keys from the query.',
    dependsOn: ['auth.missing'],
    check: async (target) => {
      const path = await target.likelyPath();
      const key = encodeURIComponent(target.isKeyAllowedInUrl ? target.key : UNKNOWN_KEY);
      await assertNone(KEY_NAMES, (some) => {
        const query = some.map((name) => `${name}=${key}`).join('&');
        return target.assertProblem({ path: `${path}?${query}`, authorization: null }, 'missing_api_key');
      });
    },
  },
  {
    id: 'auth.scheme_case',
    title: 'the Bearer scheme is case-insensitive',
    change: 'Compare the scheme without regard to case.',
    check: async (target) => {
      const path = await target.existingPath();
      await forEach([target.shareOfAll([0, 0]).length > 0 ? 'bearer' : 'BEARER', 'bEaReR'], (scheme) =>
        target.request({ path, authorization: `${scheme} ${target.key}` }),
      );
    },
  },
  {
    id: 'auth.unknown',
    title: 'a request with an unknown key returns 401 invalid_api_key, even if the key is similar to a valid one',
    change:
      'Look up the whole token as it was sent, and compare it exactly: hash it, do not trim, decode or normalize it.',
    check: async (target) => {
      const path = await target.likelyPath();
      const [first, ...others] = unknownKeys(target);
      await forEach([first ?? UNKNOWN_KEY, ...target.shareOfAll(others)], (key) =>
        target.assertProblem({ path, authorization: `Bearer ${key}` }, 'invalid_api_key'),
      );
    },
  },
  {
    id: 'auth.several',
    title: 'a request with two Authorization headers does not authenticate, even if one of them has a valid key',
    change: 'Count the Authorization lines: more than one is invalid_api_key.',
    dependsOn: ['auth.unknown'],
    check: async (target) => {
      const path = await target.existingPath();
      const [known, unknown] = [`Bearer ${target.key}`, `Bearer ${UNKNOWN_KEY}`];
      // Sent as it is, because HTTP clients keep one of them. A proxy may reject it in its own way.
      await forEach(
        [
          { first: known, second: unknown },
          { first: unknown, second: known },
        ],
        async ({ first, second }) => {
          const exchange = await target.send({
            path,
            headers: { Authorization: first },
            authorization: second,
            isRaw: true,
          });
          const { invalid_api_key } = target.contract.problemStatus;
          assertThat(
            exchange,
            exchange.status >= 300,
            `${String(invalid_api_key)} invalid_api_key, because two keys were sent`,
          );
        },
      );
    },
  },
  {
    id: 'auth.precedence',
    title: 'errors take precedence in this order: path, method, key, parameters, existence of the item',
    change: 'Check in this order: path, method, key, parameters, existence of the item.',
    dependsOn: [
      'auth.missing',
      'auth.unknown',
      'request.method_not_allowed',
      'request.unknown_path',
      'request.unknown_parameter',
    ],
    check: async (target) => {
      const path = target.path();
      const wrong = `${path}?nonsense=1`;
      const nowhere = `/nonsense${path}`;
      const authorization = `Bearer ${UNKNOWN_KEY}`;
      await target.assertProblem({ path: wrong, authorization: null }, 'missing_api_key');
      const odd = target.list === undefined ? `${path}?limit=0` : wrong;
      await target.assertProblem({ path: odd, authorization }, 'invalid_api_key');
      if (target.list !== undefined) {
        await target.assertProblem({ path: target.path('x'), authorization: null }, 'missing_api_key');
        await target.assertProblem(
          { method: 'POST', path: target.path('x'), authorization: null },
          'method_not_allowed',
        );
      }
      const posted = target.shareOfAll([null, authorization, null, authorization])[0] ?? null;
      await target.assertProblem({ method: 'POST', path: wrong, authorization: posted }, 'method_not_allowed');
      const headers = { 'if-none-match': await tagOf(target) };
      await target.assertProblem({ path: await target.likelyPath(), authorization: null, headers }, 'missing_api_key');
      if (target.list === undefined)
        await target.assertProblem({ method: 'POST', path: `${path}/`, authorization: null }, 'not_found');
      const nowhereRequests: readonly Request[] = [
        { path: nowhere, authorization: null },
        { path: nowhere, authorization },
        { method: 'POST', path: nowhere, authorization: null },
        { path: `${nowhere}?nonsense=1`, authorization: null },
      ];
      await forEach(target.shareOfAll(nowhereRequests), (request) => target.assertProblem(request, 'not_found'));
      // For a list, the cursor is unknown; for a get, the id.
      const missing = target.list === undefined ? `${wrong}&after=${UNKNOWN_ID}` : wrong;
      await target.assertProblem({ path: missing, mentions: ['nonsense'] }, 'validation_error');
    },
  },
];

/** @returns the tag of a response; a tag that matches none if there are no records. */
async function tagOf(target: Target): Promise<string> {
  const hasRecords = target.list === undefined || (await target.list.items(0)).length > 0;
  return (hasRecords ? (await target.plain()).headers.get('etag') : undefined) ?? '"none"';
}

// Names under which implementations look for a key, all of which are wrong.
const KEY_NAMES = [
  ...['key', 'api_key', 'apikey', 'apiKey', 'api-key', 'token', 'access_token', 'auth_token'],
  ...['authorization', 'Authorization', 'auth', 'bearer', 'secret', 'x-api-key'],
];
const KEY_HEADERS = [
  ...['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-api-token', 'x-token', 'authentication'],
  ...['x-authorization', 'x-forwarded-authorization', 'x-original-authorization', 'proxy-authorization'],
];
const KEY_COOKIES = [
  ...['key', 'api_key', 'apikey', 'api-key', 'token', 'access_token', 'auth', 'auth_token', 'session'],
  ...['Authorization', 'authorization', 'bearer', 'jwt'],
];

/** Sends all values in one request. If it fails, sends each in a request of its own, so that the failure names those that are wrong. */
async function assertNone<T>(values: readonly T[], check: (some: readonly T[]) => Promise<void>): Promise<void> {
  try {
    await check(values);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await forEach(values, (value) => check([value]));
    throw error;
  }
}

/** @returns a key that no account has, and some that are almost the right one. */
function unknownKeys({ key }: Target): readonly string[] {
  const last = key.endsWith('0') ? '1' : '0';
  const near = [
    key.slice(0, -1) || 'x',
    `${key}0`,
    `${key.slice(0, -1)}${last}`,
    key.slice(0, Math.ceil(key.length / 2)),
    `x${key}`,
    `"${key}"`,
    `${key},${key}`,
    `${key}'`,
    `${key} x`,
    `Bearer ${key}`,
    `token=${key}`,
    `${key};`,
    `<${key}>`,
    `${key.slice(0, -1)}%${key.charCodeAt(key.length - 1).toString(16)}`,
    Buffer.from(key).toString('base64'),
    key.replace(/^[a-z]+_/, ''),
    'x'.repeat(4000),
    'constructor',
    '__proto__',
  ].filter((it) => it !== key);
  const cases = [key.toUpperCase(), key.toLowerCase()].filter((it) => it !== key);
  return [UNKNOWN_KEY, ...cases, ...near];
}
