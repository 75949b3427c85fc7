/** Profiles: what is in one, what is wrong with it in words, and that a saved one has no secret. */
import { describe, expect, test } from '@jest/globals';
import { describeWay, parseProfile, parseWay } from '../../../audit/lists/profile.ts';
import { ProfileError } from '../../../audit/lists/profile-values.ts';
import { formatProfile, namesIn } from '../../../audit/lists/saved-profile.ts';
import type { Profile, Way } from '../../../audit/lists/profile.ts';
import { show } from '../../support/text.ts';

const WAYS: readonly (readonly [way: Way, text: string])[] = [
  [{ id: 'after' }, 'the last id as `after`'],
  [{ id: 'starting_after', more: 'has_more' }, 'the last id as `starting_after`, while `has_more`'],
  [{ token: 'cursor', from: 'meta.next', end: '' }, 'token `cursor` from `meta.next`'],
  [{ token: 'cursor', from: 'next', end: -1 }, 'token `cursor` from `next`'],
  [{ url: 'links.next' }, 'the URL in `links.next`'],
  [{ link: 'next', until: 'results="false"' }, 'Link header `next`'],
  [{ header: 'next-page' }, 'the URL in header `next-page`'],
  [{ page: 'page' }, 'page number `page` from 1'],
  [{ page: 'page', first: 0 }, 'page number `page` from 0'],
  [{ offset: 'offset' }, 'offset `offset`'],
  [{ offset: 'startIndex', first: 1 }, 'offset `startIndex` from 1'],
];

const FULL: Profile = {
  url: 'http://localhost:8000/a?kind=b',
  headers: { Authorization: 'Bearer top-secret', 'X-Api-Version': '7' },
  auth: 'me:my-password',
  params: { kind: 'a b', api_key: 'key-in-a-parameter' },
  items: '"data.all".of',
  id: '',
  size: { param: 'page[size]', max: 100, default: 10, above: 'reject', invalid: 'default', exact: true },
  next: { token: 'cursor', from: 'meta.next', end: '' },
  previous: { link: 'prev' },
  error: { ok: false, 'error.code': 7 },
  origin: 'same',
  order: [{ by: '-created', type: 'time', nulls: 'last' }, { by: 'id' }],
  filter: { status: 'open', 'is[paid]': 'true' },
  get: '/orders/{id}',
  other: { url: '/customers', headers: { Authorization: 'Bearer second-secret' } },
};

test('every key is read', () => {
  const text = `
url: http://localhost:8000/a?kind=b
headers: { Authorization: 'Bearer \${KEY}', X-Api-Version: 7 }
auth: '\${ME}:\${PASSWORD}'
params: { kind: a b, api_key: '\${P}' }
items: '"data.all".of'
id: ''
size: { param: 'page[size]', max: 100, default: 10, above: reject, invalid: default, exact: true }
next: { token: cursor, from: meta.next, end: '' }
previous: { link: prev }
error: { ok: false, error.code: 7 }
origin: same
order: [{ by: -created, type: time, nulls: last }, id]
filter: { status: open, 'is[paid]': true }
get: /orders/{id}
other: { url: /customers, headers: { Authorization: 'Bearer \${KEY2}' } }
`;
  const env = {
    ...{ KEY: 'top-secret', ME: 'me', PASSWORD: 'my-password', P: 'key-in-a-parameter' },
    KEY2: 'second-secret',
  };
  expect(parseProfile(text, env)).toEqual(FULL);
  expect(namesIn(text)).toEqual(['KEY', 'ME', 'PASSWORD', 'P', 'KEY2']);
});

test('a value of the environment is a text, whatever it looks like', () => {
  const value = "a'}: ${OTHER}, [\n";
  expect(parseProfile("auth: '${A}'", { A: value, OTHER: 'x' })).toEqual({ auth: value });
});

test('a size is its name alone, or an object', () => {
  expect(parseProfile('size: limit', {})).toEqual({ size: { param: 'limit' } });
  expect(parseProfile('size: { param: limit }', {})).toEqual({ size: { param: 'limit' } });
});

test('an order is its properties, in one text or in a list', () => {
  const order = [{ by: '-created' }, { by: 'id' }];
  expect(parseProfile('order: -created, id', {})).toEqual({ order });
  expect(parseProfile("order: ['-created', { by: id }]", {})).toEqual({ order });
});

const KEYS =
  'url, method, body, headers, auth, params, items, id, size, next, previous, error, origin, total, empty, order, sorts, filter, get, other, sample';
const ORDER = 'order must be like -created,id or [{ by: -created, type: time, nulls: last }, id]';
const WAY = 'id, token, tokens, url, link, header, page, offset: { token: cursor, from: meta.next } or { link: next }';

