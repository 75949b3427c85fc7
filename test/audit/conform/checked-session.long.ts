/** A run of `conform` whose bounds are reached, or whose server is gone; and that a seed repeats it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { conform } from '../../../audit/conform/conform.ts';
import type { Options, Result } from '../../../audit/conform/conform.ts';
import { redactionOf } from '../../../audit/conform/checked-session.ts';
import { say } from '../../../audit/rules/text.ts';
import { COLLECTIONS, operationsOf } from '../../../contract/collections.ts';
import { Untestable } from '../../../audit/session/session.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { afterTest } from '../../support/after-test.ts';
import { shownOf } from '../../support/credentials.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { said } from '../../support/text.ts';
import { startProxy } from '../mutants/proxy.ts';
import type { Reply } from '../mutants/proxy.ts';
import { BAD_SERVERS, serve } from './bad-servers.ts';
import { RECORDS, open, openBehind, openRewritten } from './target.ts';

interface Ended {
  readonly results: readonly Result[];
  readonly error: unknown;
}
/** Runs to the end. @returns the results, and why it broke off. */
async function runWith(server: { url: string; key: string }, options: Options): Promise<Ended> {
  const results: Result[] = [];
  try {
    for await (const result of conform(contract, server, options)) results.push(result);
  } catch (error) {
    return { results, error };
  }
  return { results, error: undefined };
}

const reasonsOf = (results: readonly Result[]): readonly string[] => [
  ...new Set(results.map((it) => (it.outcome === 'not_checked' ? it.reason : it.outcome))),
];

describe('a run whose bounds are reached checks no more rules, says why, and keeps what it found:', () => {
  const only = ['list.invalid_limit', 'list.limit', 'get'];

  test('--max-requests', async () => {
    let count = 0;
    const t = await openTestApp(RECORDS);
    const server = await open({
      ...t,
      app: (req, res) => {
        count += 1;
        t.app(req, res);
      },
    });
    const why = say`The run requires more than 30 requests (--max-requests).`;
    const { results, error } = await runWith(server, { only, requests: 30 });
    expect(error).toEqual(new Untestable(why));
    expect(count).toBe(30);
    expect(reasonsOf(results)).toEqual(['passed', why.raw]);
    expect(results.length).toBeGreaterThanOrEqual(10);
  });

  test('--timeout, where the server responds no more', async () => {
    let count = 0;
    const { clock, advance } = fakeClock();
    const t = await openTestApp(RECORDS);
    const server = await open({
      ...t,
      app: (req, res) => {
        count += 1;
        if (count === 30) advance(2900); // What is left for the next request; a timer may end a little before the clock says so.
        if (count <= 30) t.app(req, res);
      },
    });
    const { results, error } = await runWith(server, { only, runMs: 3000, clock });
    const why = /^The run did not end within 3 s \(--timeout\); the last request was GET \/\S+( .*)?\.$/;
    expect(error).toBeInstanceOf(Untestable);
    expect(said(error)).toMatch(why);
    expect(count).toBe(31);
    expect(reasonsOf(results)).toEqual(['passed', said(error)]);
  });

  test('before the first rule, nothing is a result', async () => {
    const { results, error } = await runWith(await open(await openTestApp()), { requests: 1 });
    expect([results, error]).toEqual([[], new Untestable(say`The run requires more than 1 request (--max-requests).`)]);
  });
});

test('a server that never responds ends the run before the first rule', async () => {
  const { results, error } = await runWith({ url: await serve(BAD_SERVERS.hangs), key: 'key' }, { requestMs: 200 });
  expect(results).toEqual([]);
  expect(error).toEqual(new Untestable(say`No usable response to GET /automations: no complete response within 1 s.`));
});

