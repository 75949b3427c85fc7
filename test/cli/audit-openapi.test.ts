/** `rollcall audit --openapi`: every list of a document, one table of all operations, and what is asked for. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { serve } from '../audit/conform/bad-servers.ts';
import type { Ran } from '../support/cli.ts';
import { folder } from '../support/own-folder.ts';

const row = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
};
const page = {
  type: 'object',
  properties: { items: { type: 'array', items: row }, next: { type: 'string', nullable: true } },
  required: ['items', 'next'],
};
const answers = (schema: object, description = ''): object => ({
  200: { description, content: { 'application/json': { schema } } },
  400: { description: '' },
  401: { description: '' },
});
const query = (name: string, type: string): object => ({ name, in: 'query', schema: { type } });
const pages = [query('limit', 'integer'), query('cursor', 'string')];
const owner = { name: 'owner', in: 'path', required: true, schema: { type: 'string' } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: { parameters: [...pages, query('status', 'string')], responses: answers(page) },
      post: { responses: answers(row) },
    },
    '/orders/{id}': { get: { responses: answers(row) } },
    '/{owner}/carts': { parameters: [owner], get: { parameters: pages, responses: answers(page) } },
    '/colors': { get: { responses: answers({ type: 'array', items: row }) } },
  },
};

const rows = (of: string): readonly object[] =>
  Array.from({ length: 40 }, (_, at) => ({ id: at + 1, name: `${of} ${String(at + 1)}` }));
interface Asked {
  readonly path: string;
  readonly names: readonly string[];
}
/** Serves the document's lists under /v1. A name that `change` returns is that of an item. */
function start(asked: Asked[] = [], change: (name: string) => unknown = (name) => name): Promise<string> {
  return serve((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://a');
    asked.push({ path: pathname, names: [...searchParams.keys()] });
    const send = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const of = /^\/v1\/(?:([\w%]+)\/)?(orders|carts|colors)$/.exec(pathname);
    if (of === null) {
      send(404, {});
      return;
    }
    if (of[2] === 'colors') {
      send(200, rows('color').slice(0, 3));
      return;
    }
    const limit = searchParams.get('limit') ?? '10';
    const cursor = searchParams.get('cursor') ?? 'c0';
    if (!/^[1-9]\d{0,5}$/.test(limit) || !/^c\d{1,2}$/.test(cursor) || searchParams.getAll('cursor').length > 1) {
      send(400, {});
      return;
    }
    const [begin, count] = [Number(cursor.slice(1)), Math.min(Number(limit), 20)];
    const items = rows(decodeURIComponent(of[1] ?? 'order'))
      .slice(begin, begin + count)
      .map((it) => ({ ...it, ...('name' in it && { name: change(String(it.name)) }) }));
    send(200, { items, next: begin + count < 40 ? `c${String(begin + count)}` : null });
  });
}
const audit = async (url: string, ...options: readonly string[]): Promise<Ran> => {
  writeFileSync(folder.path('shop.yaml'), JSON.stringify(DOCUMENT));
  return folder.call(['audit', '--openapi', 'shop.yaml', `${url}/v1`, ...options]);
};
const tableOf = ({ stdout }: Ran): readonly string[] =>
  stdout
    .slice(stdout.indexOf('\noperation'))
    .trim()
    .split('\n')
    .map((it) => it.replaceAll(/ +/g, ' ').replace(/\b\d{2,3} (?=ok|breaks)/, 'N '));

test('finds the lists, and prints one table of all operations', async () => {
  const asked: Asked[] = [];
  const ran = await audit(
    await start(asked),
    '--only',
    'page,end.never,items,order.unstable,openapi',
    '--param',
    'owner=a b/c',
    '--param',
    'status=open',
    '--param',
    'trace=1',
  );
  expect(ran.code).toBe(0);
  expect(tableOf(ran)).toEqual([
    'operation list passed failed notes not checked requests result',
    'GET /orders yes 7 0 0 0 N ok',
    'POST /orders no not GET',
    'GET /orders/{id} no no array of objects in its response',
    'GET /{owner}/carts yes 7 0 0 0 N ok',
    'GET /colors no one page, and no parameter of pages',
  ]);
  const namesAt = (path: string): ReadonlySet<string> =>
    new Set(asked.filter((it) => it.path === path).flatMap((it) => it.names));
  // A parameter goes where it is declared; one that nobody declares goes everywhere.
  const given = (path: string): readonly string[] => ['owner', 'status', 'trace'].filter((it) => namesAt(path).has(it));
  expect(given('/v1/orders')).toEqual(['status', 'trace']);
  expect(given('/v1/a%20b%2Fc/carts')).toEqual(['trace']);
});

