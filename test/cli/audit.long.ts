/** `rollcall audit`: how it ends, what it prints, what it writes, and what it refuses. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { RULES } from '../../audit/lists/audit.ts';
import type { Result } from '../../audit/rules/rule.ts';
import { serve } from '../audit/conform/bad-servers.ts';
import { rowsOf } from '../audit/lists/server.ts';
import { LIVING_SOUND, TIE_ORDER_FAULTS } from '../audit/lists/tie-faults.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';
import { AT_MOST, audit, start, startFaulty } from './lists.ts';

const KEY = 'key-of-the-list';
const HEADER = ['-H', `Authorization: Bearer ${KEY}`];

/** The rules that no declaration switches on. */
const ALWAYS = RULES.filter((it) => it.on === undefined);

interface Printed extends Readonly<Record<'passed' | 'failed' | 'notes' | 'not_checked' | 'requests', number>> {
  readonly untestable?: string;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly results: readonly Result[];
}
const read = ({ stdout }: Ran): Printed => JSON.parse(stdout) as Printed;

describe('it ends with', () => {
  test('0 if no rule failed', async () => {
    expect(await audit(await start({ style: 'token' }))).toEqual({
      code: 0,
      signal: null,
      stdout: `120 items in \`items\`, id \`id\`, page size \`limit\`, at most 50, next page: token \`cursor\` from
  \`next_cursor\`
  found with 11 requests; --save-profile FILE keeps it
do not apply: stated.pages (no number of pages is stated); back.missing (no previous page is known
  (--previous)); key.unchecked (no key was given); cursor.inside (its cursors are not item ids);
  end.beyond (the server, not the client, makes the cursors); position.error (the list has no page
  numbers or offsets)
read of 120 items with 1, 2, 3, 7, 49 per page: all; with the default page size: all
15 passed, 0 failed, 0 notes, 6 do not apply; 340 GET requests
`,
      stderr: AT_MOST,
    });
  });

  test('1 if a rule failed, which is printed with an item, its request, why it matters and what to change', async () => {
    expect(await audit(await startFaulty({ key: KEY }), ...HEADER)).toEqual({
      code: 1,
      signal: null,
      stdout: `89 items in \`results\`, id \`id\`, page size \`limit\`, at most 50, next page: the URL in \`next\`
  found with 12 requests; --save-profile FILE keeps it
FAIL  items.missing        13 of 89 items are missing with 1 per page; first missing: 53
      GET /items?limit=1&cursor=WyI1NCIsIm5leHQiXQ.0c42cd
      returned 39; 53 has the same \`created\` as 54 before it
      why it matters: Clients never see some items, and get no error.
      what to change: Sort by \`created\` and then by the id, and compare both in the cursor.
blocked by items.missing: size.above, end.multiple, total.wrong, back.missing, cursor.inside
do not apply: stated.pages (no number of pages is stated); end.beyond (the server, not the client,
  makes the cursors); position.error (the list has no page numbers or offsets)
read of 89 items with 1, 2, 3, 7, 49 per page: to the end, but not all; with the default page size:
  to the end, but not all
12 passed, 1 failed, 0 notes, 5 blocked by items.missing, 3 do not apply; 269 GET requests
`,
      stderr: `${AT_MOST}rollcall: The list breaks 1 rule.\n`,
    });
  });

  test('0 if the requests are not enough for all: what they are enough for is checked', async () => {
    const url = await start({ style: 'token' });
    const ran = await audit(url, '--max-requests', '120', '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const { untestable, requests, failed, results } = read(ran);
    expect([untestable, failed, results.length]).toEqual([undefined, 0, ALWAYS.length]);
    expect(requests).toBeLessThanOrEqual(120);
    expect(results.map((it) => it.outcome)).toContain('passed');
  });

  test('1 if a rule failed before the requests were used up', async () => {
    const ran = await audit(await startFaulty({ key: KEY }), ...HEADER, '--max-requests', '100');
    expect([ran.code, ran.stderr]).toEqual([1, 'Sends at most 100 GET requests.\nrollcall: The list breaks 1 rule.\n']);
  });

  test('1 if the order differs at each request: its first line says how many items there are at least', async () => {
    const tied = TIE_ORDER_FAULTS.find(({ name }) => name.startsWith('page: twenty equal values'));
    const { code, stdout } = await audit(await start(tied?.options ?? { style: 'page' }));
    expect([code, ...stdout.split('\n').filter((it) => !it.startsWith('note') && !it.includes('why it'))]).toEqual(
      expect.arrayContaining([
        1,
        expect.stringMatching(/^\d+ of at least 180 items in `items`, id `id`|^180 items in/),
        expect.stringMatching(/^FAIL {2}items.missing {8}\d+ of 180 items are missing with /),
        expect.stringMatching(
          /was sent \d times: \d+ came, went, and came again, as items of the same `rank` change places$/,
        ),
        '      what to change: Order by `rank` and then by the id, at every request: now the order differs',
      ]),
    );
    expect(stdout).not.toContain('note  total.wrong');
  });

  test('3 if the list changes all the time, which its first line says', async () => {
    const living = LIVING_SOUND.find(({ name }) => name.includes('is updated, and moves to the head, with every 3'));
    const { code, stdout, stderr } = await audit(await start(living?.options ?? { style: 'page' }));
    expect(code).toBe(3);
    expect(stdout).toMatch(/^(repeated and )?missing items could not be checked: the list changed/);
    expect(stderr).toMatch(/rollcall: (Repeated and m|M)issing items could not be checked: the list changed.*\.\n$/);
  });

  test('3 if a rule is asked for that needs a declaration', async () => {
    const ran = await audit(await start({ style: 'token' }), '--only', 'order.wrong');
    expect([ran.code, ran.stderr]).toEqual([3, `${AT_MOST}rollcall: No rule could be checked.\n`]);
    expect(ran.stdout.split('\n')[3]).toBe('not checked: order.wrong (it needs `--order`)');
  });

  test('1 if the list is not ordered as declared', async () => {
    const ran = await audit(await start({ style: 'offset' }), '--order', 'created,id', '--only', 'order');
    expect(ran.code).toBe(1);
    expect(ran.stdout.split('\n').slice(2, 5)).toEqual([
      'FAIL  order.wrong          95 (`created` "2026-01-30T23:59:00.000Z") comes after 96 (`created`',
      '      "2026-01-31T00:00:00.000Z"), and 79 more pairs too; `created` is promised ascending',
      '      GET /items?limit=50',
    ]);
  });
});

test('--json prints the counts, the profile without secrets, and the results', async () => {
  const ran = await audit(
    await startFaulty({ key: KEY }),
    ...HEADER,
    '--param',
    'api_key=12345',
    '--json',
    '--only',
    'items.missing,total',
  );
  expect([ran.code, ran.stderr]).toEqual([1, 'rollcall: The list breaks 1 rule.\n']);
  const { results, requests, ...others } = read(ran);
  expect(others).toEqual({
    ...{ passed: 0, failed: 1, notes: 0, not_checked: 1 },
    profile: {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/items$/) as unknown,
      headers: { Authorization: 'Bearer ${AUTHORIZATION}' },
      params: { api_key: '${API_KEY}' },
      items: 'results',
      id: 'id',
      size: { param: 'limit', max: 50 },
      next: { url: 'next' },
      previous: { url: 'previous' },
    },
  });
  expect(requests).toBeGreaterThan(100);
  expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([
    ['items.missing', 'failed'],
    ['total.wrong', 'not_checked'],
  ]);
  expect(ran.stdout).not.toMatch(/key-of-the-list|12345/);
});

