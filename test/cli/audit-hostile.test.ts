/** What a server says: no part of a key is in anything that `rollcall audit` prints or writes, and nothing is a command or a variable. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import type { Given } from '../../audit/lists/profile.ts';
import { serve } from '../audit/conform/bad-servers.ts';
import { commandsIn } from '../support/ci-commands.ts';
import type { Ran } from '../support/cli.ts';
import { KINDS, shownOf, stringOf } from '../support/credentials.ts';
import fc, { SEED } from '../support/fast-check.ts';
import { folder } from '../support/own-folder.ts';
import { audit } from './lists.ts';

/** What a server responds. */
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
/** A page of a list, with its query, and where the next one begins. */
interface Page {
  readonly query: URLSearchParams;
  readonly items: readonly object[];
  readonly next: number | undefined;
}
/** @param q the key, quoted between other text. */
type Respond = (page: Page, q: string) => Reply;

const linked = (page: Page, more: string): string | undefined =>
  page.next === undefined
    ? undefined
    : `/list?limit=${encodeURIComponent(page.query.get('limit') ?? '10')}&cursor=${String(page.next)}${more}`;

/** Servers that quote a key in their own ways. */
const SERVERS: Readonly<Record<string, Respond>> = {
  'items, links, totals, headers and the text of a status': (page, q) => ({
    headers: { 'X-Total-Count': q, Link: `<http://other.example/${q}>; rel="self"` },
    body: {
      items: page.items,
      next: linked(page, `&echo=${q}`),
      self: `http://other.example/?x=${q}`,
      total: q,
      [q]: q,
    },
  }),
  'items that are missing on small pages': (page, q) => ({
    body: { items: page.items.slice(page.query.get('limit') === '3' ? 1 : 0), next: linked(page, ''), prev: q },
  }),
  'the token of the next page': (page, q) => ({
    body: { items: page.items, next_cursor: page.next === undefined ? null : `${String(page.next)}-${q}` },
  }),
  'the body of an error, on small pages and for wrong values': (page, q) =>
    page.query.get('limit') === '3' || !/^\d{1,3}$/.test(page.query.get('limit') ?? '1')
      ? { status: 500, body: { error: q, [q]: [q] } }
      : { body: { items: page.items, next: linked(page, '') } },
  'the name of the array': (page, q) => ({ body: { data: { [q]: page.items }, next: linked(page, '') } }),
  'the names of several arrays': (page, q) => ({
    body: { [q]: page.items, [`_${q}`]: page.items, next: linked(page, '') },
  }),
  'the name of the link': (page, q) => ({ body: { items: page.items, [`next_${q}`]: linked(page, '') } }),
  'the name of the token': (page, q) => ({ body: { items: page.items, [`next_cursor_${q}`]: page.next } }),
  'the header of the link': (page, q) => {
    const link = linked(page, '');
    return { headers: link === undefined ? {} : { [`X-Next-${q}`]: link }, body: { items: page.items } };
  },
  'the name of the id': (page, q) => ({ body: page.items.map((_, at) => ({ [q]: `${String(at)}${q}` })) }),
  'text that is no JSON': (_, q) => ({ body: `Hello ${q}`, headers: { 'Content-Type': 'text/plain' } }),
  'a body that is rejected': (_, q) => ({ status: 400, body: { message: q } }),
  'a redirect to another origin': (_, q) => ({
    status: 302,
    headers: { Location: `http://other.example/${q}?x=${q}` },
    body: '',
  }),
};

const COUNT = 24;

