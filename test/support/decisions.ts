/** What the contract decides, as a table: requests, and what comes back. Rollcall and the model of `conform` are both held against it. */
import type { Records } from '../../testkit/index.ts';
import { automation, contactImport } from '../../testkit/builders.ts';

/** A request, and what comes back. */
export interface Decision {
  readonly method: string;
  readonly target: string;
  /** With `KEY` for the key of the account. `undefined`: no header. */
  readonly authorization: string | undefined;
  readonly status: number;
  /** Of an error. */
  readonly name?: string;
  readonly message?: string;
  /** Of a page. */
  readonly ids?: readonly string[];
  readonly hasMore?: boolean;
}

export const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOWHERE = 'This path does not exist.';
const PATHS = ['/automations', '/contact-properties', '/contacts/imports', `/contacts/imports/${UUID}`];

/** @returns the ids of the automations from one place to before another, the newest first. */
const idAt = (at: number): string => (at === 0 ? UUID : `c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d${String(72 - at)}`);
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, at) => idAt(from + at));
const COUNT = 22;
const STATUSES = ['enabled', 'disabled'] as const;
const enabled = ids(0, COUNT).filter((_, at) => at % 2 === 0);

const created_at = '2026-04-16 13:49:40.678+00';

/** The records of the account, in order. All have the same time, so that their ids order them. */
export const RECORDS = {
  automations: ids(0, COUNT).map((id, at) => automation({ id, created_at, status: STATUSES[at % 2] ?? 'enabled' })),
  contactProperties: [],
  contactImports: ids(0, COUNT).map((id) => contactImport({ id, created_at })),
} satisfies Records;

type Rest = Partial<Omit<Decision, 'target'>>;
const KEY = 'Bearer KEY';
const row = (target: string, { method = 'GET', status = 200, ...rest }: Rest): Decision => ({
  ...{ method, target, status, authorization: KEY },
  ...rest,
});
const invalid = (target: string, message: string): Decision =>
  row(target, { status: 422, name: 'validation_error', message });
const nowhere = (target: string, method = 'GET', authorization: string | undefined = KEY): Decision =>
  row(target, { method, authorization, status: 404, name: 'not_found', message: NOWHERE });
const unknown = (target: string): Decision => row(target, { status: 404, name: 'not_found' });
const page = (target: string, of: readonly string[], hasMore: boolean): Decision => row(target, { ids: of, hasMore });

const limitIs = '`limit` must be a whole number from 1 to 100.';
const onceLimit = '`limit` must be sent only once, as a whole number from 1 to 100.';
const statusIs = '`status` must be one of `enabled`, `disabled`.';
const cursorsAre = '`after` and `before` cannot be combined. Send only one of them.';
const allowed = 'Allowed parameters: `limit`, `after`, `before`, `status`.';
const isNone = (name: string): string => `Unknown parameter \`${name}\`. ${allowed}`;
const idIs = `a UUID in any letter case, such as \`${UUID}\`.`;

const numbers = [
  '0',
  '101',
  '1.5',
  '1e1',
  '0x10',
  '%2B5',
  '+5',
  '05',
  '00',
  ' 5',
  '5 ',
  '-1',
  'ten',
  '1_0',
  '٣',
  'x5',
  '5x',
];
const others = ['99999999999999999999', '9'.repeat(309), 'NaN', 'null', ''];
const cursors = ['1', 'x', '', UUID.slice(1), `${UUID}0`, `0${UUID}`, `urn:uuid:${UUID}`, UUID.replaceAll('-', '')];
const malformed = ['1', 'x', UUID.slice(1), `${UUID}0`, `urn:uuid:${UUID}`, '%zz', '%ff', 'a%2Fb', '%00', '*'];

export const PARAMETERS: readonly Decision[] = [
  ...[...numbers, ...others].map((it) => invalid(`/automations?limit=${encodeURI(it)}`, limitIs)),
  invalid('/contact-properties?limit=101', limitIs),
  invalid('/contacts/imports?limit=0', limitIs),
  invalid('/automations?limit', limitIs),
  invalid('/automations?limit=%ff', limitIs),
  invalid(`/automations?${'&'.repeat(1000)}limit=0`, limitIs),
  invalid(`/automations?${'limit=1&'.repeat(1001)}limit=1`, onceLimit),
  invalid('/automations?limit=5&limit=5', onceLimit),
  invalid('/automations?status=paused', statusIs),
  invalid('/automations?status=ENABLED', statusIs),
  invalid('/automations?status=', statusIs),
  invalid(
    '/automations?status=enabled&status=disabled',
    '`status` must be sent only once, as one of `enabled`, `disabled`.',
  ),
  invalid(
    '/contacts/imports?status=enabled',
    '`status` must be one of `queued`, `in_progress`, `completed`, `failed`.',
  ),
  invalid(
    '/contact-properties?status=enabled',
    'Unknown parameter `status`. Allowed parameters: `limit`, `after`, `before`.',
  ),
  ...['page', 'Limit', 'limit[]', 'limit[', '', '__proto__'].map((it) => invalid(`/automations?${it}=2`, isNone(it))),
  invalid('/automations?a%00=2', `Unknown parameter. ${allowed}`),
  invalid(`/automations?${'x'.repeat(33)}=1`, `Unknown parameter. ${allowed}`),
  invalid(`/contacts/imports/${UUID}?limit=1`, 'Unknown parameter `limit`. This operation has no query parameters.'),
  ...['after', 'before'].flatMap((name) =>
    [...cursors, `{${UUID}}`, `%20${UUID}`].map((it) =>
      invalid(`/automations?${name}=${it}`, `\`${name}\` must be ${idIs}`),
    ),
  ),
  invalid(`/automations?after=${UUID}&after=${UUID}`, `\`after\` must be sent only once, as ${idIs}`),
  ...PATHS.slice(0, 3).map((it) => invalid(`${it}?before=${UUID}&after=${UUID}`, cursorsAre)),
  ...malformed.map((it) => invalid(`/contacts/imports/${it}`, `\`id\` must be ${idIs}`)),
];