test('--verbose prints every request and what was tried', async () => {
  const { stderr } = await audit(await start({ style: 'page' }), '--verbose', '--only', 'size.wrong');
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    'Sends at most 1,000 GET requests.',
    'GET /items',
    'GET /items?limit=2',
  ]);
  expect(stderr).toContain('\ntried size `limit`: it does not change the length\n');
});

test('--save-profile writes a profile with which the audit needs no options', async () => {
  const url = await startFaulty({ key: KEY });
  const first = await audit(url, ...HEADER, '--save-profile', 'list.yaml');
  expect(first.stdout.split('\n')[2]).toBe(
    'saved in list.yaml, with ${AUTHORIZATION} of the environment in place of what is secret',
  );
  expect(readFileSync(folder.path('list.yaml'), 'utf8')).toBe(`url: ${url}
headers: { Authorization: "Bearer \${AUTHORIZATION}" }
items: results
id: id
size: { param: limit, max: 50 }
next: { url: next }
previous: { url: previous }
`);
  const argv = ['audit', '--profile', 'list.yaml', '--only', 'items.missing'];
  const again = await folder.call(argv, { env: { AUTHORIZATION: KEY } });
  expect([again.code, again.stdout.split('\n')[2]]).toEqual([1, first.stdout.split('\n')[3]]);
  expect(await folder.call(argv)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'error: the --profile file list.yaml is invalid: the environment has no AUTHORIZATION\n',
    ) as unknown,
  });
});