test.each([
  ['', 'a profile must be an object'],
  ['[]', 'a profile must be an object'],
  ['text', 'a profile must be an object'],
  ['item: data', `unknown key item; the keys are ${KEYS}`],
  [
    'a: [',
    'it is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5:',
  ],
  ['url: [1]', 'url must be a text'],
  ['url: orders', 'url must be a URL such as http://localhost:8000/orders'],
  ['url: ftp://a/b', 'url must be a URL such as http://localhost:8000/orders'],
  ['headers: Authorization', 'headers must be an object'],
  ['headers: { a: [] }', 'headers.a must be a text'],
  ["headers: { a: 'Bearer ${NONE}' }", 'the environment has no NONE'],
  ["headers: { a: '${EMPTY}' }", 'the environment has no EMPTY'],
  ["auth: '${NONE}:b'", 'the environment has no NONE'],
  ["params: { a: '${NONE}' }", 'the environment has no NONE'],
  ['params: [a]', 'params must be an object'],
  ['items: null', 'items must be a text'],
  ['id: {}', 'id must be a text'],
  ['size: 3', 'size must be an object'],
  ['size: { max: 3 }', 'size must have a param or a header'],
  ['size: { param: a, header: b }', 'size must have a param or a header'],
  ["size: { param: a, value: 'n={size}' }", 'size.value needs size.header'],
  ['size: { header: "a b" }', 'size.header must be the name of a header, such as Prefer'],
  ['size: { header: a, value: n }', 'size.value must have {size}, as odata.maxpagesize={size}'],
  ['method: GET', 'method must be POST'],
  ['body: {}', 'body needs method: POST'],
  ['{ method: POST, body: [] }', 'body must be an object'],
  ["{ method: POST, body: { a: [{ b: '${NONE}' }] } }", 'the environment has no NONE'],
  [
    'size: { param: a, least: 3 }',
    'unknown key size.least; the keys are param, min, max, default, header, value, above, invalid, exact',
  ],
  ['size: { param: a, max: 1.5 }', 'size.max must be a whole number'],
  ['size: { param: a, default: -1 }', 'size.default must be a whole number'],
  ['size: { param: a, above: reject }', 'size.above needs size.max'],
  ['size: { param: a, max: 9, above: default }', 'size.above must be reject or clamp'],
  ['size: { param: a, invalid: clamp }', 'size.invalid must be reject or default'],
  ['size: { param: a, exact: yes }', 'size.exact must be true or false'],
  ['order: []', ORDER],
  ['order: { by: id }', ORDER],
  ["order: ['']", ORDER],
  ["order: ['-']", ORDER],
  ['order: [{ type: time }]', 'order.by is missing'],
  ['order: [[id]]', 'order must be an object'],
  ['order: [{ by: id, nulls: end }]', 'order.nulls must be first or last'],
  ['order: [{ by: id, type: date }]', 'order.type must be number or time or text or bytes'],
  ['order: [{ name: id }]', 'unknown key order.name; the keys are by, type, nulls'],
  ['sorts: []', 'sorts must have one to 4 parameters, such as [sort=score]'],
  ['sorts: [a=1, b=1, c=1, d=1, e=1]', 'sorts must have one to 4 parameters, such as [sort=score]'],
  ['sorts: [score]', 'sorts must be like [sort=score]'],
  ['filter: open', 'filter must be an object'],
  ['filter: { status: [open] }', 'filter.status must be a text'],
  ["filter: { status: '${NONE}' }", 'the environment has no NONE'],
  ['get: /orders', 'get must be a path with {id}, such as /orders/{id}'],
  ["get: 'orders/{id}'", 'get must be a path with {id}, such as /orders/{id}'],
  ['other: {}', 'other needs url or headers'],
  ['other: { key: a }', 'unknown key other.key; the keys are url, headers'],
  ['other: { url: customers }', 'other.url must be a path or a URL such as /customers'],
  ["other: { headers: { a: '${NONE}' } }", 'the environment has no NONE'],
  ['next: cursor', 'next must be an object'],
  ['next: {}', `next must have one of ${WAY}`],
  ['previous: { cursor: a }', `previous must have one of ${WAY}`],
  ['next: { token: a }', 'next.from is missing'],
  ['next: { token: a, from: b, until: c }', 'unknown key next.until; the keys are token, from, end, more'],
  ['next: { token: a, from: b, end: [] }', 'next.end must be a text'],
  ['next: { url: a, link: b }', 'unknown key next.link; the keys are url, base, more'],
  ['next: { page: a, first: x }', 'next.first must be a whole number'],
  ['next: { link: [] }', 'next.link must be a text'],
  ['error: ok', 'error must be an object'],
  ['origin: other', 'origin must be same'],
])('%j: %s', (text, message) => {
  expect(() => parseProfile(text, { EMPTY: '' })).toThrow(new ProfileError(message));
});

describe('a way:', () => {
  test.each(WAYS)('%j', (it, text) => {
    expect(show(describeWay(it))).toBe(text);
    expect(parseWay('--next', JSON.stringify(it))).toEqual(it);
    expect(parseProfile(formatProfile({ url: 'http://a/', items: '', id: '', next: it }), {}).next).toEqual(it);
  });

  test('of the command line needs no braces', () => {
    expect(parseWay('--next', 'token: cursor, from: meta.next')).toEqual({ token: 'cursor', from: 'meta.next' });
  });

  test.each([
    ['cursor', `--next must have one of ${WAY}`],
    ['{ token: [', '--next must be like { token: cursor, from: meta.next } or { link: next }'],
    ['token: a', '--next.from is missing'],
  ])('%j is none', (text, message) => {
    expect(() => parseWay('--next', text)).toThrow(new ProfileError(message));
  });
});

