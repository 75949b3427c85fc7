/** What a rule says of servers that conform in another way, of accounts that lack records, and of several bad values. */
import { describe, expect, test } from '@jest/globals';
import type { Options, Result } from '../../../audit/conform/conform.ts';
import type { Finding } from '../../../audit/rules/rule.ts';
import { UNKNOWN_ID } from '../../../audit/conform/values.ts';
import { startProxy } from '../mutants/proxy.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { recordsOf } from './records.ts';
import { RECORDS, open, openBehind, openRewritten, results } from './target.ts';
import type { Server } from './target.ts';

const isGet = (url = ''): boolean => /^\/contacts\/imports\/[0-9a-f-]{36}$/.test(url);
const of = (all: readonly Result[], operation: string): Readonly<Record<string, Result>> =>
  Object.fromEntries(all.filter((it) => it.operation === operation).map((it) => [it.rule, it]));
const failedOf = async (server: Server, options: Options): Promise<readonly string[]> =>
  (await results(server, options)).filter((it) => it.outcome === 'failed').map((it) => `${it.operation} ${it.rule}`);

describe('what the contract allows does not fail:', () => {
  const only = ['list.pagination', 'list.limit', 'list.filter', 'get.found', 'record.example'];
  test.each<[string, (url?: string) => boolean, (body: string) => string]>([
    [
      'an extra property of a listed item',
      (url) => !isGet(url),
      (body) => body.replaceAll('{"object":"contact_import"', '{"extra":1,"object":"contact_import"'),
    ],
    ['an extra property of the single record', isGet, (body) => body.replace(/^\{/, '{"extra":1,')],
    [
      'another writing of an instant in the single record',
      isGet,
      (body) => body.replaceAll(/(\.\d{3})\+00"/g, '$1000+00:00"'),
    ],
    [
      'another writing of an instant in lists',
      (url) => !isGet(url),
      (body) => body.replaceAll(/(\.\d{3})\+00"/g, '$1000+00:00"'),
    ],
  ])('%s', async (_, isMeant, replace) => {
    let changed = 0;
    const server = await openRewritten((body, { target }) => {
      const text = isMeant(target) ? replace(body) : body;
      if (text !== body) changed += 1;
      return text;
    });
    expect(await failedOf(server, { only, isSeeded: true })).toEqual([]);
    expect(changed).toBeGreaterThan(3);
  });
});

describe('two accounts', () => {
  const only = ['isolation'];
  /** @returns the results for an account with all records, and another one with these. */
  async function resultsWith(other: typeof RECORDS, isSeeded = false): Promise<readonly Result[]> {
    const t = await openTestApp(RECORDS);
    await t.put(other, { account: 'other' });
    return results({ ...(await open(t)), otherKey: await t.keyOf('other') }, { only, isSeeded });
  }

  test('may share some ids, and whole records', async () => {
    const others = recordsOf('other', 12);
    const shared = (RECORDS.automations ?? []).slice(0, 2).map((it, at) => (at === 0 ? { ...it, name: 'theirs' } : it));
    const all = await resultsWith({ ...others, automations: [...shared, ...(others.automations ?? [])] });
    expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
    expect(Object.values(of(all, 'listAutomations')).map((it) => it.outcome)).toEqual(Array(4).fill('passed'));
  });

  test('with the same records may be one account, which is said; with --seeded that is a failure', async () => {
    const [unknown, seeded] = [await resultsWith(RECORDS), await resultsWith(RECORDS, true)];
    const reason = 'both keys return the same records, so they may belong to one account';
    expect(Object.values(of(unknown, 'listAutomations'))).toMatchObject(
      ['isolation.list', 'isolation.cursor', 'isolation.disclosure', 'isolation.etag'].map((rule) => ({
        rule,
        outcome: 'not_checked',
        reason,
      })),
    );
    expect(of(seeded, 'listAutomations')['isolation.list']).toMatchObject({
      outcome: 'failed',
      findings: [{ expected: 'other items than those of the first key', actual: 'the same items for both keys' }],
    });
  });
});

describe('a list that is longer than --max-items', () => {
  test('has no known end, with or without a filter, which is said', async () => {
    const only = ['list.end', 'list.filter_end', 'list.filter'];
    const all = of(await results(await openBehind(() => undefined), { only, maxItems: 100 }), 'listContactImports');
    const reason = 'the list has more than 100 items, so its end was not read (--max-items)';
    expect(all['list.end']).toMatchObject({ outcome: 'not_checked', reason });
    expect(all['list.filter_end']).toMatchObject({ outcome: 'not_checked', reason });
    expect(all['list.filter']?.outcome).toBe('passed');
  });

  // One of the positions is random.
  test('has pages near the last item that was read, which are longer than the items known there', async () => {
    const server = await openBehind(() => undefined);
    for (let seed = 1; seed <= 40; seed++) {
      const run = await results(server, { only: ['list.after', 'list.before'], maxItems: 100, seed });
      expect([seed, run.filter((it) => it.outcome === 'failed')]).toEqual([seed, []]);
    }
  });
});

test('one more item than there are with a value of a filter fails', async () => {
  const more = (body: string): string => {
    const page = JSON.parse(body) as { data: { id: string }[] };
    return JSON.stringify({ ...page, data: [...page.data, { ...page.data.at(-1), id: UNKNOWN_ID }] });
  };
  const server = await openRewritten((body, { target }) => (target.includes('status=') ? more(body) : body));
  expect(await failedOf(server, { only: ['list.filter'] })).toEqual([
    'listAutomations list.filter',
    'listContactImports list.filter',
  ]);
});

test('a rule of two accounts or of examples says which option it needs', async () => {
  const server = await openBehind(() => undefined);
  const all = await results(server, { only: ['isolation', 'record.example'] });
  const reasonOf = ({ rule }: Result): string =>
    rule === 'record.example'
      ? 'it requires an account with the example records (--seeded)'
      : 'it requires the key of another account (--other-key)';
  expect(all.length).toBeGreaterThan(contract.operations.length * 2);
  expect(all.map((it) => (it.outcome === 'not_checked' ? it.reason : it.outcome))).toEqual(all.map(reasonOf));
});

describe('a failure', () => {
  const findingsOf = (all: readonly Result[], operation: string, rule: string): readonly Finding[] => {
    const found = of(all, operation)[rule];
    return found?.outcome === 'failed' ? found.findings : [];
  };

  test('has every bad value, each with its request', async () => {
    const wrong = ['/automations?limit=0', '/automations?limit=101', '/automations?limit=1.5'];
    const server = await openBehind((req) => {
      if (wrong.includes(req.url ?? '')) req.url = '/automations?limit=1';
    });
    const findings = findingsOf(
      await results(server, { only: ['list.invalid_limit'] }),
      'listAutomations',
      'list.invalid_limit',
    );
    expect(findings.map((it) => it.request)).toEqual(wrong.map((it) => `GET ${it}`));
    for (const it of findings) {
      expect(it.expected).toBe('422 validation_error');
      expect(it.actual).toMatch(/^200 \{"object":"list","has_more":true,/);
    }
  });

  test('has the place where bodies differ, without keys', async () => {
    const server = await openRewritten((body, { target, headers }) =>
      target === '/automations?limit=1'
        ? body.replaceAll(/"name":"[^"]*"/g, `"name":${JSON.stringify(headers['authorization'])}`)
        : body,
    );
    const findings = findingsOf(await results(server, { only: ['list.limit'] }), 'listAutomations', 'list.limit');
    const [first] =
      RECORDS.automations === undefined
        ? []
        : [...RECORDS.automations].sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
    const id = String(first?.id.slice(0, 8));
    expect(findings).toEqual([
      {
        request: 'GET /automations?limit=1',
        expected: `the first items: ${id}`,
        actual: id,
        difference: `in item 1 (${String(first?.id)}), name is "Bearer <key>", not ${JSON.stringify(first?.name)}`,
      },
    ]);
  });

  test('shows the body of a status that is not declared', async () => {
    const server = await openBehind((req, res) => {
      if (req.url === '/automations?limit=0') res.writeHead(418).end('a teapot');
    });
    const all = await results(server, { only: ['list.invalid_limit', 'response.status'] });
    expect(of(all, 'listAutomations')['list.invalid_limit']).toMatchObject({
      outcome: 'not_checked',
      reason:
        'GET /automations?limit=0 must return 422 validation_error, but the response breaks response.status: ' +
        'status 418, which is not declared: a teapot',
    });
    const [finding] = findingsOf(all, 'every response', 'response.status');
    expect(finding?.actual).toMatch(
      /^in \d+ of \d+ responses; the first: status 418, which is not declared: a teapot$/,
    );
  });

  test('of a header shows an example of the contract', async () => {
    const names = ['etag', 'www-authenticate', 'ratelimit-limit'];
    const { url, key } = await open(await openTestApp(RECORDS));
    const proxy = await startProxy(url, [key, key], [new Map(), new Map()], {
      reply: ({ headers }) => Object.assign(headers, Object.fromEntries(names.map((it) => [it, '?']))),
    });
    afterTest(() => proxy[Symbol.asyncDispose]());
    const all = await results({ url: proxy.url, key }, { only: ['header'] });
    const { headers } = contract;
    const examples = {
      etag: `ETag: ${String(headers.ETag.example)}`,
      www_authenticate: `WWW-Authenticate: ${String(headers.WwwAuthenticate.examples?.['missing_api_key']?.value)}`,
      rate_limit: `RateLimit-Limit: ${String(headers.RateLimitLimit.example)}; `,
    };
    for (const [rule, example] of Object.entries(examples)) {
      const [finding] = findingsOf(all, 'every response', `header.${rule}`);
      expect(finding?.expected.slice(0, example.length + 12)).toBe(`for example ${example}`);
    }
  });

  test('of another order names the item that should stand there', async () => {
    const swap = (body: string): string => {
      const page = JSON.parse(body) as { data: { id: string; created_at: string }[] };
      return JSON.stringify({ ...page, data: page.data.toReversed() });
    };
    const server = await openRewritten((body, { target }) => (target === '/automations' ? swap(body) : body));
    const [{ difference } = { difference: '' }] = findingsOf(
      await results(server, { only: ['list.default_limit'] }),
      'listAutomations',
      'list.default_limit',
    );
    expect(difference).toMatch(/^item 1 is [0-9a-f-]{36} \([^)]+\), not [0-9a-f-]{36} \([^)]+\)$/);
  });
});

test('a rule is not checked if one that it depends on was not; the one that failed is shown, even if it was not asked for', async () => {
  const server = await openBehind((req) => {
    req.url = req.url?.replace(/([?&])limit=1(?=&|$)/, '$1limit=100'); // As a server does that ignores a small limit.
  });
  const all = of(await results(server, { only: ['list.after', 'list.has_more', 'list.end'] }), 'listAutomations');
  expect(all['list.limit']?.outcome).toBe('failed');
  const reason = 'blocked by list.limit, which failed';
  expect(Object.keys(all).sort()).toEqual(['list.after', 'list.end', 'list.has_more', 'list.limit']);
  for (const it of ['list.after', 'list.has_more', 'list.end']) {
    expect(all[it]).toMatchObject({ outcome: 'not_checked', reason });
  }
});
