/** The records of a list: how its pages are requested, when they contradict one another, and when its records count as changed. */
import { describe, expect, test } from '@jest/globals';
import { Failure, NotChecked } from '../../../audit/rules/rule.ts';
import { Listing } from '../../../audit/conform/listing.ts';
import type { ListedPage, Query, Source } from '../../../audit/conform/listing.ts';
import type { Relisting } from '../../../audit/conform/checked-session.ts';
import { comparisonOf } from '../../../audit/conform/records.ts';
import type { Item } from '../../../audit/conform/records.ts';
import { automation } from '../../../testkit/index.ts';
import { own, quote, say } from '../../../audit/rules/text.ts';
import { contract } from '../../support/app.ts';
import { show } from '../../support/text.ts';
import { series } from '../../support/series.ts';
import { pageOf } from './pages.ts';

const MAX = 10;
const SPENT = new NotChecked(
  say`the account changes too often: the requests that list its records again are used up (--max-requests)`,
);

/** Items of the newest first, each with the name `1`. */
const itemsOf = (count: number): Item[] => series(count, automation).map((it) => ({ ...it, name: '1' }));

const failure = (request: string, actual: string): Failure =>
  new Failure({ request: own(request), expected: say`a page`, actual: own(actual) });

/** A source whose items a test changes, and which it makes fail. */
class FakeSource implements Source {
  readonly name = 'listAutomations';
  readonly limits = { min: 1, max: MAX };
  readonly comparison = comparisonOf(contract, 'automations');
  readonly requests: string[] = [];
  items: readonly Item[];
  /** Replaces the response to a query. */
  respond: (query: string) => readonly Item[] | Error | undefined = () => undefined;
  hasRecord: Source['hasRecord'] = (id) => Promise.resolve(this.items.some((it) => it.id === id));

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  page(query: Query): Promise<ListedPage> {
    const text = new URLSearchParams(query as Record<string, string>).toString(); // Its values become texts.
    this.requests.push(text);
    const replaced = this.respond(text);
    const body =
      replaced === undefined || replaced instanceof Error
        ? pageOf(this.items, new URLSearchParams(text))
        : { data: replaced, has_more: false };
    if (replaced instanceof Error) return Promise.reject(replaced);
    if (body === undefined) return Promise.reject(failure(text, '404'));
    const response = {
      ...{
        request: say`GET /automations?${quote(text)}`,
        method: 'GET',
        status: 200,
        headers: new Map(),
        text: '',
        body,
      },
      ...{ isUtf8: true, repeated: new Map(), mentions: [], source: { key: '', path: '', requestId: undefined } },
    };
    return Promise.resolve({ response, items: body.data, hasMore: body.has_more });
  }
}

const open = (
  items: readonly Item[],
  maxItems = 1000,
  relisting: Relisting = { left: 1000, hasChange: false },
): { source: FakeSource; listing: Listing } => {
  const source = new FakeSource(items);
  return { source, listing: new Listing(source, maxItems, relisting) };
};

describe('the pages of a list', () => {
  test('are requested once, with the maximum limit; then the first two with one less', async () => {
    const items = itemsOf(45);
    const { source, listing } = open(items);
    expect(await listing.items()).toEqual(items);
    expect(await listing.isWhole()).toBe(true);
    const cursors = (limit: number, ends: readonly number[]): readonly string[] => [
      `limit=${String(limit)}`,
      ...ends.map((at) => `limit=${String(limit)}&after=${items[at - 1]?.id ?? ''}`),
    ];
    expect(source.requests).toEqual([...cursors(10, [10, 20, 30, 40]), ...cursors(9, [9])]);
  });

  test('are one request, if they are one page', async () => {
    const { source, listing } = open(itemsOf(MAX));
    await listing.items();
    expect(source.requests).toEqual(['limit=10']);
  });

  test('end at the maximum number of items: then the list is not whole', async () => {
    const { listing } = open(itemsOf(45), 20);
    expect((await listing.items()).length).toBe(20);
    expect(await listing.isWhole()).toBe(false);
  });

  const [first, second] = itemsOf(2);
  const id = first?.id ?? '';
  const short = id.slice(0, 8);
  test.each([
    ['an item twice on a page', 1, [first, first], 'items not listed before', `${id} again`, undefined],
    ['a page that is too long', 1, itemsOf(11), 'at most 10 items', '11 items', undefined],
    [
      ...['items in another order with another limit', 11, [second, first]],
      ...[`the same items as with limit 10: ${short} ${second?.id.slice(0, 8) ?? ''}`],
      ...[`${second?.id.slice(0, 8) ?? ''} ${short}`],
      `item 1 is ${String(second?.id)} (${String(second?.created_at)}), not ${id} (${String(first?.created_at)})`,
    ],
  ] as const)('fail with %s', async (_, count, page, expected, actual, difference) => {
    const { source, listing } = open([...[first, second].flatMap((it) => it ?? []), ...itemsOf(count).slice(2)]);
    const wrong = count === 1 ? 'limit=10' : 'limit=9';
    source.respond = (query) => (query === wrong ? page.flatMap((it) => it ?? []) : undefined);
    const error = await listing.pages().catch((it: unknown) => it);
    expect(error).toBeInstanceOf(Failure);
    const [finding, ...others] = (error as Failure).findings.map((it) => ({
      ...{ request: show(it.request), expected: show(it.expected), actual: show(it.actual) },
      difference: it.difference && show(it.difference),
    }));
    expect(finding).toEqual({ request: `GET /automations?${wrong}`, expected, actual, difference });
    expect(others).toEqual([]);
    await expect(listing.items()).rejects.toThrow(
      new NotChecked(say`the pages of listAutomations contradict one another, or are errors (see its list.pagination)`),
    );
  });
});