test('options win over the profile', async () => {
  const url = await start({ style: 'token', key: KEY });
  writeFileSync(
    folder.path('p.yaml'),
    'url: http://127.0.0.1:1/\nheaders: { Authorization: no, Accept: "*/*" }\nitems: data\nid: name\nnext: { page: page }\n',
  );
  const options = ['--items', 'items', '--id', 'id', '--next', 'token: cursor, from: next_cursor', '--size', 'limit'];
  const ran = await audit(
    url,
    '--profile',
    'p.yaml',
    ...HEADER,
    ...options,
    '--json',
    '--only',
    'page,end.never,items,order.unstable',
  );
  expect(ran.code).toBe(0);
  expect(read(ran).profile).toMatchObject({
    ...{ url, items: 'items', id: 'id', size: { param: 'limit', max: 50 } },
    next: { token: 'cursor', from: 'next_cursor' },
    headers: { Authorization: 'Bearer ${AUTHORIZATION}', Accept: '*/*' },
  });
});

describe('--save-items', () => {
  // Everything that JSON.stringify would write in another way; one item comes twice.
  const SOURCES = [
    '{"id":9007199254740993,"a": 1.0}',
    '{ "id" : 9007199254740992 ,"b":"\\u00e9\\/é"}',
    '{"id":3,"c":[1e2,  {"d":null}]}',
    '{"id":4,\n  "e": "\\n"\n}',
    '{"id":5}',
  ];
  /** @returns pages of two items, the last of which repeats the first one. */
  const pages =
    (past: number): RequestListener =>
    (req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page') ?? 1);
      const of = [...SOURCES, SOURCES[0]].slice(2 * page - 2, 2 * page);
      if (of.length === 0) res.writeHead(past).end('{"items":[]}');
      else res.end(`{"items": [ ${of.join(' ,\n')} ]}`);
    };
  const CAPTURED = `${[SOURCES[0], SOURCES[1], SOURCES[2], '{"id":4,"e": "\\n"}', SOURCES[4]].join('\n')}\n`;
  const captured = async (listener: RequestListener, ...options: readonly string[]): Promise<Ran> =>
    audit(await serve(listener), '--save-items', 'all.ndjson', '--only', 'page.error', ...options);

  test.each([200, 404])('writes each item once as it was sent, if beyond the end is %i', async (past) => {
    const { stderr } = await captured(pages(past));
    expect(stderr).toBe(`${AT_MOST}Captured 5 items in all.ndjson.\n`);
    expect(readFileSync(folder.path('all.ndjson'), 'utf8')).toBe(CAPTURED);
    expect(readdirSync(folder.path('.'))).toEqual(['all.ndjson']);
  });

  test('leaves no file if a page is an error', async () => {
    const { code, stderr } = await captured(pages(500));
    const why = 'The list could not be audited. The list cannot be captured: GET /?page=4 is 500.';
    expect([code, stderr]).toEqual([3, `${AT_MOST}rollcall: ${why}\n`]);
    expect(readdirSync(folder.path('.'))).toEqual([]);
  });

  test('leaves no file if a page is not UTF-8', async () => {
    const { code, stderr } = await captured((req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page') ?? 1);
      const of = [1, 2, 3, 4, 5].slice(2 * page - 2, 2 * page);
      res.end(Buffer.from(JSON.stringify(of.map((id) => ({ id, name: 'caf\u00e9' }))), 'latin1'));
    });
    const why = 'The list could not be audited. The list cannot be captured: GET / is not UTF-8.';
    expect([code, stderr]).toEqual([3, `${AT_MOST}rollcall: ${why}\n`]);
    expect(readdirSync(folder.path('.'))).toEqual([]);
  });

  test('leaves no file if the list does not end', async () => {
    const last: RequestListener = (req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page') ?? 1);
      res.end(`{"items": [${SOURCES.slice(Math.min(page, 4) - 1, Math.min(page, 4) + 1).join()}]}`);
    };
    const { code, stderr } = await captured(last);
    const why = 'The list could not be audited. The list cannot be captured: it does not end, see GET /?page=24.';
    expect([code, stderr]).toEqual([3, `${AT_MOST}rollcall: ${why}\n`]);
    expect(readdirSync(folder.path('.'))).toEqual([]);
  });

  test('leaves no file if the requests are used up', async () => {
    // As many as it takes to find out how the list paginates.
    const { code, stderr } = await captured(pages(404), '--max-requests', '32');
    const why = 'The list could not be audited. The run requires more than 32 requests (--max-requests).';
    expect([code, stderr]).toEqual([3, `Sends at most 32 GET requests.\nrollcall: ${why}\n`]);
    expect(readdirSync(folder.path('.'))).toEqual([]);
  });

  test('leaves a file of another alone, or what a run that was killed has left, before it sends anything', async () => {
    writeFileSync(folder.path('all.ndjson.part'), 'mine');
    const { code, stderr } = await captured(pages(404));
    const why = 'error: the --save-items file all.ndjson.part already exists; choose a new file';
    expect([code, stderr.split('\n')[0]]).toEqual([2, why]);
    expect(readFileSync(folder.path('all.ndjson.part'), 'utf8')).toBe('mine');
    expect(readdirSync(folder.path('.'))).toEqual(['all.ndjson.part']);
  });
});

