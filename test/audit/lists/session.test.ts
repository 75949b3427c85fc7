/** The session of an audit: whose headers a request has, its bounds; that no secret is shown; and that no other origin is requested. */
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { RULES, audit } from '../../../audit/lists/audit.ts';
import type { AuditOptions } from '../../../audit/lists/audit.ts';
import { formatProfile } from '../../../audit/lists/saved-profile.ts';
import type { Given } from '../../../audit/lists/profile.ts';
import { boundsOf, openSession } from '../../../audit/lists/session.ts';
import { parseProfiles } from '../../../audit/lists/profiles.ts';
import { isLoopback } from '../../../audit/session/origin.ts';
import type { Result } from '../../../audit/rules/rule.ts';
import { Said, quote } from '../../../audit/rules/text.ts';
import { afterTest } from '../../support/after-test.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { KINDS } from '../../support/credentials.ts';
import { show } from '../../support/text.ts';
import { serve } from '../conform/bad-servers.ts';
import { startList } from './server.ts';
import type { ListOptions } from './server.ts';

// A server of another JSON, such as application/vnd.api+json, may reject what does not allow it.
const ACCEPT = 'application/json, */*;q=0.1';

test('a request has the headers of its account: those of the other one win over the own ones', async () => {
  const received: unknown[] = [];
  const url = await serve((req, res) => {
    const { authorization, 'x-tenant': tenant, 'accept-language': language, accept } = req.headers;
    received.push([authorization, tenant, language, accept]);
    res.end('{}');
  });
  const session = openSession(
    {
      url,
      auth: 'me:secret',
      headers: { 'X-Tenant': 'one', 'Accept-Language': 'da' },
      other: { headers: { Authorization: 'Bearer other' } },
    },
    boundsOf(url),
  );
  afterTest(session.close);
  const asked = [await session.get('/'), await session.get('/', 'other'), await session.get('/', 'nobody')];
  expect(received).toEqual([
    ['Basic bWU6c2VjcmV0', 'one', 'da', ACCEPT],
    ['Bearer other', 'one', 'da', ACCEPT],
    [undefined, undefined, 'da', ACCEPT],
  ]);
  expect(asked.map((it) => show(it.request))).toEqual([
    'GET /',
    'GET / (as the other account)',
    'GET / (without the key)',
  ]);
});

describe('the bounds', () => {
  test.each([
    ['http://localhost:8000/a', true],
    ['http://127.8.0.1/a', true],
    ['http://[::1]:1/a', true],
    ['http://app.localhost/a', true],
    ['http://LOCALHOST/a', true],
    ['http://127.example.com/a', false],
    ['http://localhost.example.com/a', false],
    ['http://10.0.0.1/a', false],
    ['https://api.example.com/a', false],
  ])('of %s: loopback is %p', (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
    const { requests, perSecond } = boundsOf(url);
    expect([requests, perSecond]).toEqual(expected ? [1000, undefined] : [300, 5]);
  });
});

interface Shown {
  readonly results: readonly Result[];
  /** All that a user may see. */
  readonly text: string;
}
/** Audits a list. @returns what is seen of it. */
async function shown(profile: Given, options: Partial<AuditOptions> = {}): Promise<Shown> {
  const results: Result[] = [];
  const lines: string[] = [];
  const run = audit({
    profile,
    trace: (line) => lines.push(line),
    inferred: (found) => {
      lines.push(...found.dropped.map(run.show), formatProfile(found.profile));
    },
    ...options,
  });
  try {
    for await (const it of run) results.push(it);
  } catch (error) {
    lines.push(error instanceof Said ? `${error.name}: ${run.show(error.text)}` : String(error));
  }
  return { results, text: [...lines, JSON.stringify(results)].join('\n') };
}
async function start(options: ListOptions): Promise<string> {
  const server = await startList(options);
  afterTest(() => server[Symbol.asyncDispose]());
  return server.url;
}

test('a server that is gone ends the audit: what was found stays, and all other rules count as not checked', async () => {
  let count = 0;
  const url = await serve((req, res) => {
    count += 1;
    const at = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page_token') ?? 1);
    if (count > 60) res.destroy();
    else res.end(JSON.stringify({ data: [{ id: at }], next_page_token: at < 5 ? at + 1 : '' }));
  });
  const { clock, pauses } = fakeClock();
  const { results, text } = await shown({ url: `${url}/a` }, { clock });
  const why =
    /Untestable: (The server no longer responds: GET \/a\S*: the connection was closed without a response\.)$/m;
  const reason = why.exec(text)?.[1];
  expect(pauses).toEqual([1000, 1000]);
  const ids = RULES.filter((rule) => rule.on === undefined).map((rule) => rule.id);
  expect(results.map((result) => result.rule)).toEqual(ids);
  const reasons = results.map((result): unknown => (result.outcome === 'not_checked' ? result.reason : undefined));
  const from = reasons.indexOf(reason);
  expect(from).toBeGreaterThan(0);
  expect(new Set(reasons.slice(from))).toEqual(new Set([reason]));
});

