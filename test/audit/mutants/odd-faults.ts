/** Servers that take one odd value for a right one: each shows whether `conform` sends this value. What is usual is in the other files. */
import { authorizes, fromQuery, ids } from './edits.ts';
import { fails, hasKey, inBody, inReply, inRequest, isKnownPath, mutantsOf, reads, rejects, where } from './mutant.ts';
import type { Faults } from './mutant.ts';
import { drops } from './pages.ts';
import type { Change } from './proxy.ts';

/** @returns a fault for each of some values. */
const each = <T>(values: readonly T[], nameOf: (value: T) => string, changeOf: (value: T) => Change): Faults[string] =>
  Object.fromEntries(values.map((value) => [nameOf(value), changeOf(value)]));
const shown = (value: string): string => JSON.stringify(value.slice(0, 20));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const EXAMPLE = '00000000-0000-4000-8000-00000000abcd';

/** Takes the key from `Authorization` if it is written so. */
const written = (as: (key: string) => string): Change =>
  authorizes(({ headers }, keys) => keys.find((key) => headers['authorization'] === as(key)));
/** Takes the first key where a header has a value, without `Authorization`. */
const trusts = (isSo: (headers: Readonly<Record<string, string>>, key: string) => boolean): Change =>
  authorizes(({ headers }, keys) => ('authorization' in headers ? undefined : keys.find((key) => isSo(headers, key))));
const cookiesOf = (headers: Readonly<Record<string, string>>): readonly string[] =>
  (headers['cookie'] ?? '').split(/; */);