describe('wrong usage ends with 2, before a request:', () => {
  const URL = 'http://127.0.0.1:1/a';
  const NO_URL = 'the URL of a list is like http://localhost:8000/orders';
  const areas = [...new Set(RULES.map((it) => it.id.replace(/\..*/, '')))].join(', ');
  test.each<[readonly string[], string]>([
    [[], 'missing the URL of the list, as an argument or as `url` of --profile'],
    [['localhost:8000'], NO_URL],
    [['http//me:secret@a/b'], NO_URL],
    [['file:///etc/passwd'], NO_URL],
    [[URL, 'b'], "too many arguments for 'audit'. Expected 1 argument but got 2."],
    [[URL, '-H', 'Bearer secret'], 'a header is a name, `:` and a value'],
    [[URL, '-H', ': secret'], 'a header is a name, `:` and a value'],
    [[URL, '-H', 'X Y: secret'], 'the header "X Y" has a character that a header cannot have'],
    [[URL, '-H', 'X: secret\u0001'], 'the header "X" has a character that a header cannot have'],
    [[URL, '--param', 'secret'], 'a parameter is a name, `=` and a value'],
    [
      [URL, '--only', 'items,item'],
      `unknown rule "item"; there are the areas ${areas}, each with rules such as page.error`,
    ],
    [[URL, '--skip', 'total.false'], 'unknown rule "total.false"; the rules of total are total.wrong'],
    [
      [URL, '--max-requests', '0'],
      "option '--max-requests <count>' argument '0' is invalid. It must be a whole number of requests from 1 to 10000000.",
    ],
    [
      [URL, '--timeout', '1.5'],
      "option '--timeout <seconds>' argument '1.5' is invalid. It must be a whole number of seconds from 1 to 86400.",
    ],
    [[URL, '--next', 'token: a'], '--next is invalid: next.from is missing'],
    [
      [URL, '--previous', 'prev'],
      '--previous is invalid: previous must have one of id, token, tokens, url, link, header, page, offset: { token: cursor, from: meta.next } or { link: next }',
    ],
    [[URL, '--size', '{max: 3}'], '--size is invalid: size must have a param or a header'],
    [[URL, '--data', '{"secret": '], `--data must be a JSON object such as '{"limit": 2}', or a form such as limit=2`],
    [
      [URL, '--data', '{}', '--openapi', 'api.yaml'],
      '--openapi sends only GET: audit a list that is read by POST by its URL',
    ],
    [['--profile', 'post.yaml'], 'the profile reads by POST: add --allow-post if a POST to its URL changes nothing'],
    [[URL, '--sort-param', 'score'], '--sort-param is invalid: sorts must be like [sort=score]'],
    [[URL, '--error-body', 'x'], '--error-body is invalid: error must be an object'],
    [
      [URL, '--order', '-created,'],
      '--order is invalid: order must be like -created,id or [{ by: -created, type: time, nulls: last }, id]',
    ],
    [[URL, '--filter', 'status'], 'a filter is a name, `=` and a value'],
    [[URL, '--get', '/orders'], '--get is invalid: get must be a path with {id}, such as /orders/{id}'],
    [[URL, '--other-url', 'customers'], '--other-url is invalid: other.url must be a path or a URL such as /customers'],
    [[URL, '--other-header', 'secret'], 'a header is a name, `:` and a value'],
    [[URL, '-H', 'X-Key: secret', '-H', 'x-key: other'], 'the header "x-key" is given twice'],
    [[URL, '--param', 'a=secret', '--param', 'a=1'], 'the parameter "a" is given twice'],
    [[URL, '--auth', 'me:secret', '-H', 'authorization: x'], 'an Authorization header and a user cannot be combined'],
    [
      ['http://me:secret@127.0.0.1:1/a', '-H', 'authorization: x'],
      'an Authorization header and a user cannot be combined',
    ],
    [[URL, '--headers=X-Key: secret'], "unknown option '--headers'"],
    [[URL, '--other-header', 'a b: secret'], 'the header "a b" has a character that a header cannot have'],
    [['--profile', 'none.yaml'], 'the --profile file none.yaml does not exist'],
    [
      ['--profile', 'bad.yaml'],
      'the --profile file bad.yaml is invalid: url must be a URL such as http://localhost:8000/orders',
    ],
    [['--profile', 'empty.yaml'], 'the --profile file empty.yaml is invalid: a profile must be an object'],
    [[URL, '--save-profile', 'bad.yaml'], 'the --save-profile file bad.yaml already exists; choose a new file'],
    [[URL, '--save-profile', 'none/x'], 'the --save-profile file none/x cannot be written: its folder does not exist'],
    [[URL, '--save-items', 'none/x'], 'the --save-items file none/x cannot be written: its folder does not exist'],
    [[URL, '--save-items', 'bad.yaml'], 'the --save-items file bad.yaml already exists; choose a new file'],
    [
      [URL, '--save-profile', 'x', '--save-items', './x'],
      'x is both the --save-profile file and the --save-items file. Choose another file.',
    ],
  ])('%j', async (argv, message) => {
    writeFileSync(folder.path('bad.yaml'), 'url: orders');
    writeFileSync(folder.path('post.yaml'), `{ url: ${URL}, method: POST, body: { limit: 2 } }`);
    writeFileSync(folder.path('api.yaml'), '{ openapi: 3.0.3, info: {}, paths: {} }');
    writeFileSync(folder.path('empty.yaml'), '');
    expect(await folder.call(['audit', ...argv])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `error: ${message}\nSee: rollcall audit --help\n`,
    });
    expect(readdirSync(folder.path('.')).sort()).toEqual(['api.yaml', 'bad.yaml', 'empty.yaml', 'post.yaml']);
  });
});