test('pages that contradict one another only after a change are a failure of the first rule that reads them', async () => {
  const { source, listing } = open(itemsOf(11));
  await listing.items();
  const [, ...others] = source.items;
  source.items = others.concat(itemsOf(12).slice(11));
  listing.markRead();
  source.respond = (query) => (query === 'limit=9' ? source.items.slice(0, 9).toReversed() : undefined);
  for (const isChanged of [true, false]) {
    expect(await listing.hasChanged()).toBe(isChanged);
    if (isChanged) await expect(listing.items()).rejects.toBeInstanceOf(Failure);
    await expect(listing.items()).rejects.toThrow(
      new NotChecked(say`the pages of listAutomations contradict one another`),
    );
  }
});

describe('records that were read', () => {
  const [newest, ...others] = itemsOf(46);
  const changed = (at: number, name: string): readonly Item[] =>
    others.map((it, index) => (index === at ? { ...it, name } : it));
  const without = (at: number): readonly Item[] => others.filter((_, index) => index !== at);

  /** @returns whether the records have changed after each change of the items. */
  async function changesOf(
    source: FakeSource,
    listing: Listing,
    ...steps: readonly (readonly Item[])[]
  ): Promise<boolean[]> {
    const answers: boolean[] = [];
    await listing.items();
    for (const items of steps) {
      source.items = items;
      listing.begin();
      listing.markRead();
      answers.push(await listing.hasChanged());
    }
    return answers;
  }

  const all = newest === undefined ? [] : [newest, ...others];
  test.each<[string, boolean[], ...(readonly Item[])[]]>([
    ['nothing', [false, false], others, others],
    ['a new record', [true, false], all, all],
    ['a value of the newest record', [true, false], changed(0, '2'), changed(0, '2')],
    ['a value of the oldest record', [true], changed(44, '2')],
    ['a record that is gone, one of the oldest', [true, false], without(40), without(40)],
    ['all records gone', [true], []],
    ['a value that comes back: two servers', [true, false], changed(3, '2'), others],
    ['a third value', [true, true], changed(3, '2'), changed(3, '3')],
    ['a record that comes back: two servers', [true, false], without(3), others],
    ['the order alone', [false], others.toReversed()],
    [
      'a new value of a record and one that comes back',
      [true, true],
      without(3),
      [...others.slice(0, 9), ...changed(9, '2').slice(9)],
    ],
  ])('have changed after: %s', async (_, expected, ...steps) => {
    const { source, listing } = open(others);
    expect(await changesOf(source, listing, ...steps)).toEqual(expected);
  });

  test('have changed beyond the pages that are read twice', async () => {
    for (const later of [changed(39, '2'), without(39)]) {
      const { source, listing } = open(others, 40);
      expect(await changesOf(source, listing, later)).toEqual([true]);
    }
  });

  test('have not changed where a list lost records that exist', async () => {
    const { source, listing } = open(others);
    source.hasRecord = () => Promise.resolve(true);
    expect(await changesOf(source, listing, without(3))).toEqual([false]);
  });

  test.each([failure('limit=10', '500'), new NotChecked(say`the response breaks response.schema`)])(
    'have not changed where they cannot be listed: %s',
    async (error) => {
      const { source, listing } = open(others);
      await listing.items();
      source.respond = () => error;
      expect(await listing.hasChanged()).toBe(false);
    },
  );

  test('may have changed where they had never been listed, once', async () => {
    const { source, listing } = open(others);
    listing.markRead();
    expect([await listing.hasChanged(), await listing.hasChanged()]).toEqual([true, false]);
    expect(source.requests.length).toBeGreaterThan(0);
  });

  test('are listed again only if a rule has read them', async () => {
    const { source, listing } = open(others);
    await listing.items();
    source.requests.length = 0;
    source.items = all;
    listing.begin();
    expect([await listing.hasChanged(), source.requests]).toEqual([false, []]);
  });

  test('are requested again after a change, and only then', async () => {
    const { source, listing } = open(others);
    expect(await changesOf(source, listing, others)).toEqual([false]);
    source.requests.length = 0;
    expect([await listing.items(), source.requests]).toEqual([others, []]);
    expect(await changesOf(source, listing, all)).toEqual([true]);
    expect(await listing.items()).toEqual(all);
  });

  test('are listed again as long as requests for it are left: then they have not changed, if none have', async () => {
    const relisting = { left: 6, hasChange: false };
    const { source, listing } = open(others, 1000, relisting);
    expect(await changesOf(source, listing, others, others)).toEqual([false, false]); // Five pages each.
    source.requests.length = 0;
    expect(await changesOf(source, listing, all)).toEqual([false]);
    expect([source.requests, relisting.left]).toEqual([[], -4]);
    relisting.hasChange = true;
    await expect(changesOf(source, listing, all)).rejects.toThrow(SPENT);
  });

  test('that have changed cannot be read where no requests for it are left', async () => {
    const relisting = { left: 1, hasChange: false };
    const { source, listing } = open(others, 1000, relisting);
    expect(await changesOf(source, listing, all)).toEqual([true]);
    expect(relisting.hasChange).toBe(true);
    await expect(listing.items()).rejects.toThrow(SPENT);
  });

  test('an error that is neither a failure nor unchecked ends the run', async () => {
    const { source, listing } = open(others);
    source.respond = () => new Error('the time is up');
    listing.markRead();
    await expect(listing.hasChanged()).rejects.toThrow('the time is up');
  });
});
