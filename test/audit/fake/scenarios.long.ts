/** Each scenario of the table does what it says, on each kind of list that has it. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { expectedOf, kindOf, whyNot } from '../../../audit/fake/scenario.ts';
import type { Effect, Fault } from '../../../audit/fake/scenario.ts';
import { SCENARIOS, packsOf } from '../../../audit/fake/scenarios.ts';
import { scenariosOf, servedBy } from '../../../audit/fake/start.ts';
import type { Fake } from '../../../audit/fake/types.ts';
import { pathOf, valueAt } from '../../../audit/lists/json.ts';
import type { Way } from '../../../audit/lists/profile.ts';
import { WAYS, get, itemsOf, profileOf, read, start } from './lists.ts';
import type { Read } from './lists.ts';

const SIZE = 3;
/** Ids of samples: none, letters, digits, a UUID, and a number. */
const IDS = [undefined, 'cus_NffrFeUfNV2Hib', '1234567', '0f1d7a2c-5b7e-4c1b-9a83-2f5f4c9d1e60', 7];

interface Seen {
  readonly way: Way;
  readonly fake: Fake;
  readonly read: Read;
}
const lengths = ({ read: { pages } }: Seen): readonly number[] => pages.map(({ body }) => itemsOf(body).length);
const names = (raw: readonly string[]): readonly string[] => raw.filter((_, at) => at % 2 === 0);
const linkOf = ({ raw }: Read['pages'][number]): string => raw[raw.findIndex((it) => /^link$/i.test(it)) + 1] ?? '';
const cursors = ({ read: { urls }, way }: Seen): readonly string[] => {
  const param = 'token' in way ? way.token : 'tokens' in way ? (Object.keys(way.tokens)[0] ?? '') : 'cursor';
  return urls.flatMap((url) => new URL(url).searchParams.get(param) ?? []);
};