/** The rules of what this list does not state. */
const UNSTATED = ['stated.next', 'stated.pages', 'total.wrong'];

describe('bounds:', () => {
  test.each([
    [10_000, 100, []],
    [10_006, 50, ['end.multiple']], // What would take more than the other rules leave.
  ] as const)('a list of %i items on pages of up to %i ends within 1,000 requests', async (length, max, left) => {
    const url = await serve((req, res) => {
      const query = new URL(req.url ?? '', 'http://a').searchParams;
      const size = query.get('limit') ?? '10';
      const [next = '', previous = ''] = ['starting_after', 'ending_before'].map((it) => query.get(it) ?? '');
      if (!/^[1-9]\d*$/.test(size) || !/^\d*$/.test(next + previous)) {
        res.writeHead(400).end('{}');
        return;
      }
      const count = Math.min(Number(size), max);
      const first = previous === '' ? Number(next) + 1 : Math.max(1, Number(previous) - count);
      const last = Math.min(length, previous === '' ? first + count - 1 : Number(previous) - 1);
      const data = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({ id: first + at }));
      res.end(JSON.stringify({ data, has_more: previous === '' ? last < length : first > 1 }));
    });
    const ran = await audit(url, '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const { requests, results } = read(ran);
    expect(requests).toBeLessThanOrEqual(1000);
    const others = results.filter((it) => it.outcome !== 'passed').map((it) => it.rule);
    expect(others.sort()).toEqual([...left, ...UNSTATED, 'key.unchecked', 'position.error'].sort());
  });

  test('of three items it says what could not be checked', async () => {
    const { code, stdout } = await audit(
      await start({ style: 'url', rows: rowsOf(3, (n) => n), sizes: { default: 2, max: 2 } }),
    );
    expect(code).toBe(0);
    expect(stdout)
      .toBe(`3 items in \`results\`, id \`id\`, page size \`limit\`, at most 2, next page: the URL in \`next\`
  found with 10 requests; --save-profile FILE keeps it
do not apply: stated.pages (no number of pages is stated); key.unchecked (no key was given);
  cursor.inside (its cursors are not item ids); end.beyond (the server, not the client, makes the
  cursors); position.error (the list has no page numbers or offsets)
read of 3 items with 1 per page: all
16 passed, 0 failed, 0 notes, 5 do not apply; 80 GET requests
`);
  });
});
