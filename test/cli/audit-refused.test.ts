/** `rollcall audit` of what is no list: why it cannot be audited, and what helps. */
import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { serve } from '../audit/conform/bad-servers.ts';
import { AT_MOST, audit } from './lists.ts';

const withJson =
  (body: unknown, status = 200, headers = {}): RequestListener =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const items = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, created: '2026-01-01' }));
const NO_ID =
  'have no id: no string or number is different in every item. Name it with --id, or audit a list whose items differ.';

describe('refused with 3:', () => {
  test.each<[string, RequestListener, readonly string[], string]>([
    ['no array', withJson({ count: 3 }), [], 'GET /a returned no array: check the URL of the list.'],
    [
      'several arrays',
      withJson({ a: items(3), b: { c: items(4) } }),
      [],
      'GET /a returned several arrays: `a`, `b.c`. Choose one with --items.',
    ],
    [
      'no array of this name',
      withJson({ data: items(3) }),
      ['--items', 'orders'],
      'GET /a returned an array: `data`, and none at `orders`. Choose one with --items.',
    ],
    ['no id', withJson({ data: [{ a: 1 }, { a: 2 }, { a: 3 }] }), [], `The 3 items of \`data\` ${NO_ID}`],
    ['no id of one', withJson([{ a: [] }]), [], `The 1 item of the body ${NO_ID.replace('have', 'has')}`],
    ['no id of each', withJson([{ id: 1 }, { id: 2 }, { name: 3 }]), [], `The 3 items of the body ${NO_ID}`],
    [
      'no id of rows',
      withJson({
        rows: [
          ['a', 1],
          ['a', 2],
          ['b', 3],
        ],
      }),
      [],
      'The 3 items of `rows` are arrays, and their first elements are no ids: give the index of the id, such as --id 1.',
    ],
    ['no unique id', withJson([{ id: 1 }, { id: 1 }, { id: 1 }]), [], `The 3 items of the body ${NO_ID}`],
    [
      'no such id',
      withJson({ data: items(3) }),
      ['--id', 'key'],
      'An item of GET /a has no string or number at `key`. Name the id with --id.',
    ],
    [
      'no second page',
      withJson({ data: items(3) }),
      [],
      `No second page was found, and no parameter that sets the size of a page: 3 items at \`data\`. Tried: page number \`page\`, \`_page\`, \`page[number]\`; offset \`offset\`, \`skip\`, \`_start\`; the last id as \`starting_after\`, \`after\`, \`after_id\`, \`last\`, \`last_id\`, \`cursor\`, \`since_id\`, \`max_id\`, \`before\`, \`from_id\`, \`marker\`. If the list has a second page, give its URL: --page2 'URL?NAME=VALUE'.`,
    ],
    [
      'no second page this way',
      withJson({ data: items(3) }),
      ['--next', 'token: cursor, from: next'],
      `No second page was found, and no parameter that sets the size of a page: 3 items at \`data\`. Tried: token \`cursor\` from \`next\`. If the list has a second page, give its URL: --page2 'URL?NAME=VALUE'.`,
    ],
    [
      'two items',
      withJson({ data: items(2) }),
      [],
      'The list has fewer than 3 items (2 were read): no second page to audit. Give a longer list.',
    ],
    [
      'one item',
      withJson({ data: items(1) }),
      [],
      'The list has fewer than 3 items (1 was read): no second page to audit. Give a longer list.',
    ],
    [
      'no items',
      withJson({ data: [] }),
      [],
      'The list has fewer than 3 items (0 were read): no second page to audit. Give a longer list.',
    ],
    [
      'not JSON',
      (_req, res) => void res.end('<!doctype html><title>Sign in</title><p>Sign in first'),
      [],
      'GET /a returned no JSON: "<!doctype html><title>Sign in</title><p>". Check the URL.',
    ],
    [
      '401',
      withJson({}, 401),
      [],
      "GET /a returned 401: give a key with --header 'Authorization: Bearer ...' or --auth user:password.",
    ],
    [
      '403',
      withJson({}, 403),
      [],
      "GET /a returned 403: give a key with --header 'Authorization: Bearer ...' or --auth user:password.",
    ],
    [
      '401 though a key is given',
      withJson({}, 401),
      ['-H', 'X-Api-Key: x'],
      'GET /a returned 401: the key was rejected.',
    ],
    ['404', withJson({}, 404), [], 'GET /a returned 404: {}. Check the URL.'],
    [
      'an error that says what is missing',
      withJson({ error: 'max_results is required', more: 'x'.repeat(100) }, 400),
      [],
      `GET /a returned 400: {"error":"max_results is required","more":"xxxxxxxxxxxxxxxxx…. Check the URL.`,
    ],
    [
      'a list by POST',
      withJson({}, 405),
      [],
      `GET /a returned 405: the list is not read by GET. If a POST there reads it, and changes nothing, give what is posted: --data '{"limit": 2}'.`,
    ],
    [
      'an error that is 200',
      withJson({ ok: false, items: items(4) }),
      ['--error-body', '{ok: false}'],
      'GET /a returned 200 with ok: false. Check the URL.',
    ],
    [
      'a redirect to another origin',
      withJson({}, 302, { location: 'http://elsewhere.example/list' }),
      [],
      'GET /a redirects to http://elsewhere.example/list, at another origin. Audit that URL.',
    ],
    ['a redirect to itself', withJson({}, 302, { location: '/a' }), [], 'GET /a returned 302: {}. Check the URL.'],
  ])('%s', async (_, listener, options, message) => {
    const url = `${await serve(listener)}/a`;
    const ran = await audit(url, ...options);
    expect({ ...ran, stderr: ran.stderr.replaceAll(url, 'URL') }).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: `${AT_MOST}rollcall: The list could not be audited. ${message}\n`,
    });
  });

  test.each<[string, RequestListener, readonly string[], string]>([
    [
      'as short as the request says',
      withJson({ data: items(2) }),
      ['--data', '{"limit": 2}'],
      "No second page was found, and no parameter that sets the size of a page: 2 items at `data`. Tried: page number `page`, `_page`, `page[number]`; offset `offset`, `skip`, `_start`; the last id as `starting_after`, `after`, `after_id`, `last`, `last_id`, `cursor`, `since_id`, `max_id`, `before`, `from_id`, `marker`. If the list has a second page, name the way to it: --next 'offset: NAME'.",
    ],
    ['405', withJson({}, 405), ['--data', '{}'], 'POST /a {} returned 405: the list is not read by POST.'],
    [
      'a redirect, which would need another POST',
      withJson({}, 307, { location: '/b' }),
      ['--data', 'limit=2'],
      'POST /a limit=2 redirects to /b, and a POST is not redirected. Audit that URL.',
    ],
  ])('a list that is read by POST: %s', async (_, listener, options, message) => {
    const url = `${await serve(listener)}/a`;
    const ran = await audit(url, ...options);
    const posts = `Sends at most 1,000 requests: GET, and POST to ${url}, which you declare to be reading.\n`;
    const stderr = `${posts}rollcall: The list could not be audited. ${message}\n`;
    expect(ran).toEqual({ code: 3, signal: null, stdout: '', stderr });
  });

  test('items whose `name` is not their own', async () => {
    const url = await serve((req, res) => {
      const offset = Number(new URL(req.url ?? '', 'http://a').searchParams.get('offset') ?? 0);
      const all = Array.from({ length: 40 }, (_, at) => ({ name: `Person ${String(at % 30)}`, code: at }));
      res.end(JSON.stringify(all.slice(offset, offset + 10)));
    });
    const { code, stdout, stderr } = await audit(url);
    const why = 'Two different items have the `name` Person 0: it is not an id. Name the id with --id.';
    expect([code, stdout, stderr]).toEqual([3, '', `${AT_MOST}rollcall: The list could not be audited. ${why}\n`]);
  });

  test('items whose `name` is not their own, and whose `code` is', async () => {
    const url = await serve((req, res) => {
      const offset = Number(new URL(req.url ?? '', 'http://a').searchParams.get('offset') ?? 0);
      const all = Array.from({ length: 40 }, (_, at) => ({ ref: `Person ${String(at % 30)}`, name: `n${String(at)}` }));
      res.end(JSON.stringify(all.slice(offset, offset + 10)));
    });
    const { code, stdout } = await audit(url);
    expect([code, stdout]).toEqual([0, expect.stringContaining('40 items in the body, id `name`, no page size')]);
  });

  test.each<[string, number, number, RegExp]>([
    ['a number that is page one', 1, 0, /40 items in the body, id `id`, no page size, next page: Link header `next`/],
    [
      'no number that is page one',
      2,
      3,
      /Page 2 has a next page by .*, and page 1 has none: give the URL of a first page/,
    ],
  ])('links only on pages behind the first one, and %s', async (_, from, code, expected) => {
    const url = await serve((req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://a').searchParams.get('seite') ?? 0);
      const start = 10 * Math.max(0, page - 1);
      if (page >= from && start < 30) res.setHeader('link', `</a?seite=${String(page + 1)}>; rel="next"`);
      res.end(JSON.stringify(items(40).slice(start, start + 10)));
    });
    const ran = await audit(`${url}/a`, '--next', '{ link: next }', '--page2', `${url}/a?seite=2`);
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringMatching(expected)]);
  });

  test('the URL of the second page names its parameters', async () => {
    const url = await serve((req, res) => {
      const at = Number(new URL(req.url ?? '', 'http://a').searchParams.get('seite') ?? 1) - 1;
      res.end(JSON.stringify(items(40).slice(10 * at, 10 * at + 10)));
    });
    const refused = await audit(`${url}/a`);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining(`give its URL: --page2 '${url}/a?NAME=VALUE'.`),
    ]);
    const { code, stdout } = await audit(`${url}/a`, '--page2', `${url}/a?seite=2`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('next page: page number `seite` from 1')]);
    const other = await audit(`${url}/a`, '--page2', 'http://127.0.0.1:1/a?seite=2');
    expect(other.stderr).toContain(`--page2 must be a URL of the same list, at ${url}.`);
  });

  test.each<[string, RequestListener]>([
    ['that rejects GET', withJson({ errors: [{ message: 'GET query missing.' }] }, 400)],
    ['that needs POST', withJson({}, 405)],
    ['that has no query', withJson({ errors: [{ message: 'Must provide query string.' }] })],
  ])('GraphQL %s', async (_, listener) => {
    const { code, stdout, stderr } = await audit(`${await serve(listener)}/api/graphql`);
    const why = 'GET /api/graphql is GraphQL, which cannot be audited: its pages are not URLs.';
    expect([code, stdout, stderr]).toEqual([3, '', `${AT_MOST}rollcall: The list could not be audited. ${why}\n`]);
  });
});
