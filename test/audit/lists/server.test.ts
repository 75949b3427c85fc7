/** The list servers are what they claim: without a fault, a simple client gets each item once, with every size. */
import { expect, test } from '@jest/globals';
import { ALL } from './fault.ts';
import { FAULTS } from './faults.ts';
import { cursorOfStyle, rowsOfStyle, sizeOfStyle, SIZES, startList } from './server.ts';
import type { Id, Style } from './server.ts';
import { afterTest } from '../../support/after-test.ts';

interface Body {
  readonly data?: readonly { readonly id: string | number }[];
  readonly items?: Body['data'];
  readonly results?: Body['data'];
  readonly has_more?: boolean;
  readonly next_cursor?: string | null;
  readonly next?: string | null;
}

/** @returns the ids of a traversal, as a client of the style makes it. */
async function walk(style: Style, list: string, size: number): Promise<readonly Id[]> {
  const ids: Id[] = [];
  const first = new URL(list);
  first.searchParams.set(sizeOfStyle(style), String(size));
  let url: URL | undefined = first;
  for (let page = 1; url !== undefined; page += 1) {
    const response: Response = await fetch(url);
    expect(response.status).toBe(200);
    const body = (await response.json()) as Body | NonNullable<Body['data']>; // As the style has it.
    const items = 'length' in body ? body : (body.data ?? body.items ?? body.results ?? []);
    ids.push(...items.map((it) => it.id));
    const at = (name: string, value: string): URL => {
      const next = new URL(first);
      next.searchParams.set(name, value);
      return next;
    };
    const { has_more, next_cursor, next } = 'length' in body ? {} : body;
    const linked = next ?? /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (linked !== undefined) url = new URL(linked);
    else if (has_more === true) url = at('starting_after', String(items.at(-1)?.id));
    else if (typeof next_cursor === 'string') url = at('cursor', next_cursor);
    else if (style === 'page' && items.length > 0) url = at('page', String(page + 1));
    else if (style === 'offset' && items.length > 0) url = at('offset', String(ids.length));
    else url = undefined;
  }
  return ids;
}

test.each(ALL)('a sound list of style %s returns each item once, newest first, with every size', async (style) => {
  const server = await startList({ style });
  afterTest(() => server[Symbol.asyncDispose]());
  const all = rowsOfStyle(style).map((it) => it.id);
  for (const size of [1, 3, 7, SIZES.max]) expect(await walk(style, server.url, size)).toEqual(all);
  expect(server.errors).toEqual([]);
});

test.each(ALL)('a sound list of style %s rejects what makes no sense', async (style) => {
  const server = await startList({ style });
  afterTest(() => server[Symbol.asyncDispose]());
  const size = sizeOfStyle(style);
  for (const query of [`${size}=0`, `${size}=x`, `${cursorOfStyle(style)}=-1`, `${cursorOfStyle(style)}=%00`]) {
    expect([query, (await fetch(`${server.url}?${query}`)).status]).toEqual([query, 400]);
  }
  expect(server.errors).toEqual([]);
});

test('a cursor that compares only the sort value loses the equal ones behind the border', async () => {
  const name = 'the cursor compares only the sort value: equal ones are lost';
  const faulty = FAULTS.find((it) => it.name === `url: ${name}`);
  const server = await startList(faulty?.options ?? { style: 'url' });
  afterTest(() => server[Symbol.asyncDispose]());
  const ids = await walk('url', server.url, 7);
  // Row 36 is the first of 15 with one value; it is on the page of rows 35 to 41.
  const lost = rowsOfStyle('url').filter((it) => !ids.includes(it.id));
  expect(lost.map((it) => it.id)).toEqual(
    rowsOfStyle('url')
      .slice(42, 51)
      .map((it) => it.id),
  );
});