export const UNKNOWN_PATHS: readonly Decision[] = [
  ...['/nope', '/automations/', '/Automations', '/contact-properties/', '/contacts/imports/', '/contacts/Imports'],
  ...[
    '/contacts//imports',
    '/contacts%2Fimports',
    '/contacts%2fimports',
    `/contacts/imports/${UUID}/`,
    `/automations/${UUID}`,
    '/%zz',
    '/%61utomations',
    '/xautomations',
  ],
].map((target) => nowhere(target));

export const METHODS: readonly Decision[] = [
  ...['GET', 'POST', 'OPTIONS', 'DELETE'].map((method) => nowhere('/nope', method, undefined)),
  ...[...PATHS, '/contacts/imports/%zz'].flatMap((target) => [
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH'].map((method) =>
      row(target, {
        ...{ method, authorization: undefined, status: 405, name: 'method_not_allowed' },
        message: 'This path supports only GET, HEAD and OPTIONS.',
      }),
    ),
    row(target, { method: 'OPTIONS', authorization: undefined, status: 204 }),
  ]),
  ...[
    ...(['/automations', '/automations?limit=0', '/nope', '/contacts/imports/%zz'] as const).map((target, at) => {
      return row(target, { method: 'HEAD', status: [200, 422, 404, 422][at] ?? 0 });
    }),
    row(`/contacts/imports/${UNKNOWN}`, { method: 'HEAD', status: 404 }),
    row('/automations', { method: 'HEAD', authorization: undefined, status: 401 }),
  ],
];

const missing = 'Send an API key: `Authorization: Bearer <key>`.';
const wrong = 'This API key is unknown, has been revoked or has expired.';
const none = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer    ',
  'Basic dXNlcjpwYXNz',
  'Basic bearer',
  'Bearerx',
  'xBearer KEY',
  'xBearer:KEY',
];
const notLive = [
  'Bearer nonsense',
  `bearer rollcall_${'0'.repeat(40)}`,
  'Bearer KEY KEY',
  'Bearer KEYx',
  "Bearer ' OR 1=1 --",
];
export const KEYS: readonly Decision[] = PATHS.flatMap((target) => [
  ...[...none, 'Token KEY', 'KEY'].map((authorization) =>
    row(target, { authorization, status: 401, name: 'missing_api_key', message: missing }),
  ),
  ...notLive.map((authorization) =>
    row(target, { authorization, status: 401, name: 'invalid_api_key', message: wrong }),
  ),
]).concat(['bearer KEY', 'BEARER KEY', 'Bearer   KEY'].map((authorization) => row('/automations', { authorization })));

const worst = `?limit=0&after=${UNKNOWN}`;
/** Checks come in order: path, method, key, parameters, existence. */
export const PRECEDENCE: readonly Decision[] = [
  row(`/nope${worst}`, { method: 'POST', authorization: undefined, status: 404, name: 'not_found' }),
  row(`/automations${worst}`, { method: 'POST', authorization: undefined, status: 405, name: 'method_not_allowed' }),
  row(`/automations${worst}`, { authorization: undefined, status: 401, name: 'missing_api_key' }),
  row('/contacts/imports/%zz', { authorization: undefined, status: 401, name: 'missing_api_key' }),
  row(`/automations${worst}`, { status: 422, name: 'validation_error' }),
  unknown(`/automations?after=${UNKNOWN}`),
];

export const PAGES: readonly Decision[] = [
  ...[
    '//automations',
    '///automations?limit=20',
    '/automations?',
    '/automations?&limit=20&',
    '/automations?%6cimit=2%30',
  ].map((target) => page(target, ids(0, 20), true)),
  page('/automations?limit=1', ids(0, 1), true),
  page('/automations?limit=100', ids(0, COUNT), false),
  page('/automations#?limit=1', ids(0, 20), true),
  page(`/automations?after=${UUID}`, ids(1, 21), true),
  page(`/automations?after=${UUID.toUpperCase()}&limit=21`, ids(1, COUNT), false),
  page(`/automations?after=${idAt(COUNT - 1)}`, [], false),
  page(`/automations?before=${idAt(3)}&limit=2`, ids(1, 3), true),
  page(`/automations?before=${idAt(2)}`, ids(0, 2), false),
  page(`/automations?before=${UUID}`, [], false),
  page('/automations?status=enabled&limit=11', enabled, false),
  page(`/automations?limit=2&status=enabled&after=${idAt(1)}`, enabled.slice(1, 3), true),
  page(`/automations?status=enabled&before=${idAt(1)}`, enabled.slice(0, 1), false),
  page('/contacts/imports', ids(0, 10), true),
  page('/contact-properties', [], false),
  unknown(`/contact-properties?before=${UUID}`),
  row(`/contacts/imports/${UUID}`, {}),
  row(`/contacts/imports/${UUID.toUpperCase()}`, {}),
  row(`/contacts/imports/${UUID.replaceAll('-', '%2D')}`, {}),
  unknown(`/contacts/imports/${UNKNOWN}`),
];

export const ALL = [...PARAMETERS, ...UNKNOWN_PATHS, ...METHODS, ...KEYS, ...PRECEDENCE, ...PAGES];
