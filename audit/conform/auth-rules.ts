/** Rules of API keys. */
import { forEach } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import { assertCases, assertTogether, cases, filtered, rejected } from './cases.ts';
import type { Case } from './cases.ts';
import type { ContractRule } from './contract-rule.ts';
import { assertThat } from './checked-session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_KEY } from './values.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const AUTH_RULES: readonly ContractRule[] = [
  {
    id: 'auth.missing',
    title:
      'without a bearer key, the response is 401 missing_api_key, however the path is written; other headers and schemes do not authenticate',
    change:
      'Check the key of every request that finds an operation. Read it only from the Authorization header, and match the whole value: Bearer, spaces, and the rest as the key, which is missing only if it is empty.',
    check: async (target) => {
      const { key } = target;
      const others = [
        ...[key, 'Bearer', '', 'Digest username="x"', `Basic ${base64(`${key}:`)}`, `Basic ${base64(`user:${key}`)}`],
        ...[`Token ${key}`, `Bearer${key}`, `ApiKey ${key}`, `JWT ${key}`, `Key ${key}`],
        ...[`Basic Bearer ${key}`, `XBearer ${key}`, `BearerToken ${key}`, `Basic ${key}`],
      ];
      // No schemes at all: a server may take each for another scheme, or for a wrong key.
      const malformed = [
        ...[`Bearer:${key}`, `Bearer: ${key}`, `Bearer=${key}`],
        ...[`Bearer, Bearer ${key}`, `Basic dTpw, Bearer ${key}`],
      ];
      const paths = await pathsOf(target);
      const { missing_api_key, not_found } = target.contract.problemStatus;
      await assertCases(target, [
        ['missing_api_key', { authorization: null }],
        ...inTurn(paths, target.shareOfAll(others)).map((request): Case => ['missing_api_key', request]),
        ...inTurn(paths, target.shareOfAll(malformed)).map((request): Case => [missing_api_key, request]),
      ]);
      // Each is a path of its own for what checks the key by the path: with more slashes, and with an escape.
      const [plain, asked] = paths;
      const escaped = plain.replace(/\w(?=\/|$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
      const forms = target.list === undefined ? [`/${asked}`, escaped] : [`/${plain}`, asked, escaped];
      await forEach(forms, async (path) => {
        const response = await target.send({ path, authorization: null });
        // Other rules tell whether there is such a path.
        const isRejected = [missing_api_key, not_found].includes(response.status);
        assertThat(response, isRejected, say`${missing_api_key} missing_api_key`);
      });
      const places = [
        ...KEY_HEADERS.map((name) => [name, name.endsWith('authorization') ? `Bearer ${key}` : key] as const),
        ...KEY_COOKIES.map((name) => ['cookie', `${name}=${key}`] as const),
        ...PROXY_HEADERS.map((name) => [name, '127.0.0.1'] as const),
      ];
      await assertTogether(places, (some) => {
        const cookie = some.flatMap(([name, value]) => (name === 'cookie' ? [value] : [])).join('; ');
        const headers = { ...Object.fromEntries(some), ...(cookie !== '' && { cookie }) };
        return assertMissing(target, { headers });
      });
    },
  },
  {
    id: 'auth.scheme_case',
    title: 'the Bearer scheme is case-insensitive, and several spaces may follow',
    change: 'Compare the scheme without regard to case; the key begins after all spaces.',
    check: cases((target) =>
      target.shareOfAll(['bearer', 'bEaReR', 'BEARER', 'BeareR', 'Bearer  ']).map((scheme): Case => {
        return [200, { authorization: `${scheme} ${target.key}` }];
      }),
    ),
  },
  {
    id: 'auth.unknown',
    title: 'a request with an unknown key returns 401 invalid_api_key, even if the key is similar to a valid one',
    change:
      'Look up the whole token as it was sent, and compare it exactly: hash it, do not trim, decode or normalize it.',
    check: cases(async (target) => {
      const similar = target.shareOfAll(similarTo(target.key)).map((key) => `Bearer ${key}`);
      const unknown = { authorization: `Bearer ${UNKNOWN_KEY}` };
      return [...inTurn(await pathsOf(target), similar), unknown].map((request): Case => ['invalid_api_key', request]);
    }),
  },
  {
    id: 'auth.several',
    title: 'a request with two Authorization headers does not authenticate, even if both have the same valid key',
    change: 'Count the Authorization lines: more than one is invalid_api_key.',
    dependsOn: ['auth.unknown'],
    check: async (target) => {
      const path = await target.existingPath();
      const [known, unknown] = [`Bearer ${target.key}`, `Bearer ${UNKNOWN_KEY}`];
      const { invalid_api_key } = target.contract.problemStatus;
      const [first = known] = target.shareOfAll([unknown, known, unknown, known]);
      const pairs = [
        { one: known, other: known },
        { one: first, other: first === known ? unknown : known },
      ];
      await forEach(pairs, async ({ one, other }) => {
        // Sent as it is, because HTTP clients keep one of them. A proxy may reject it as malformed, in its own way.
        const response = await target.send({
          path,
          headers: { Authorization: one },
          authorization: other,
          isRaw: true,
        });
        const isOther = response.status === invalid_api_key && response.text.includes('missing_api_key');
        const expected = say`${invalid_api_key} invalid_api_key, because two keys were sent`;
        assertThat(response, response.status >= 300 && !isOther, expected);
      });
    },
  },
  {
    id: 'auth.precedence',
    title: 'errors take precedence in this order: path, method, key, parameters, existence of the item',
    change: 'Check in this order: path, method, key, parameters, existence of the item.',
    dependsOn: [
      ...['auth.missing', 'auth.unknown'],
      ...['request.method_not_allowed', 'request.unknown_path', 'request.unknown_parameter'],
    ],
    check: cases(async (target) => {
      const { list } = target;
      // Of an unknown item, unless the operation is a list.
      const path = target.path();
      const [wrong, nowhere, malformed] = [`${path}?nonsense=1`, `/nonsense${path}`, target.path('x')];
      const [item] = await (list ?? target).items(0);
      const tag = item && (await target.plain()).headers.get('etag');
      // What is wrong with it is one thing for a check of all names, and another for that of each parameter.
      const all = `${wrong}&limit=0&after=x&before=x&status=x&status=x`;
      const POST = { method: 'POST', authorization: null };
      const unknown = { authorization: `Bearer ${UNKNOWN_KEY}` };
      const [posted] = target.shareOfAll([{}, unknown, {}, unknown]);
      const ofKind: readonly Case[] =
        list === undefined
          ? [
              ['not_found', { ...POST, path: `${path}/` }],
              ['validation_error', { path: `${wrong}&after=${UNKNOWN_ID}`, mentions: ['nonsense'] }],
            ]
          : [
              ['missing_api_key', { path: malformed, authorization: null }],
              ['method_not_allowed', { ...POST, path: malformed }],
              ['validation_error', { path: wrong, mentions: ['nonsense'] }],
            ];
      const ofNowhere: readonly Case[1][] = [
        { authorization: null },
        unknown,
        POST,
        { path: `${nowhere}?nonsense=1`, authorization: null },
      ];
      return [
        ['missing_api_key', { path: all, authorization: null }],
        ['invalid_api_key', { ...unknown, path: all }],
        ...ofKind,
        ['method_not_allowed', { ...POST, path: wrong, ...posted }],
        ['missing_api_key', { authorization: null, headers: { 'if-none-match': tag ?? '"none"' } }],
        ...target.shareOfAll(ofNowhere).map((request): Case => ['not_found', { path: nowhere, ...request }]),
      ];
    }),
  },
  {
    id: 'auth.in_query',
    title: 'a key in the query does not authenticate (the real key is sent only with --allow-key-in-url)',
    change: 'Do not read keys from the query.',
    dependsOn: ['auth.missing'],
    check: async (target) => {
      const key = encodeURIComponent(target.isKeyAllowedInUrl ? target.key : UNKNOWN_KEY);
      await assertTogether(KEY_NAMES, (some) =>
        assertMissing(target, { query: some.map((name) => `${name}=${key}`).join('&') }),
      );
      // With the key in its header, each is an unknown parameter.
      await assertCases(
        target,
        target.shareOfAll(['api_key', 'access_token', 'key', 'token']).map((name) => rejected(`${name}=1`)),
      );
    },
  },
];

/** @throws Failure unless a request without the header of the key is rejected. */
const assertMissing = (target: Target, request: Case[1]): Promise<void> =>
  assertCases(target, [['missing_api_key', { authorization: null, ...request }]]);

/** @returns the plain path, and one with a query, or with the id in upper case. */
async function pathsOf(target: Target): Promise<readonly [string, string]> {
  const path = await target.likelyPath();
  const [item] = await (target.list ?? target).items(0);
  if (target.list !== undefined) return [path, path.replace(/[^/]+$/, (id) => id.toUpperCase())];
  return [path, target.pathWith({ ...filtered(target), limit: target.limits.min, ...(item && { after: item.id }) })];
}

/** @returns requests with values of `Authorization`, each of another path in turn. */
const inTurn = (paths: readonly string[], values: readonly string[]): readonly (Case[1] & { path?: string })[] =>
  values.map((authorization, at) => ({ authorization, path: paths[at % paths.length] ?? '' }));

// Names under which implementations look for a key, all of which are wrong.
const KEY_NAMES = [
  ...['key', 'api_key', 'apikey', 'apiKey', 'api-key', 'token', 'access_token', 'auth_token'],
  ...['authorization', 'Authorization', 'auth', 'bearer', 'secret', 'x-api-key'],
];
const KEY_HEADERS = [
  ...['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-api-token', 'x-token', 'authentication'],
  ...['x-authorization', 'x-forwarded-authorization', 'x-original-authorization', 'proxy-authorization'],
];
// What proxies tell of the client. An address of the machine itself is no key.
const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'true-client-ip'];
const KEY_COOKIES = [
  ...['key', 'api_key', 'apikey', 'api-key', 'token', 'access_token', 'auth', 'auth_token', 'session'],
  ...['Authorization', 'authorization', 'bearer', 'jwt'],
];

/** @returns keys that no account has, and that are almost a certain one. */
function similarTo(key: string): readonly string[] {
  const start = key.slice(0, -1);
  const similar = [
    ...[key.toUpperCase(), key.toLowerCase(), start || 'x', `${key}0`, `${start}${key.endsWith('0') ? '1' : '0'}`],
    ...[key.slice(0, Math.ceil(key.length / 2)), `x${key}`, `"${key}"`, `${key},${key}`, `${key}'`, `${key} x`],
    ...[`Bearer ${key}`, `token=${key}`, `${key};`, `<${key}>`, `${start}%${key.slice(-1).charCodeAt(0).toString(16)}`],
    ...[base64(key), key.replace(/^[a-z]+_/, ''), 'x'.repeat(4000), 'constructor', '__proto__', 'null', 'undefined'],
    ...['true', 'cl\u00e9'],
  ];
  return similar.filter((other) => other !== key);
}