describe('requests without a response', () => {
  const only = ['list.invalid_limit', 'auth.missing'];
  const isWrong = (url = ''): boolean => /^\/automations\?limit=([^1-9]|$)/.test(url);
  /** A server that closes the connections of some of its requests, which it counts. */
  const closing = (isClosed: (count: number, url?: string) => boolean): ReturnType<typeof openBehind> => {
    let count = 0;
    return openBehind((req, res) => {
      count += 1;
      if (isClosed(count, req.url)) res.destroy();
    });
  };
  const cut = (res: ServerResponse): unknown =>
    res.writeHead(200, { 'content-length': '10' }).write('{', () => {
      res.destroy();
    });
  const keyOf = ({ operation, rule }: Result): string => `${operation} ${rule}`;
  const keysOf = (results: readonly Result[], outcome: Result['outcome']): readonly string[] =>
    results.filter((it) => it.outcome === outcome).map(keyOf);

  test('fail their rule, and no other, where the server responds to a request that had a response before', async () => {
    const { results, error } = await runWith(await closing((_, url) => isWrong(url)), { only });
    expect(error).toBeUndefined();
    expect(keysOf(results, 'failed')).toEqual(['listAutomations list.invalid_limit']);
    expect(keysOf(results, 'not_checked')).toEqual([]);
    expect(JSON.stringify(results)).toContain('no response: the connection was closed without a response');
  });

  test.each([
    [
      'a body that is cut',
      cut,
      /^no response: the connection was closed before the end of the body that its headers announce$/,
    ],
    ['a 500', (res: ServerResponse) => res.writeHead(500).end(), /^500/],
  ] as const)(
    '%s is looked for in the log of the server, whatever the rule is about',
    async (_what, respond, actual) => {
      const t = await openTestApp(RECORDS);
      const app: typeof t.app = (req, res) => {
        if (req.url === '/automations?limit=100') respond(res);
        else t.app(req, res);
      };
      const { results } = await runWith(await open({ ...t, app }), { only: ['list.pagination', 'listAutomations'] });
      expect(results).toEqual([
        expect.objectContaining({
          ...{ rule: 'list.pagination', outcome: 'failed' },
          change: expect.stringMatching(/^Look up this request in the server log/),
          findings: [expect.objectContaining({ actual: expect.stringMatching(actual) })],
        }),
      ]);
    },
  );

  test('of a list, from the first one on and with either key, fail its rules alone', async () => {
    const t = await openTestApp(RECORDS);
    await t.put(RECORDS, { account: 'other' });
    const app: typeof t.app = (req, res) => {
      if (req.url?.startsWith('/automations') === true) res.destroy();
      else t.app(req, res);
    };
    const server = { ...(await open({ ...t, app })), otherKey: await t.keyOf('other') };
    const { results, error } = await runWith(server, { only: ['list.pagination', 'auth.missing'] });
    expect(error).toBeUndefined();
    expect(keysOf(results, 'failed')).toEqual(['listAutomations operation.exists']);
    const others = results.filter(({ operation }) => operation !== 'listAutomations');
    expect(new Set(others.map((it) => it.outcome))).toEqual(new Set(['passed']));
  });

  test('to a path that is not there are one failure of each of its operations, and the others can be tested alone', async () => {
    const server = await openBehind((req, res) => {
      if (req.url?.startsWith('/automations') !== true) res.writeHead(404).end();
    });
    const { results } = await runWith(server, { only: ['list.order'] });
    const others = COLLECTIONS.map((it) => operationsOf(it).list).filter((it) => it !== 'listAutomations');
    expect(keysOf(results, 'failed')).toEqual(others.map((it) => `${it} operation.exists`));
    const alone = await runWith(server, { only: ['listAutomations', 'list'] });
    expect(keysOf(alone.results, 'failed')).toEqual([]);
    expect(new Set(alone.results.map((it) => it.operation))).toEqual(new Set(['listAutomations']));
  });

  test('of 401, and none of 200, are a rejected key, though some operations are not there', async () => {
    const server = await openBehind((req, res) => {
      res.writeHead(req.url?.startsWith('/automations') === true ? 401 : 404).end();
    });
    const { error } = await runWith(server, {});
    expect(error).toBeInstanceOf(Untestable);
    expect(said(error)).toBe('The key was rejected: GET /automations returned 401.');
  });

  test('are not of a rule where the server was restarting', async () => {
    const { clock, pauses } = fakeClock();
    // The rule's request is repeated over a new connection, then the first one of the run.
    const server = await closing((count) => count >= 21 && count <= 23);
    const { results, error } = await runWith(server, { only, clock });
    expect([error, pauses]).toEqual([undefined, [1000]]);
    expect(keysOf(results, 'failed')).toHaveLength(1);
  });

  test('end the run where the server does not respond to that request either: all other rules count as not checked', async () => {
    const { clock, pauses } = fakeClock();
    const { results: all } = await runWith(await closing(() => false), {});
    const { results, error } = await runWith(await closing((count) => count > 30), { clock });
    expect(error).toBeInstanceOf(Untestable);
    expect(said(error)).toMatch(
      /^The server no longer responds: GET \/\S+: the connection was closed without a response\.$/,
    );
    expect(pauses).toEqual([1000, 1000]);
    expect(results.map(keyOf)).toEqual(all.map(keyOf));
    expect(reasonsOf(results)).toEqual(['passed', said(error)]);
    expect(results.slice(-60).map((it) => it.outcome)).toEqual(Array(60).fill('not_checked'));
  });
});

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