test('names all parameters without a value at once, and audits the other lists', async () => {
  const ran = await audit(await start(), '--only', 'page,end.never,items,order.unstable');
  expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([3, 'Some lists need values: --param owner=…']);
  expect(tableOf(ran)[4]).toBe('GET /{owner}/carts yes 0 0 0 0 0 needs --param owner=…');
  expect(ran.stderr).toContain('rollcall: 1 of 2 lists could not be audited, or not to the end.\n');
});

test('a response that is not that of the document is a failure, with its request and place', async () => {
  const ran = await audit(
    await start([], (name) => (name === 'order 33' ? null : name)),
    '--lists',
    '/orders',
    '--only',
    'page,end.never,items,order.unstable,openapi',
    '--write-baseline',
    'known.txt',
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(
    /\nFAIL {2}openapi\.schema {7}`items\.\d+\.name` of a 200 must be string\n {6}GET \/v1\/orders\?\S+ has null there\n/,
  );
  expect(tableOf(ran)[1]).toBe('GET /orders yes 6 1 0 0 N breaks openapi.schema');
  expect(tableOf(ran)[4]).toBe('GET /{owner}/carts yes not chosen');
  const again = await audit(
    await start([], (name) => (name === 'order 33' ? null : name)),
    '--lists',
    '/orders',
    '--only',
    'page,end.never,items,order.unstable,openapi',
    '--baseline',
    'known.txt',
  );
  expect(again.code).toBe(0);
});

test('--json has the lists, and why the other operations are none', async () => {
  const ran = await audit(
    await start(),
    '--json',
    '--only',
    'page,end.never,items,order.unstable',
    '--param',
    'owner=a',
  );
  const { lists, others } = JSON.parse(ran.stdout) as {
    readonly lists: readonly { readonly name: string }[];
    readonly others: unknown;
  };
  expect(lists.map((it) => it.name)).toEqual(['/orders', '/{owner}/carts']);
  expect(others).toEqual([
    { method: 'POST', path: '/orders', why: 'not GET' },
    { method: 'GET', path: '/orders/{id}', why: 'no array of objects in its response' },
    { method: 'GET', path: '/colors', why: 'one page, and no parameter of pages' },
  ]);
});

test('3 if no operation turns out to be a list', async () => {
  const ran = await audit(await start(), '--lists', '/colors');
  expect([ran.code, ran.stderr.split('\n').at(-2)]).toEqual([
    3,
    'rollcall: No list was found: no operation that returns an array has pages.',
  ]);
});

test('wrong usage ends with 2, before a request', async () => {
  writeFileSync(folder.path('lists.yaml'), 'lists: { a: { url: http://a/ } }');
  writeFileSync(folder.path('none.yaml'), 'openapi: 3.0.3\npaths: { /a: { get: {} } }');
  // Behind a base URL, each is another origin.
  for (const [at, path] of [':21409/list', '@host/list', '.evil.example/list', 'list'].entries()) {
    const paths = { '/right': {}, [path]: DOCUMENT.paths['/orders'] };
    writeFileSync(folder.path(`path${String(at)}.yaml`), JSON.stringify({ ...DOCUMENT, paths }));
    const ran = await folder.call([
      'audit',
      '--openapi',
      `path${String(at)}.yaml`,
      'http://a',
      '--header=X-Key: secret',
    ]);
    const what = `a path must begin with /, not "${path}"`;
    expect([ran.code, ran.stdout, ran.stderr.split('\n')[0]]).toEqual([
      2,
      '',
      `error: the --openapi file path${String(at)}.yaml cannot be used: ${what}`,
    ]);
  }
  for (const [argv, message] of [
    [['--openapi', 'shop.yaml'], '--openapi needs the URL before its paths, such as http://localhost:8000/v1'],
    [['--openapi', 'http://a/openapi.json', 'http://a'], '--openapi takes a file, not a URL: download it first'],
    [['--openapi', 'gone.yaml', 'http://a'], 'the --openapi file gone.yaml does not exist'],
    [
      ['--openapi', 'lists.yaml', 'http://a'],
      'the --openapi file lists.yaml cannot be used: its version must be 3.0 or 3.1, not none',
    ],
    [['--openapi', 'none.yaml', 'http://a'], 'no operation of none.yaml returns an array of objects'],
    [
      ['--openapi', 'shop.yaml', 'http://a', '--profile', 'lists.yaml'],
      'the --profile file names lists, and so does --openapi',
    ],
    [
      ['--openapi', 'shop.yaml', 'http://a', '--lists', '/a'],
      'unknown list "/a"; the lists are /orders, /{owner}/carts, /colors',
    ],
    [
      ['--openapi', 'shop.yaml', 'http://a', '--save-profile', 'x'],
      '--save-profile is for one list, and the file has 3: choose one with --lists',
    ],
  ] as const) {
    writeFileSync(folder.path('shop.yaml'), JSON.stringify(DOCUMENT));
    const { code, stdout, stderr } = await folder.call(['audit', ...argv]);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `error: ${message}`]);
  }
});