describe('a saved profile', () => {
  const saved = formatProfile(FULL);

  test('has names of the environment for headers, passwords and keys', () => {
    expect(saved).toBe(`url: http://localhost:8000/a?kind=b
headers: { Authorization: "Bearer \${AUTHORIZATION}", X-Api-Version: "7" }
auth: "\${USER}:\${PASSWORD}"
params: { kind: a b, api_key: "\${API_KEY}" }
items: '"data.all".of'
id: ""
size: { param: "page[size]", max: 100, default: 10, above: reject, invalid: default, exact: true }
next: { token: cursor, from: meta.next, end: "" }
previous: { link: prev }
error: { ok: false, error.code: 7 }
origin: same
order: [ { by: -created, type: time, nulls: last }, { by: id } ]
filter: { status: open, "is[paid]": "true" }
get: "/orders/{id}"
other: { url: /customers, headers: { Authorization: "Bearer \${AUTHORIZATION_2}" } }
`);
    expect(namesIn(saved)).toEqual([...['AUTHORIZATION', 'USER', 'PASSWORD', 'API_KEY', 'AUTHORIZATION_2']]);
  });

  test('is read again as what it was', () => {
    const env = {
      ...{ AUTHORIZATION: 'top-secret', API_KEY: 'key-in-a-parameter' },
      ...{ USER: 'me', PASSWORD: 'my-password', AUTHORIZATION_2: 'second-secret' },
    };
    expect(parseProfile(saved, env)).toEqual(FULL);
  });

  test('has what is posted, without its keys, and the header of the size', () => {
    const body = { auth: { token: 'a-secret' }, limit: 2, ids: [1] };
    const size = { param: 'Prefer', header: 'Prefer', value: 'odata.maxpagesize={size}', max: 50 };
    const profile: Profile = {
      url: 'http://a/s',
      method: 'POST',
      body,
      items: '',
      id: 'id',
      size,
      next: { offset: 'skip' },
    };
    const text = formatProfile(profile);
    expect(text).toBe(`url: http://a/s
body: { auth: { token: "\${AUTH_TOKEN}" }, limit: 2, ids: [ 1 ] }
method: POST
items: ""
id: id
size: { header: Prefer, value: "odata.maxpagesize={size}", max: 50 }
next: { offset: skip }
`);
    expect(parseProfile(text, { AUTH_TOKEN: 'a-secret' })).toEqual(profile);
  });

  test('needs the user and the keys of its URL', () => {
    const url = 'http://me:pass%3Aword@localhost:8000/a?x=%2f&api_key=s%2Ft&y=1';
    const text = formatProfile({ url, items: '', id: 'id', next: { link: 'next' } });
    expect(text).toBe(`url: http://localhost:8000/a?x=%2f&y=1
auth: "\${USER}:\${PASSWORD}"
params: { api_key: "\${API_KEY}" }
items: ""
id: id
next: { link: next }
`);
    expect(parseProfile(text, { USER: 'me', PASSWORD: 'pass:word', API_KEY: 's/t' })).toMatchObject({
      auth: 'me:pass:word',
      params: { api_key: 's/t' },
    });
  });

  test('has no user and no key of other URLs', () => {
    const get = '/orders/{id}?api_key=secret-1&full=1';
    const other = { url: 'http://me:secret-2@localhost:8000/a?hapikey=secret-3&x=1' };
    const text = formatProfile({
      url: 'http://localhost:8000/b',
      items: '',
      id: 'id',
      next: { link: 'next' },
      get,
      other,
    });
    expect(text).toBe(`url: http://localhost:8000/b
items: ""
id: id
next: { link: next }
get: "/orders/{id}?full=1"
other: { url: http://localhost:8000/a?x=1 }
`);
  });

  test('keeps the headers that say what a client wants, not who it is', () => {
    const headers = { Accept: 'application/vnd.api+json', 'X-Api-Version': '7', 'X-Tenant': 'secret-1' };
    const keys = { 'X-Version-Token': 'secret-2', 'X-Conversion': 'secret-3' };
    const params = { version_key: 'secret-4' };
    const list = { url: 'http://a/', items: '', id: 'id', next: { link: 'next' } } as const;
    expect(formatProfile({ ...list, headers: keys, params })).not.toContain('secret');
    const text = formatProfile({ ...list, headers });
    expect(text).toContain(
      'headers: { Accept: application/vnd.api+json, X-Api-Version: "7", X-Tenant: "${X_TENANT}" }\n',
    );
  });

  test('has nothing that is empty', () => {
    const bare = { url: 'http://a/', headers: {}, params: {}, items: '', id: 'id', next: { link: 'next' } };
    expect(formatProfile(bare)).toBe('url: http://a/\nitems: ""\nid: id\nnext: { link: next }\n');
  });
});