/** @returns a server of a list, as it responds. */
function listOf(respond: Respond, q: string): (req: IncomingMessage, res: ServerResponse) => void {
  return ({ url = '' }, res) => {
    const { searchParams: query } = new URL(url, 'http://a');
    const limit = Math.min(Math.max(parseInt(query.get('limit') ?? '10', 10) || 10, 1), 20);
    const start = parseInt(query.get('cursor') ?? query.get(`cursor_${q}`) ?? '0', 10) || 0;
    const end = Math.min(start + limit, COUNT);
    const items = Array.from({ length: Math.max(0, end - start) }, (_, at) => {
      return { id: `${String(start + at)}${q}`, created: q, [`${q}_at`]: q };
    });
    const { status = 200, headers = {}, body } = respond({ query, items, next: end < COUNT ? end : undefined }, q);
    res.writeHead(status, `Status ${q}`, { 'Content-Type': 'application/json', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** @returns what a user says of a list, as options. */
function optionsOf({ headers = {}, auth, params = {}, body, other }: Given): readonly string[] {
  const named = (option: string, values: Readonly<Record<string, string>>, mark: string): readonly string[] =>
    Object.entries(values).map(([name, value]) => `--${option}=${name}${mark}${value}`);
  return [
    ...named('header', headers, ':'),
    ...(auth === undefined ? [] : [`--auth=${auth}`]),
    ...named('param', params, '='),
    ...(body === undefined ? [] : [`--data=${JSON.stringify(body)}`]),
    ...named('other-header', other?.headers ?? {}, ':'),
  ];
}

const around = stringOf('abcdefgh0123-', { maxLength: 70 });
// No words of ours have these letters together.
const short = stringOf('QJZ', { minLength: 3, maxLength: 7 });
const long = stringOf('ABCDEFGHijklmnop0123456789-._~+', { minLength: 8, maxLength: 64 });
const key = fc.oneof({ arbitrary: short, weight: 1 }, { arbitrary: long, weight: 3 });

const ENDINGS = [0, 1, 3];
/** Options whose files are named after them. */
const WRITTEN = ['junit', 'write-baseline', 'save-profile'];

const HOSTILE = '::error::##[stop-commands]${HOME}';
// A header cannot have such a name.
const namers = Object.entries(SERVERS).filter(([name]) => name !== 'the header of the link');

test.each(namers)('what a server says is no command of a CI, and read from no environment: %s', async (_, respond) => {
  const url = `${await serve(listOf(respond, HOSTILE))}/list`;
  const ran = [
    await audit(url, '--verbose', '--github', '--save-profile=profile.yaml'),
    await audit(url, '--json'),
  ] as const;
  for (const it of ran) expect(commandsIn(`${it.stdout}\n${it.stderr}`)).toEqual([]);
  const { profile } = JSON.parse(ran[1].stdout) as { readonly profile?: object };
  const saved = existsSync(folder.path('profile.yaml')) ? readFileSync(folder.path('profile.yaml'), 'utf8') : '';
  expect(`${JSON.stringify(profile)} ${saved}`).not.toContain('${');
});

test('the names of lists in a document are shown without keys and commands, also in a baseline, which is read again', async () => {
  const of = 'A-key-of-mine-0123456789';
  const name = `/list/${of}##[stop-commands]\u001b[31m\n::error::x`;
  const schema = { type: 'array', items: { type: 'object' } };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const document = { openapi: '3.0.3', info: {}, paths: { [name]: { get }, '/other': { post: {} } } };
  writeFileSync(folder.path('api.json'), JSON.stringify(document));
  const respond: Respond = SERVERS['items that are missing on small pages'] ?? (() => ({ body: '' }));
  const url = await serve(listOf(respond, ''));
  const options = ['--openapi=api.json', `--header=X-Key:${of}`];
  const reports = ['--verbose', '--github', '--junit=junit', '--write-baseline=known'];
  const text = await audit(url, ...options, ...reports);
  const json = await audit(url, ...options, '--json', '--baseline=known', '--strict-baseline');
  expect([text.code, json.code]).toEqual([0, 0]);
  const files = ['junit', 'known'].map((it) => readFileSync(folder.path(it), 'utf8'));
  const shown = String.raw`/list/…\u0023#[stop-commands]\u001b[31m\u000a::error::x`;
  expect(text.stdout.split('\n').slice(0, 2)).toEqual(['', shown]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    known: 2,
    failed: 2,
    lists: [{ name: shown }],
    others: [{ path: '/other' }],
  });
  // A profile has the URL as it was given.
  const printed = json.stdout.replace(/"url": ".*"/, '');
  const all = [text.stdout, text.stderr, printed, json.stderr, ...files];
  expect(all.map((it) => shownOf(of, it))).toEqual(all.map(() => undefined));
  expect(commandsIn(all.join('\n'))).toEqual([]);
});

test('a cursor that holds a key is not cut in two to damage it', async () => {
  const of = 'A-key-of-mine-0123456789';
  const respond: Respond = SERVERS['the token of the next page'] ?? (() => ({ body: '' }));
  const url = `${await serve(listOf(respond, of))}/list`;
  const { stdout, stderr } = await audit(url, `--header=X-Key:${of}`, '--verbose', '--only=cursor.error,cursor.end');
  expect(stderr).toContain('cursor=zzzzzzzz');
  expect(shownOf(of, stdout + stderr)).toBeUndefined();
});

test('the name of a file is no command either, in an annotation and in an error', async () => {
  const url = `${await serve(listOf((page) => ({ body: { items: page.items, next: linked(page, '') } }), ''))}/list`;
  writeFileSync(folder.path('##[group]known'), 'end.never\n');
  const { code, stdout, stderr } = await audit(url, '--github', '--baseline=##[group]known', '--strict-baseline');
  const stale = String.raw`1 known failure passed. Remove from \u0023#[group]known: end.never.`;
  expect(code).toBe(1);
  expect(stdout).toContain(`\n::error title=a known failure passes::rollcall audit: --strict-baseline%0A${stale}\n`);
  expect(stderr).toContain(`\nrollcall: ${stale}\n`);
});

/** Kinds of keys by turns, so that each is quoted by some servers. */
const kindsOf = (at: number): typeof KINDS =>
  [0, KINDS.length / 2].flatMap((half) => KINDS.slice((half + at) % KINDS.length).slice(0, 1));

test.each(Object.entries(SERVERS).map(([name, respond], at) => [name, at, respond] as const))(
  'a key in %s',
  async (_, at, respond) => {
    for (const [kind, given] of kindsOf(at))
      await fc.assert(
        fc.asyncProperty(key, around, around, async (of, before, after) => {
          const q = `${before}${of}${after}`;
          const list = given(of, `${await serve(listOf(respond, q))}/list`);
          const call = (...options: readonly string[]): Promise<Ran> => audit(list.url, ...optionsOf(list), ...options);
          const ran = [
            await call('--verbose', '--github', ...WRITTEN.map((it) => `--${it}=${it}`)),
            await call('--json'),
          ];
          const files = WRITTEN.map((it) => folder.path(it)).filter((it) => existsSync(it));
          const texts = [
            ...ran.flatMap((it) => [it.stdout, it.stderr]),
            ...files.map((it) => readFileSync(it, 'utf8')),
          ];
          for (const it of ran) expect(ENDINGS).toContain(it.code);
          expect(JSON.parse(ran[1]?.stdout ?? '')).toHaveProperty('results');
          expect([kind, ...texts.map((it) => shownOf(of, it))]).toEqual([kind, ...texts.map(() => undefined)]);
          for (const it of files) rmSync(it);
        }),
        { seed: SEED + at, numRuns: 1, endOnFailure: true }, // A run is two audits.
      );
  },
);