describe('a body that nests 200,000 levels deep is a broken response:', () => {
  test('the first one ends the run', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(DEEP);
    });
    const { error } = await runWith({ url, key: 'key' }, {});
    expect(error).toEqual(
      new Untestable(say`No usable response to GET /automations: the body nests more than 100 levels deep.`),
    );
  });

  test('a later one fails its rule, also within a property that the contract does not name', async () => {
    const server = await openRewritten((body, { target }) =>
      target === '/contact-properties?limit=1' ? body.replace(/^\{/, `{"extra":${DEEP},`) : body,
    );
    const { results, error } = await runWith(server, { only: ['list.limit'] });
    expect(error).toBeUndefined();
    const outcomes = Object.fromEntries(results.map(({ operation, outcome }) => [operation, outcome]));
    expect(outcomes).toMatchObject({
      listAutomations: 'passed',
      listContactProperties: 'failed',
      listContactImports: 'passed',
    });
    expect(JSON.stringify(results)).toContain('no response: the body nests more than 100 levels deep');
  });
});

/** @returns every request of a run: method, target, key, and body. */
async function requestsOf(options: Options): Promise<readonly string[]> {
  const requests: string[] = [];
  const t = await openTestApp(RECORDS);
  const record = (req: IncomingMessage, res: ServerResponse): void => {
    const { 'x-request-id': id, authorization, 'if-none-match': tag } = req.headers;
    requests.push(JSON.stringify([req.method, req.url, id, authorization?.replaceAll(t.key, '<key>'), tag]));
    t.app(req, res);
  };
  await runWith(await open({ ...t, app: record }), options);
  return requests;
}

describe('--random-seed', () => {
  const only = ['list.limit', 'list.sampled', 'get.found'];

  test('repeats the same requests, in order', async () => {
    const first = await requestsOf({ only, seed: 7 });
    expect(first.length).toBeGreaterThan(40);
    expect(await requestsOf({ only, seed: 7 })).toEqual(first);
  });

  test('another one makes others', async () => {
    const [first, other] = [await requestsOf({ only, seed: 7 }), await requestsOf({ only, seed: 8 })];
    expect(other).not.toEqual(first);
  });
});

test.each<[string, (reply: Reply, quoted: string) => void]>([
  ['in names', (reply, quoted) => (reply.body = reply.body.replaceAll('"name":"', `"name":"${quoted}`))],
  ['in ids', (reply, quoted) => (reply.body = reply.body.replaceAll('"id":"', `"id":"${quoted}`))],
  ['in bodies that are no JSON', (reply, quoted) => (reply.body = quoted + reply.body)],
  [
    'in headers',
    (reply, quoted) => Object.assign(reply.headers, { etag: `"${quoted}"`, 'x-request-id': quoted, vary: quoted }),
  ],
  ['in redirects', (reply, quoted) => Object.assign(reply, { status: 302, headers: { location: `/${quoted}` } })],
])('no result has a part of a key that a server quotes %s', async (_, change) => {
  const { url, key } = await open(await openTestApp(RECORDS));
  let count = 0;
  const proxy = await startProxy(url, [key, key], [new Map(), new Map()], {
    reply: (reply) => {
      count += 1;
      change(reply, `${'x'.repeat((7 * count) % 90)}${key}`);
    },
  });
  afterTest(() => proxy[Symbol.asyncDispose]());
  const requests: string[] = [];
  const { results, error } = await runWith(
    { url: proxy.url, key },
    { only: ['listAutomations'], trace: (it) => requests.push(it) },
  );
  const why = error instanceof Untestable ? redactionOf({ url, key }).show(error.text) : '';
  expect(why !== '' || results.some((it) => it.outcome === 'failed')).toBe(true);
  const own = key.slice('rollcall_'.length);
  expect(shownOf(own, [JSON.stringify(results), why, ...requests].join('\n'))).toBeUndefined();
});