test.each(KINDS)('what no link may hold, of %s', (name, given) => {
  const key = 'a-key+of/mine=0';
  const session = openSession(given(key), boundsOf('http://a/'));
  afterTest(session.close);
  // What is in the query may be in a link, and the name of a user in a path.
  expect(session.forbidden.includes(key)).toBe(!name.includes('parameter'));
  expect(session.forbidden.filter((it) => it.length < 8)).toEqual([]);
});

test('the name of a user may be in a link, and in a profile, unless there is no password', () => {
  const of = (auth: string): ReturnType<typeof openSession> =>
    openSession({ url: 'http://a/', auth }, boundsOf('http://a/'));
  const [withPassword, without] = [of('octocat-1:a-password'), of('octocat-1:')];
  for (const { close } of [withPassword, without]) afterTest(close);
  expect([withPassword, without].map((it) => it.forbidden.includes('octocat-1'))).toEqual([false, true]);
  expect([withPassword, without].map((it) => it.hides('items of octocat-1'))).toEqual([false, true]);
  expect(withPassword.hides('a-password')).toBe(true);
  expect(withPassword.redaction.show(quote('octocat-1'))).toBe('…');
});

describe('no secret is shown:', () => {
  const SECRET = 'a-key+of/mine=0';

  test('a password with a colon is hidden whole', () => {
    const own = openSession({ url: 'http://a/', auth: 'me:pa:ss:word' }, boundsOf('http://a/'));
    expect(own.redaction.show(quote('[pa:ss:word]'))).toBe('[…]');
  });

  test('a response that is no list', async () => {
    const url = await serve((req, res) => void res.end(`Hello ${String(req.headers.authorization)}`));
    const { text } = await shown({ url, headers: { Authorization: `Bearer ${SECRET}` } });
    expect(text).toContain('Untestable: GET / returned no JSON: "Hello …".');
    expect(text).not.toContain(SECRET);
  });

  test('the items of a page that has its array elsewhere', async () => {
    const url = await start({
      style: 'token',
      reply: (reply, { query, number }) => {
        if (query.has('cursor') && number > 40)
          reply.body = { message: 'moved', rows: [{ id: 1, name: 'a private name' }] };
      },
    });
    const { text } = await shown({ url });
    expect(text).toMatch(/: 200 without an array at `\w+`/);
    expect(text).not.toContain('private');
  });

  test('a redirect', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(302, { location: 'http://elsewhere.example/?X-Amz-Signature=abcdef&n=1&token=0' }).end();
    });
    const { text } = await shown({ url });
    expect(text).toContain(
      'Untestable: GET / redirects to http://elsewhere.example/?X-Amz-Signature=…&n=1&token=…, at another origin. Audit that URL.',
    );
  });

  test('values of the pagination are shown, whatever their parameters are called', async () => {
    const url = await serve((req, res) => {
      const at = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page_token') ?? 1);
      res.end(JSON.stringify({ data: [{ id: at }], next_page_token: at < 5 ? at + 1 : '' }));
    });
    const { text } = await shown({ url: `${url}/a` });
    expect(text).toContain('\nGET /a?page_token=5\n');
    expect(text).not.toContain('page_token=…');
  });
});

