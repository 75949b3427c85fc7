/** The profiles that ship as examples: each audits a server of its API's shape without a failure, and is what an inference finds there. */
import { readFileSync, readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { RULES, audit } from '../../../audit/lists/audit.ts';
import { MAX_REQUESTS } from '../../../audit/lists/infer/next.ts';
import { parseProfile } from '../../../audit/lists/profile.ts';
import { namesIn } from '../../../audit/lists/saved-profile.ts';
import type { Profile } from '../../../audit/lists/profile.ts';
import { serve } from '../conform/bad-servers.ts';
import { countOf, serve as serveShape } from './shapes/server.ts';
import { SHAPES as MORE } from './shapes/shapes.ts';

const FOLDER = new URL('../../../audit/profiles/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8');

type Item = Readonly<Record<string, string | number>>;
interface Call {
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly size: number;
  readonly items: readonly Item[];
}
interface Reply {
  readonly body: unknown;
  /** Values of the header `Link`, one a line. */
  readonly links?: readonly string[];
}
interface Shape {
  /** The parameter of the size, the default and the maximum; `true` if a larger one is rejected. */
  readonly size: readonly [name: string, usual: number, max: number, rejects: boolean];
  readonly item: (n: number) => Item;
  readonly reply: (call: Call) => Reply;
  /** An error, if it is no 400. */
  readonly error?: Reply;
  /** What an inference does not find: it finds another way that is as good, or nothing. */
  readonly differs?: object;
}

const COUNT = 24;
class Rejected extends Error {}

const byId = (n: number): Item => ({ id: `x_${String(1000 + n)}`, created: 1_700_000_000 + Math.floor(n / 5) });
const link = ({ url }: Call, params: Readonly<Record<string, string | number>>): string => {
  const to = new URL(url);
  for (const [name, value] of Object.entries(params)) to.searchParams.set(name, String(value));
  return to.href;
};
const relative = (href: string): string => href.replace(new URL(href).origin, '');
/** @returns where a parameter says that the page begins. */
function startOf({ query }: Call, name: string, pattern: RegExp, first = 0): number {
  const value = query.get(name);
  if (value === null) return first;
  const found = pattern.exec(value)?.[1];
  if (found === undefined || !Number.isSafeInteger(Number(found))) throw new Rejected(name);
  return Number(found);
}
interface Slice {
  readonly page: readonly Item[];
  readonly before: boolean;
  readonly after: boolean;
}
const slice = ({ items, size }: Call, start: number): Slice => ({
  page: items.slice(start, start + size),
  before: start > 0,
  after: start + size < items.length,
});
/** @returns the page after or before an id. */
function byCursor(call: Call, next: string, previous: string): Slice {
  const { items, query, size } = call;
  const indexOf = (id: string): number => {
    const at = items.findIndex((it) => it['id'] === id);
    if (at < 0) throw new Rejected(id);
    return at;
  };
  const [after, before] = [query.get(next), query.get(previous)];
  if (before === null) return slice(call, after === null ? 0 : indexOf(after) + 1);
  const end = indexOf(before);
  const page = items.slice(Math.max(0, end - size), end);
  return { page, before: true, after: end > size }; // `has_more` is of the direction of the request.
}
/** A list by tokens. */
const byToken =
  (name: string, bodyOf: (page: readonly Item[], token: string | undefined) => unknown) => (call: Call) => {
    const start = startOf(call, name, /^t(\d+)$/);
    const { page, after } = slice(call, start);
    return { body: bodyOf(page, after ? `t${String(start + call.size)}` : undefined) };
  };

const SHAPES: Readonly<Record<string, Shape>> = {
  stripe: {
    size: ['limit', 10, 100, true],
    item: byId,
    reply: (call) => {
      const { page, after } = byCursor(call, 'starting_after', 'ending_before');
      return { body: { object: 'list', url: call.url.pathname, has_more: after, data: page } };
    },
    differs: { previous: { id: 'ending_before' } }, // `has_more` of a backward page is not looked for.
  },
  github: {
    size: ['per_page', 30, 100, false],
    item: (n) => ({ id: n, name: 'r' }),
    reply: (call) => {
      const page = startOf(call, 'page', /^(\d{1,6})$/, 1) || 1;
      const { page: body, before, after } = slice(call, (page - 1) * call.size);
      const to = (rel: string, number: number): string => `<${link(call, { page: number })}>; rel="${rel}"`;
      return {
        body,
        links: [
          [...(before ? [to('prev', page - 1)] : []), ...(after ? [to('next', page + 1), to('last', 99)] : [])].join(
            ', ',
          ),
        ],
      };
    },
  },
  openai: {
    size: ['limit', 20, 100, true],
    item: byId,
    reply: (call) => {
      const { page, after } = byCursor(call, 'after', 'before');
      return {
        body: { object: 'list', data: page, first_id: page[0]?.['id'], last_id: page.at(-1)?.['id'], has_more: after },
      };
    },
    differs: { previous: { id: 'before' } },
  },
  slack: {
    size: ['limit', 1000, 1000, true],
    item: (n) => ({ id: `U${String(n)}`, team_id: 'T1' }),
    reply: byToken('cursor', (members, token = '') => ({
      ...{ ok: true, members, cache_ts: 1_498_777_272 },
      response_metadata: { next_cursor: token },
    })),
    error: { body: { ok: false, error: 'invalid_cursor' } },
    differs: { error: undefined, next: { token: 'cursor', from: 'response_metadata.next_cursor' } }, // '' is an end in any case.
  },
  twilio: {
    size: ['PageSize', 50, 1000, false],
    item: (n) => ({ sid: `SM${String(n)}`, body: 'b' }),
    reply: (call) => {
      const number = startOf(call, 'Page', /^(\d{1,6})$/);
      const { page: messages, before, after } = slice(call, number * call.size);
      const to = (page: number): string => relative(link(call, { Page: page, PageToken: `PA${String(page)}` }));
      return {
        body: {
          ...{ page: number, page_size: call.size, start: 0, end: 0, uri: relative(call.url.href), messages },
          first_page_uri: to(0),
          next_page_uri: after ? to(number + 1) : null,
          previous_page_uri: before ? to(number - 1) : null,
        },
      };
    },
  },
  asana: {
    size: ['limit', Infinity, 100, true],
    item: (n) => ({ gid: String(n), name: 'n' }),
    reply: (call) => {
      const isPaged = call.query.has('limit');
      const start = startOf(call, 'offset', /^ey(\d+)$/);
      const { page: data, after } = slice(call, start);
      const offset = `ey${String(start + call.size)}`;
      const uri = link(call, { offset });
      return { body: { data, ...(isPaged && { next_page: after ? { offset, path: relative(uri), uri } : null }) } };
    },
    // The URL of the next page is as good as its token. That every request needs a limit, nobody sees where the list is short.
    differs: { params: {}, next: { url: 'next_page.path' } },
  },
  box: {
    size: ['limit', 100, 1000, false],
    item: (n) => ({ type: 'file', id: String(n), etag: '1' }),
    reply: byToken('marker', (entries, next_marker = '') => ({ entries, limit: 100, next_marker })),
    differs: { next: { token: 'marker', from: 'next_marker' } }, // Without `usemarker`, an inference takes the offset.
  },
  square: {
    size: ['limit', 100, 100, true],
    item: byId,
    reply: byToken('cursor', (customers, cursor) => ({
      ...(customers.length > 0 && { customers }),
      ...(cursor !== undefined && { cursor }),
    })),
  },
  okta: {
    size: ['limit', 200, 200, false],
    item: (n) => ({ id: `00u${String(n)}`, status: 'ACTIVE' }),
    reply: (call) => {
      const start = startOf(call, 'after', /^c(\d+)$/);
      const { page: body, after } = slice(call, start);
      const next = `<${link(call, { after: `c${String(start + call.size)}` })}>; rel="next"`;
      return { body, links: [`<${call.url.href}>; rel="self"`, ...(after ? [next] : [])] };
    },
  },
  sentry: {
    size: ['per_page', 100, 100, true],
    item: (n) => ({ id: String(n), slug: 's' }),
    reply: (call) => {
      const start = startOf(call, 'cursor', /^0:(\d+):[01]$/);
      const { page: body, before, after } = slice(call, start);
      const to = (rel: string, at: number, isBack: number, has: boolean): string => {
        const cursor = `0:${String(Math.max(0, at))}:${String(isBack)}`;
        return `<${link(call, { cursor })}>; rel="${rel}"; results="${String(has)}"; cursor="${cursor}"`;
      };
      return {
        body,
        links: [`${to('previous', start - call.size, 1, before)}, ${to('next', start + call.size, 0, after)}`],
      };
    },
    differs: { previous: { link: 'previous' } }, // What its `results` means is learnt of `next` alone.
  },
  discord: {
    size: ['limit', 50, 100, true],
    item: (n) => ({ id: String(1_100_000_000_000_000_000n + BigInt(n)), type: 0 }),
    reply: ({ query, items, size }) => {
      const bound = (name: string): bigint | undefined => {
        const value = query.get(name);
        if (value !== null && !/^\d{1,19}$/.test(value)) throw new Rejected(name);
        return value === null ? undefined : BigInt(value);
      };
      const [before, after] = [bound('before'), bound('after')];
      const id = (it: Item): bigint => BigInt(it['id'] ?? 0);
      if (after !== undefined) return { body: items.filter((it) => id(it) > after).slice(-size) };
      return { body: items.filter((it) => before === undefined || id(it) < before).slice(0, size) };
    },
  },
  spotify: {
    size: ['limit', 20, 50, true],
    item: (n) => ({ id: `37i9${String(n)}`, name: 'p' }),
    reply: (call) => {
      const offset = startOf(call, 'offset', /^(\d{1,6})$/);
      const { page: items, before, after } = slice(call, offset);
      const previous = before ? link(call, { offset: Math.max(0, offset - call.size) }) : null;
      const next = after ? link(call, { offset: offset + call.size }) : null;
      return { body: { href: call.url.href, limit: call.size, next, offset, previous, total: COUNT, items } };
    },
  },
  digitalocean: {
    size: ['per_page', 20, 200, false],
    item: (n) => ({ id: n, name: 'd' }),
    reply: (call) => {
      const number = startOf(call, 'page', /^(\d{1,6})$/, 1) || 1;
      const { page: droplets, before, after } = slice(call, (number - 1) * call.size);
      const to = (page: number): string => link(call, { page });
      const pages = {
        ...(before && { first: to(1), prev: to(number - 1) }),
        ...(after && { next: to(number + 1), last: to(Math.ceil(COUNT / call.size)) }),
      };
      return { body: { droplets, links: before || after ? { pages } : {}, meta: { total: COUNT } } };
    },
  },
};

/** @returns a server of a shape, whose every request needs a key. */
function listenerOf({ size: [name, usual, max, rejects], item, reply, error }: Shape): RequestListener {
  const items = Array.from({ length: COUNT }, (_, at) => item(COUNT - at));
  return (req, res) => {
    const url = new URL(req.url ?? '', `http://${req.headers.host ?? ''}`);
    const query = url.searchParams;
    const send = (status: number, { body, links = [] }: Reply): void => {
      res.writeHead(status, { 'content-type': 'application/json', link: links.filter((it) => it !== '') });
      res.end(JSON.stringify(body));
    };
    if (req.headers.authorization === undefined) {
      send(401, { body: { message: 'no key' } });
      return;
    }
    try {
      const asked = query.get(name);
      if (asked !== null && (!/^[1-9]\d*$/.test(asked) || (rejects && Number(asked) > max))) throw new Rejected(name);
      send(200, reply({ url, query, items, size: asked === null ? usual : Math.min(Number(asked), max) }));
    } catch (reason) {
      if (!(reason instanceof Rejected)) throw reason;
      send(error === undefined ? 400 : 200, error ?? { body: { error: { message: `${name} is invalid` } } });
    }
  };
}

const profiles = readdirSync(FOLDER).map((it) => it.replace('.yaml', ''));
/** Profiles whose shape is one of those of all APIs, by its name. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{ gitlab: 'gitlab-keyset', shopify: 'shopify', hubspot: 'hubspot', notion: 'notion', cloudflare: 'cloudflare' },
  ...{ kubernetes: 'kubernetes', 'google-drive': 'google-drive' },
};

test('each profile has a shape, and few lines, the first of which is a comment', () => {
  const own = profiles.filter((it) => !it.startsWith('rollcall-')); // Those are generated from the contract.
  expect(own).toEqual([...Object.keys(SHAPES), ...Object.keys(OTHERS)].sort());
  for (const name of profiles) {
    const lines = textOf(name).trimEnd().split('\n');
    expect([name, own.includes(name) ? lines.length <= 24 : true, lines[0]?.startsWith('# ')]).toEqual([
      name,
      true,
      true,
    ]);
  }
});

test.each(Object.entries(OTHERS))('the profile %s audits the shape %s, and nothing fails', async (name, shapeName) => {
  const shape = MORE.find((it) => it.name === shapeName)?.shape;
  if (shape === undefined) throw new Error(`no shape ${shapeName}`);
  const { next, items, id, size, error } = parseProfile(textOf(name), envOf(name));
  await using list = await serveShape(shape);
  const profile = { items, id, size, next, error, headers: shape.headers };
  const given = Object.fromEntries(Object.entries(profile).filter(([, it]) => it !== undefined));
  const run = audit({ profile: { ...given, url: list.url } });
  const results = [];
  for await (const it of run) results.push(it);
  expect(results.filter((it) => it.outcome === 'failed')).toEqual([]);
  expect(run.length).toEqual({ items: countOf(shape), isWhole: true, known: countOf(shape) });
});
const envOf = (name: string): Record<string, string> =>
  Object.fromEntries(namesIn(textOf(name)).map((it) => [it, `value-of-${it}`]));

describe.each(Object.entries(SHAPES))('%s', (name, shape) => {
  const { url = '', sample: _, ...declared } = parseProfile(textOf(name), envOf(name));
  const start = async (): Promise<string> => (await serve(listenerOf(shape))) + new URL(url).pathname;

  test('its profile audits a list of its shape, and nothing fails', async () => {
    const results = [];
    for await (const it of audit({ profile: { url: await start(), ...declared } })) results.push(it);
    expect(results.filter((it) => it.outcome === 'failed')).toEqual([]);
    expect(results).toHaveLength(RULES.filter((it) => it.on?.isDeclaredIn({ url, ...declared }, {}) ?? true).length);
    const passed = results.filter((it) => it.outcome === 'passed').map((it) => it.rule);
    expect(passed).toEqual(
      expect.arrayContaining(['page.error', 'end.never', 'items.repeated', 'items.missing', 'order.unstable']),
    );
  });

  test('an inference finds the profile', async () => {
    const { size, ...expected }: Partial<Profile> = { ...declared, ...shape.differs };
    const { headers = {}, auth, params = {} } = expected;
    let found: Profile | undefined;
    let sent = 0;
    const run = audit({
      profile: { url: await start(), headers, params, ...(auth !== undefined && { auth }) },
      only: ['link.origin'],
      inferred: ({ profile, list }) => {
        found = profile;
        ({ sent } = list.session);
      },
    });
    for await (const { outcome } of run) expect(outcome).toBe('passed');
    expect(found).toMatchObject(
      Object.fromEntries(Object.entries<unknown>(expected).filter(([, it]) => it !== undefined)),
    );
    // The list is shorter than the maximum, which therefore does not show.
    expect(found?.size?.param).toBe(size?.param);
    expect(sent).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});