/** What each part of the effect of a scenario does, as it is seen from outside. */
const LOOKS: {
  readonly [K in keyof Omit<Effect, 'filtered'>]-?: (seen: Seen, effect: NonNullable<Effect[K]>) => void;
} = {
  length: ({ fake }, length) => {
    if ('items' in length) expect(fake.ids).toHaveLength(length.items);
    else expect(fake.ids).toHaveLength(Math.ceil(length.pages * SIZE) + (length.plus ?? 0));
  },
  empty: (seen, empty) => {
    const [[page, count] = ['', 0]] = Object.entries(empty);
    const at = Number(page) - 1;
    const expected = [...Array<number>(at).fill(SIZE), ...Array<number>(count).fill(0)];
    expect(lengths(seen).slice(0, at + count)).toEqual(expected);
    expect(new Set(seen.read.urls).size).toBe(seen.read.urls.length);
  },
  short: (seen) => {
    expect(lengths(seen).slice(0, 3)).toEqual(
      [1, 2, 3].map((it) => (kindOf(seen.way) === 'page' ? it : expect.any(Number))),
    );
    expect(lengths(seen).filter((it) => it > 0 && it < SIZE).length).toBeGreaterThan(1);
  },
  end: ({ read: { pages, urls }, way }, end) => {
    const last = pages.at(-1);
    if (end === 'cycle') {
      expect(pages.length).toBe(300);
      return;
    }
    const at = 'token' in way ? way.from : 'url' in way ? way.url : undefined;
    if (way.more !== undefined)
      expect(valueAt(last?.body, pathOf(way.more))).toBe(end === 'absent' ? undefined : false);
    if ('header' in way) expect(last?.headers[way.header]).toBe('');
    if (at === undefined) return;
    expect(urls.length).toBeGreaterThan(1);
    const form = { null: null, absent: undefined, empty: '', false: false }[end];
    expect([valueAt(last?.body, pathOf(at)), end === 'null' ? null : form]).toEqual([
      form === null ? last && nullIn(last.body, at) : form,
      form,
    ]);
  },
  last: ({ read: { pages } }, last) => {
    const { status, body } = pages.at(-1) ?? {};
    if (last === 'no-content') expect(status).toBe(204);
    else if (last === 'empty') expect(body).toEqual({});
    else expect(valueAt(body, ['data'])).toBe(last === 'null' ? null : undefined);
  },
  cursors: (seen, [form]) => {
    const all = cursors(seen);
    const patterns = {
      long: /^.{1500}$/,
      reserved: /^a\+b\/c=d&e\?f#g%2Bh i/,
      digits: /^(00|9007199)\d+$/,
      zero: /^0$/,
      case: /[a-z]/i,
    };
    expect(all.filter((it) => form !== undefined && patterns[form].test(it)).length).toBeGreaterThan(0);
    if (form === 'case') expect(new Set(all.map((it) => it.toLowerCase())).size).toBeLessThan(new Set(all).size);
  },
  ids: ({ fake: { ids } }, [form = 'case']) => {
    const patterns = {
      ...{ reserved: /\+\/=&\?#%41 /, digits: /^(00|9007199)\d+$/, case: /[a-z]/i, large: /^9007199254740991$/ },
      ...{ 'seven-digits': /^\d{7}$/, beyond: /^90071992547\d{6}$/, zero: /^0$/ },
    };
    expect(ids.some((it) => patterns[form].test(it))).toBe(true);
    if (form === 'case') expect(new Set(ids.map((it) => it.toLowerCase())).size).toBeLessThan(ids.length);
  },
  body: ({ read: { pages } }, [form]) => {
    const [page] = pages;
    if (page === undefined) throw new Error('no page');
    const bytes = Buffer.concat(page.chunks);
    if (form === 'gzip')
      expect([page.headers['content-encoding'], gunzipSync(bytes).toString()[0]]).toEqual(['gzip', '{']);
    if (form === 'chunks') expect(page.headers['content-length']).toBe(undefined);
    if (form === 'unicode') expect(page.text).toContain('\u{1f600}');
    if (form === 'large') expect(bytes.length).toBeGreaterThan(65_536);
    if (form === 'charset') expect(page.headers['content-type']).toBe('application/json; charset=utf-8');
    if (form === 'mark') expect(page.text.charCodeAt(0)).toBe(0xfeff);
    if (form === 'additional') expect(page.text).toContain('rollcall_extra');
  },
  links: ({ read: { pages, urls }, way, fake }, [form]) => {
    const [page] = pages;
    if (page === undefined) throw new Error('no page');
    const body =
      'url' in way
        ? valueAt(page.body, pathOf(way.url))
        : 'header' in way
          ? page.headers[way.header]
          : linkOf(page).replace(/^.*?<([^>]*)>.*$/s, '$1');
    const value = linkOf(page);
    const looks: Readonly<Record<string, () => boolean>> = {
      comma: () => /<[^>]*,[^>]*>/.test(value),
      parameters: () => /; title="the next, page"; .*rel=/.test(value),
      'others-first': () => value.indexOf('rel="self"') < value.indexOf('rel="next"'),
      'lower-case': () => names(page.raw).includes('link'),
      encoded: () => String(body).includes('%2B') && String(body).includes('%26'),
      unquoted: () => value.includes('rel=next'),
      'two-relations': () => value.includes('rel="next item"'),
      capital: () => value.includes('REL="Next"'),
      'two-fields': () => names(page.raw).filter((it) => /^link$/i.test(it)).length === 2,
      path: () => String(body).startsWith('/v1/orders?'),
      query: () => String(body).startsWith('?'),
      relative: () => String(body).startsWith('orders?'),
      host: () => String(body).startsWith(`http://localhost:${new URL(fake.url).port}/`),
      port: () =>
        /^http:\/\/127\.0\.0\.1:\d+\//.test(String(body)) && new URL(String(body)).port !== new URL(fake.url).port,
    };
    expect([form, looks[form ?? '']?.()]).toEqual([form, true]);
    if (form === 'host' || form === 'port')
      expect(
        fake
          .requests()
          .slice(1)
          .every((it) => it.isElsewhere) && urls.length > 1,
      ).toBe(true);
  },
  change: ({ fake, read: { ids } }, change) => {
    const [first = ''] = fake.ids;
    expect(fake.added).toHaveLength(change === 'remove' ? 0 : 1);
    if (change === 'append') expect(ids).toEqual([...fake.ids, ...fake.added]);
    if (change === 'remove') expect(ids.filter((it) => it === first)).toHaveLength(1);
  },
  total: ({ read: { pages }, fake }) => {
    expect(valueAt(pages[0]?.body, ['total'])).toBe(fake.ids.length + 10);
  },
  fault: ({ fake }, fault) => {
    const [index, seen] = [fault.on === 'first' ? 0 : 1, fake.requests()];
    expect(seen[index]).toMatchObject(expectedFault(fault));
  },
};
const nullIn = (body: unknown, at: string): null | undefined =>
  [pathOf(at), pathOf(at).slice(0, -1)].some(
    (path) => valueAt(body, path) === null || valueAt(body, pathOf(at)) === undefined,
  )
    ? null
    : undefined;

function expectedFault({ reply }: Fault): object {
  if ('closed' in reply) return { status: 0, fault: 'closed' };
  if ('cut' in reply) return { status: 200, fault: 'cut' };
  if ('lateMs' in reply) return { fault: 'lateMs' };
  return 'redirect' in reply ? { status: 302, fault: 'redirect' } : { status: reply.status, fault: 'status' };
}

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('each scenario does what it says, and a reader that is right meets what is expected', async () => {
    for (const id of IDS) {
      const profile = profileOf(way, id);
      const fake = await start(profile, { pageSize: SIZE });
      for (const { scenario, why } of scenariosOf(servedBy(profile))) {
        if (why !== undefined || (id !== undefined && scenario.needs?.ids === undefined)) continue;
        if (scenario.name === 'response.late' && !('token' in way)) continue; // It takes 1.5 seconds.
        fake.scenario(scenario.name);
        const headers: Record<string, string> = scenario.name === 'body.gzip' ? { 'accept-encoding': 'gzip' } : {};
        const many = scenario.name === 'length.260-pages';
        const seen = { way, fake, read: await read(fake, way, SIZE, headers) };
        for (const [key, value] of Object.entries(scenario.does))
          try {
            (LOOKS[key as keyof typeof LOOKS] as (seen: Seen, effect: unknown) => void)(seen, value); // Of the same key.
          } catch (error) {
            throw new Error(`${scenario.name}: ${String(error)}`, { cause: error });
          }
        const isPlain = scenario.does.fault === undefined && !['body.gzip', 'body.mark'].includes(scenario.name);
        const must = expectedOf(scenario, servedBy(profile).profile);
        if (isPlain && must !== 'any' && scenario.does.change === undefined)
          expect([scenario.name, seen.read.ids]).toEqual([scenario.name, fake.ids]);
        if (many) expect(seen.read.pages.length).toBeGreaterThanOrEqual(260);
      }
    }
  });

  test('what fails once is right then, and what fails always is not', async () => {
    const profile = profileOf(way);
    const fake = await start(profile, { pageSize: SIZE });
    for (const { scenario, why } of scenariosOf(servedBy(profile))) {
      const { fault } = scenario.does;
      if (why !== undefined || fault === undefined || 'lateMs' in fault.reply || 'redirect' in fault.reply) continue;
      fake.scenario(scenario.name);
      const { urls } = await read(fake, way, SIZE);
      await read(fake, way, SIZE);
      const again = fake.requests().filter((it) => it.fault !== undefined);
      expect([scenario.name, urls.length > 0 || 'closed' in fault.reply, again.length]).toEqual([
        scenario.name,
        true,
        fault.once === true ? 1 : 2,
      ]);
    }
  });
});