describe('another origin is never requested:', () => {
  /** @returns a server that counts its requests. */
  async function elsewhere(): Promise<{ readonly url: string; readonly requests: string[] }> {
    const requests: string[] = [];
    const url = await serve((req, res) => {
      requests.push(req.url ?? '');
      res.end('{}');
    });
    return { url, requests };
  }

  test('where links lead to it, its path is requested at the audited one', async () => {
    const other = await elsewhere();
    const url = await start({ style: 'url', link: (link) => link.replace(/^http:\/\/[^/]+/, other.url) });
    const { results } = await shown({ url, headers: { Authorization: 'Bearer secret-key' } });
    expect(other.requests).toEqual([]);
    expect(results.filter((it) => it.outcome === 'failed')).toEqual([]);
    const home = results.find((it) => it.rule === 'link.origin');
    expect(home).toMatchObject({ outcome: 'noted', findings: [{ actual: 'a link leads to another origin' }] });
  });

  test('with `origin: same`, such a link is a failure', async () => {
    const other = await elsewhere();
    const url = await start({ style: 'link', link: (link) => link.replace(/^http:\/\/[^/]+/, other.url) });
    const { results } = await shown({ url, origin: 'same' }, { only: ['link'] });
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([['link.origin', 'failed']]);
    expect(other.requests).toEqual([]);
  });

  test.each([302, 307])('where the list redirects to it with %i', async (status) => {
    const other = await elsewhere();
    const url = await serve((_req, res) => void res.writeHead(status, { location: `${other.url}/list` }).end());
    const { text } = await shown({ url: `${url}/a` });
    expect(text).toContain(`GET /a redirects to ${other.url}/list, at another origin. Audit that URL.`);
    expect(other.requests).toEqual([]);
  });

  test('where a later page redirects to it', async () => {
    const other = await elsewhere();
    const url = await start({
      style: 'token',
      reply: (reply, { query }) => {
        if (query.has('cursor')) Object.assign(reply, { status: 302, headers: { location: other.url } });
      },
    });
    const { text } = await shown({ url, next: { token: 'cursor', from: 'next_cursor' } });
    expect(text).toContain('per page: 302');
    expect(other.requests).toEqual([]);
  });

  /** A list whose next page `tell` tells. @param next its query. */
  const listOf =
    (tell: (res: ServerResponse, next: string | undefined) => object): RequestListener =>
    (req, res) => {
      const { searchParams: query } = new URL(req.url ?? '', 'http://a');
      const [at, size] = [Number(query.get('cursor') ?? 0), Math.min(Number(query.get('limit') ?? 3), 3)];
      if (Number.isNaN(at + size)) {
        res.writeHead(400).end('{}');
        return;
      }
      const items = [1, 2, 3].slice(0, size).map((it) => ({ id: at + it, created: 1 }));
      const next = at + size < 12 ? `/list?limit=${String(size)}&cursor=${String(at + size)}` : undefined;
      res.end(JSON.stringify({ items, ...tell(res, next) }));
    };
  const inBody = (prefix: string) => (_res: ServerResponse, next: string | undefined) => ({
    next: next === undefined ? null : prefix + next,
  });
  const withHeader = (name: string, value: (next: string) => string) => (res: ServerResponse, next?: string) => {
    if (next !== undefined) res.setHeader(name, value(next));
    return {};
  };

  // What a server or a user says, which leads to another server if it is read as a URL.
  test.each<[string, (there: string) => Parameters<typeof listOf>[0], (there: string) => Partial<Given>]>([
    ['a link without a scheme', (there) => inBody(`//${there}`), () => ({})],
    ['a link with backslashes', (there) => inBody(`\\\\${there}`), () => ({ next: { url: 'next' } })],
    ['a link with a user', (there) => inBody(`http://127.0.0.1:1@${there}`), () => ({})],
    ['the Link header', (there) => withHeader('Link', (it) => `<http://${there}${it}>; rel="next"`), () => ({})],
    ['a header with the URL', (there) => withHeader('X-Next', (it) => `http://${there}${it}`), () => ({})],
  ])('by %s', async (_, tellOf, moreOf) => {
    const other = await elsewhere();
    const { host } = new URL(other.url);
    const url = await serve(listOf(tellOf(host)));
    const { results } = await shown({ url: `${url}/list`, headers: { 'X-Key': 'secret-key' }, ...moreOf(host) });
    expect(results.filter((it) => it.outcome === 'passed').map((it) => it.rule)).toContain('end.never');
    expect(other.requests).toEqual([]);
  });

  test.each<[string, (there: string) => Partial<Given>, string]>([
    ['an item', (there) => ({ get: `http://${there}/list/{id}` }), 'get.different'],
    ['an item, without a scheme', (there) => ({ get: `//${there}/list/{id}` }), 'get.different'],
    ['another list', (there) => ({ other: { url: `http://${there}/list` } }), 'cursor.leak'],
  ])('by the URL of %s, whose rule is not checked', async (_, moreOf, rule) => {
    const other = await elsewhere();
    const { host } = new URL(other.url);
    const url = await serve(listOf(inBody('')));
    const { results } = await shown({ url: `${url}/list`, headers: { 'X-Key': 'secret-key' }, ...moreOf(host) });
    const reason = expect.stringContaining(` is not at the audited origin, ${url}`);
    expect(results.find((it) => it.rule === rule)).toMatchObject({ outcome: 'not_checked', reason });
    expect(other.requests).toEqual([]);
  });

  test('by the URL of a profile whose path looks like one', async () => {
    const other = await elsewhere();
    const url = await serve(listOf(inBody('')));
    const [named] = parseProfiles(`{ url: "${url}", lists: { a: { url: "//${new URL(other.url).host}/list" } } }`, {});
    const { results } = await shown({ url: String(named?.profile.url) }, { only: ['end.never'] });
    expect(results.map((it) => it.outcome)).toEqual(['passed']);
    expect(other.requests).toEqual([]);
  });

  test('but for the URL of --expect-ids, which gets no header of the list', async () => {
    const seen: unknown[] = [];
    const truth = await serve(({ headers: { host: _, connection: __, ...headers } }, res) => {
      seen.push(headers);
      res.end(JSON.stringify(Array.from({ length: 12 }, (___, at) => at + 1)));
    });
    const url = await serve(listOf(inBody('')));
    const commands = { expectIds: `${truth}/ids`, run: () => Promise.reject(new Error('no command is run')) };
    const given = { url: `${url}/list`, headers: { 'X-Key': 'secret-key', 'Accept-Language': 'da' } };
    const { results } = await shown(given, { only: ['expected.missing'], commands });
    expect(results.map((it) => it.outcome)).toEqual(['passed']);
    expect(seen).toEqual([{ accept: ACCEPT, 'accept-encoding': 'gzip', 'user-agent': 'rollcall' }]);
  });
});