const SCHEMES: readonly ((key: string) => string)[] = [
  ...[(key: string) => `Bearer${key}`, (key: string) => `ApiKey ${key}`, (key: string) => `Basic ${base64(`${key}:`)}`],
  ...[
    (key: string) => `Bearer:${key}`,
    (key: string) => `Basic ${base64(`user:${key}`)}`,
    (key: string) => `Basic ${key}`,
    (key: string) => key,
  ],
];
const SIMILAR: readonly ((key: string) => string)[] = [
  ...[(key: string) => key.toUpperCase(), (key: string) => key.slice(0, -1), (key: string) => `${key}0`],
  ...[
    (key: string) => key.slice(0, Math.ceil(key.length / 2)),
    (key: string) => `x${key}`,
    (key: string) => `"${key}"`,
  ],
  ...[(key: string) => `${key},${key}`, (key: string) => `${key}'`, (key: string) => key.replace(/^[a-z]+_/, '')],
  ...[(key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
  ...['constructor', '__proto__', 'null', 'undefined', 'true'].map((value) => () => value),
];
const LIMITS = [
  ...['-1', '05', ' 5', '5 ', 'x', '10.0', '5abc', '\uff15', '-4294967291', '9'.repeat(400), 'null', '-0', '5\0', '5.'],
  ...['5l', '5f', 'true', 'NaN', 'Infinity', '0b101', '0o5', '1,0', '[5]', '"5"', 'max', '\v5\f', '\ufeff5', '1000'],
];
const IDS: readonly ((id: string) => string)[] = [
  ...[(id: string) => `${id} `, (id: string) => ` ${id}`, (id: string) => `\t${id}`, (id: string) => `"${id}"`],
  ...[(id: string) => `${id},${id}`, (id: string) => id.replaceAll('-', '_'), (id: string) => `[${id}]`],
  ...[
    (id: string) => id.replaceAll('-', '\u2010'),
    (id: string) => id.replace('-', '%2D'),
    (id: string) => `${id}\0`,
    (id: string) => `${id}\n`,
  ],
  ...[(id: string) => id.slice(1), (id: string) => id.slice(0, -1), (id: string) => `${id}0`, (id: string) => `${id}'`],
];
const FILTERS: readonly ((value: string) => string)[] = [
  ...[(it: string) => it.toUpperCase(), (it: string) => `${it} `, (it: string) => ` ${it}`, (it: string) => `${it}\n`],
  ...[
    (it: string) => `${it},${it}`,
    (it: string) => it.slice(0, -1),
    (it: string) => `${it},`,
    (it: string) => `"${it}"`,
  ],
  ...[(it: string) => `-${it}`, (it: string) => `!${it}`, (it: string) => `${it}|${it}`, (it: string) => `x${it}`],
  ...[
    (it: string) => `${it}x`,
    (it: string) => `_${it.slice(1)}`,
    (it: string) => `${it}\0`,
    (it: string) => `${it}\u{1f600}`,
  ],
];
const FILTER_WORDS = ['true', 'all', 'null', '0', '1', ' ', '*', '%', "' OR 1=1 --", 'canceled', 'active'];
const VALUES = ['enabled', 'disabled', 'queued', 'in_progress', 'completed', 'failed'];
const NAMES = [
  ...'sort format __proto__ constructor page cursor fields callback _method id offset utm_source _ toString pretty'.split(
    ' ',
  ),
  ...'order starting_after ending_before per_page q search api-version created.gt account tenant name type'.split(' '),
  ...'expand include embed select version'.split(' '),
];

const QUERIES = [
  ...['nonsense=', 'filter[status]=enabled', `nonsense=${'x'.repeat(3000)}`, 'nonsense=<script>', 'nonsense=%ff'],
  ...['__proto__[nonsense]=1', 'nonsense[constructor]=1', '%6Eonsense=1', 'nonsense=1&nonsense=1', '%C3%A9=1'],
  'nonsense=%F0%9F%98%80',
];
const TYPES = [
  ...['text/plain', 'application/xml, image/*;q=0.5', '*/*;q=0', 'nonsense', 'application/vnd.api+json'],
  ...['application/json;version=0', 'text/event-stream', ''],
];
const CLIENTS = ['curl/8.11.1', 'python-requests/2.32.5', 'Mozilla/5.0 (compatible; conform)'];

export const ODD_FAULTS = mutantsOf({
  'auth.missing': {
    ...each(SCHEMES, (as) => `Authorization may be ${shown(as('the key'))}`, written),
    ...each(
      ['x-auth-token', 'x-api-token', 'x-token', 'apikey', 'x-original-authorization', 'proxy-authorization'],
      (name) => `the header ${name} may have the key`,
      (name) => trusts((headers, key) => headers[name]?.endsWith(key) === true),
    ),
    ...each(
      ['x-real-ip', 'x-client-ip', 'true-client-ip', 'x-forwarded-for'],
      (name) => `who is 127.0.0.1 by ${name} needs no key`,
      (name) => trusts((headers) => headers[name] === '127.0.0.1'),
    ),
    ...each(
      ['key', 'apikey', 'api-key', 'token', 'auth_token', 'session', 'authorization', 'bearer', 'jwt'],
      (name) => `the cookie ${name} may have the key`,
      (name) => trusts((headers, key) => cookiesOf(headers).includes(`${name}=${key}`)),
    ),
  },
  'auth.scheme_case': each(
    ['bEaReR', 'BeareR', 'bearer', 'BEARER', 'Bearer '],
    (scheme) => `the scheme ${scheme} is unknown`,
    (scheme) =>
      rejects(401, 'missing_api_key', ({ headers }) => headers['authorization']?.startsWith(`${scheme} `) === true),
  ),
  'get.not_found': each(
    [
      ...['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      ...['5f1e6a52-1c9b-11ee-be56-0242ac120002', '01890a5d-ac96-774b-bcce-b302099a8057'],
      'C0FFEE00-1234-5678-0000-000000000000',
    ],
    (id) => `the unknown id ${id} is malformed`,
    (id) => fails(422, 'validation_error', ({ status }, it) => status === 404 && it.path.endsWith(id)),
  ),
  'get.malformed_id': each(
    ['.json', '.xml', ';v=1', '%3Bv=1', '%ff'],
    (suffix) => `the id of an import may end with ${suffix}`,
    (suffix) => ids((id) => (id.endsWith(suffix) ? id.slice(0, -suffix.length) : id)),
  ),
  'auth.in_query': {
    ...each(
      ['access_token', 'key', 'token', 'apikey', 'authorization', 'Authorization', 'secret', 'x-api-key'],
      (name) => `the parameter ${name} may be the key`,
      fromQuery,
    ),
    ...each(
      ['access_token', 'key', 'token'],
      (name) => `with a key in the header ${name} is passed over`,
      (name) =>
        where(
          hasKey,
          drops((it) => it === name),
        ),
    ),
  },
  'auth.unknown': each(
    SIMILAR,
    (as) => `the key may be written ${shown(as('prefix_key'))}`,
    (as) => written((key) => `Bearer ${as(key)}`),
  ),
  'list.invalid_limit': each(
    LIMITS,
    (value) => `the limit ${shown(value)} is 5`,
    (value) => reads('limit', (it) => (it === value ? '5' : it)),
  ),
  'list.malformed_cursor': each(
    IDS,
    (as) => `a cursor may be written ${shown(as(EXAMPLE).replace(/[0-9a-f]{8}/g, ''))} ${String(as(EXAMPLE).length)}`,
    (as) =>
      inRequest(({ path, query }, { items }) => {
        for (const name of ['after', 'before']) {
          const value = query.get(name);
          const item = value === null ? undefined : items(path).find(({ id }) => as(id) === value);
          if (item !== undefined) query.set(name, item.id);
        }
      }),
  ),
  'list.invalid_filter': {
    ...each(
      FILTERS,
      (as) => `a status may be written ${shown(as('value'))}`,
      (as) => reads('status', (it) => VALUES.find((value) => as(value) === it) ?? it),
    ),
    ...each(
      FILTER_WORDS,
      (value) => `the status ${shown(value)} is none`,
      (value) => reads('status', (it) => (it === value ? undefined : it)),
    ),
  },
  'request.unknown_parameter': {
    ...each(
      NAMES,
      (name) => `the parameter ${name} is ignored everywhere`,
      (name) => drops((it) => it === name),
    ),
    ...each(
      QUERIES,
      (query) => `the query ${shown(query)} is ignored`,
      (query) =>
        inRequest((it) => {
          if (it.target.endsWith(query)) for (const [name] of new URLSearchParams(query)) it.query.delete(name);
        }),
    ),
  },
  'request.ignored_headers': each(
    [...TYPES.map((value) => ['accept', value] as const), ...CLIENTS.map((value) => ['user-agent', value] as const)],
    ([name, value]) => `with ${name} ${shown(value)} nothing is found`,
    ([name, value]) => fails(404, 'not_found', ({ status }, it) => status === 200 && it.headers[name] === value),
  ),
  'request.ignored_input': each(
    ['multipart/form-data', 'application/json; charset=utf-16', 'nonsense', 'application/xml'],
    (type) => `with Content-Type ${type} nothing is found`,
    (type) => fails(404, 'not_found', ({ status }, it) => status === 200 && it.headers['content-type'] === type),
  ),
  'request.method_not_allowed': each(
    ['x-method-override', 'x-http-method'],
    (name) => `the method of a POST may be in ${name}`,
    (name) => inRequest((it) => (it.method = it.method === 'POST' ? (it.headers[name] ?? it.method) : it.method)),
  ),
  'response.disclosure': each(
    ['Traceback (most recent call last): x', 'at x (app.js:1:2)', 'goroutine 1 [running]', 'TypeError: x'],
    (text) => `an error has ${text}`,
    (text) => inBody(422, (body) => (body['message'] = `${String(body['message'])} ${text}`)),
  ),
  'http.request_id': {
    ...each(
      ['two words', 'a$b', 'a,b', 'a;b'],
      (id) => `the request id ${id} is cut`,
      (id) =>
        inReply(({ headers }, request) => {
          if (request.headers['x-request-id'] === id) headers['x-request-id'] = id.replace(/\W.*/, '');
        }),
    ),
    ...each(
      ['', '<b>', '"a"', '\u00e4', '{a}', 'a%0A'],
      (id) => `the request id ${shown(id)} is an error`,
      (id) => fails(422, 'validation_error', (_reply, it) => it.headers['x-request-id'] === id),
    ),
  },
  'request.unknown_path': each(
    ['/v1', '/api', '/index.php', '/v2', '/graphql'],
    (prefix) => `the path may begin with ${prefix}`,
    (prefix) =>
      inRequest((it) => (it.path = it.path.startsWith(`${prefix}/`) ? it.path.slice(prefix.length) : it.path)),
  ),
  'request.exact_path': each(
    ['.json', ';v=1', '%20', '&limit=1', '%3Flimit=1', '/index.html'],
    (suffix) => `the path may end with ${suffix}`,
    (suffix) =>
      inRequest((it) => {
        const path = it.path.endsWith(suffix) ? it.path.slice(0, -suffix.length) : it.path;
        if (isKnownPath({ path }) || path.length === it.path.length) it.path = path;
      }),
  ),
});