test('names, packs and texts', () => {
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  for (const { name, server, client = '', report, pack } of SCENARIOS) {
    expect(name).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
    expect([server, report, client].join('')).not.toMatch(/\.$|judge|walk/);
    expect(pack).not.toBe('');
  }
});

test('no list has more than 60 runs', () => {
  for (const next of Object.values(WAYS))
    for (const ids of ['free', 'letters', 'uuid', 'digits', 'number'] as const) {
      const profile = {
        url: 'http://a/b',
        items: 'data',
        id: 'id',
        size: { param: 'limit' },
        next,
        error: { ok: false },
      };
      const packs = packsOf(profile, { ids, hasTotal: true, hasKey: true });
      expect(packs.length).toBeLessThanOrEqual(60);
      expect(
        packs.every(({ scenarios }) =>
          scenarios.every((it) => whyNot(it, profile, { ids, hasTotal: true, hasKey: true }) === undefined),
        ),
      ).toBe(true);
    }
});

test.each(Object.entries(WAYS))('the scenarios of each pack together are read whole: %s', async (_, next) => {
  const { profile, facts } = servedBy(profileOf(next));
  const fake = await start(profileOf(next), { pageSize: SIZE });
  for (const { name, scenarios } of packsOf(profile, facts)) {
    if (scenarios.length === 1 || name === 'body.notes' || scenarios.some((it) => it.expect === 'any')) continue;
    fake.scenario(name);
    const { ids } = await read(fake, next, SIZE);
    expect([name, ids]).toEqual([name, fake.ids]);
  }
});

test('a redirect to another origin is not followed by another', async () => {
  const fake = await start(profileOf(WAYS['token'] ?? { page: 'p' }), { pageSize: SIZE, scenario: 'redirect.host' });
  const { pages } = await read(fake, { token: 'cursor', from: 'meta.next' }, SIZE);
  const location = pages[1]?.headers.location ?? '';
  expect(location).toMatch(/^http:\/\/localhost:\d+\/v1\/orders\?/);
  expect(await get(location.replace('localhost', '127.0.0.1'), { host: new URL(location).host })).toMatchObject({
    status: 200,
  });
  expect(fake.requests().at(-1)).toMatchObject({ isElsewhere: true });
});
