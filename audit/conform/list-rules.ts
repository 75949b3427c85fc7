/** Rules of lists: order, pagination, limits and has_more. The rules of cursors and filters have their own files. */
import { counted } from '../../contract/wording.ts';
import { toMicroseconds } from '../../contract/timestamp.ts';
import { NotChecked, forEach, requireRecords } from '../rules/rule.ts';
import { quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { assertThat } from './checked-session.ts';
import { besideOthers, filtered } from './cases.ts';
import type { Query } from './listing.ts';
import type { Item } from './records.ts';
import type { ContractRule } from './contract-rule.ts';
import { sample } from './sample.ts';
import type { Target } from './target.ts';
import { INVALID_LIMITS, ODD_LIMITS, ODD_LIMIT_QUERIES, UNKNOWN_ID } from './values.ts';

const instant = ({ created_at }: Item): bigint => toMicroseconds(created_at) ?? 0n;

/** @throws NotChecked if the calendar has no such day: record.constraints reports that. */
function validOf(items: readonly Item[]): readonly Item[] {
  const wrong = items.find((item) => toMicroseconds(item.created_at) === undefined);
  if (wrong !== undefined) throw new NotChecked(say`created_at of ${quote(wrong.id)} breaks record.constraints`);
  return items;
}

/** @returns every pair of adjacent items. */
const adjacent = (items: readonly Item[]): (readonly [Item, Item])[] =>
  items.slice(1).flatMap((later, at): (readonly [Item, Item])[] => {
    const earlier = items[at];
    return earlier === undefined ? [] : [[earlier, later]];
  });

/** Reports two items that are out of order, with a request that has the second one as its response. */
async function failOrder(target: Target, [earlier, later]: readonly [Item, Item], why: Text): Promise<void> {
  const { response } = await target.page({ limit: 1, after: earlier.id });
  const named = (item: Item): Text => say`${quote(item.id)} (${quote(item.created_at)})`;
  const difference = say`${named(later)} sorts before it: ${why}`;
  assertThat(response, false, say`an item that sorts after ${named(earlier)}`, named(later), difference);
}

// With this on top, a number has the same last byte.
const BYTE = 256;

// A page size that divides few lists evenly, and the number of pages with it.
const STEP = 7;
const PAGES = 3;

/** How many of the nearest neighbours a page starts between. */
const CLOSEST = 2;

/**
 * @returns the places of items before which a page must be able to end: in ties, and between the nearest neighbours whose ids
 *   contradict their instants. A server that compares coarser instants loses or repeats an item there.
 */
function edgesOf(items: readonly Item[]): readonly number[] {
  const pairs = adjacent(items).map(([a, b], at) => ({
    at: at + 1,
    gap: instant(a) - instant(b),
    isSwapped: a.id < b.id,
  }));
  const ties = pairs.filter(({ gap }) => gap === 0n);
  const close = pairs.filter(({ gap, isSwapped }) => gap > 0n && isSwapped);
  const closest = close.toSorted((a, b) => (a.gap < b.gap ? -1 : a.gap > b.gap ? 1 : 0)).slice(0, CLOSEST);
  return [...ties.slice(0, 1), ...closest].map(({ at }) => at);
}

const idAt = (items: readonly Item[], at: number): string => items.at(at)?.id ?? '';
const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** @throws NotChecked if the list continues after the items that are read. */
export async function requireEnd(target: Target): Promise<void> {
  if (await target.isWhole()) return;
  const { length } = await target.items(0);
  throw new NotChecked(say`the list has more than ${counted(length, 'items')}, so its end was not read (--max-items)`);
}

export const LIST_RULES: readonly ContractRule[] = [
  {
    id: 'list.first_request',
    title: 'the first request with a key gets the same response as later ones: no error, and not empty',
    change:
      'Load the records of an account before its first response, and accept requests only when they can be answered.',
    isForEachAccount: true,
    check: async (target) => {
      const { first } = target;
      if (first === undefined) return;
      const { length } = await target.items(0);
      const { data } = (first.body ?? {}) as { readonly data?: unknown }; // Response rules check the body.
      const isEmpty = Array.isArray(data) && data.length === 0 && length > 0;
      if (first.status === 200 && !isEmpty) return;
      const { request } = await target.plain();
      assertThat(first, false, say`as for a later ${request}: 200, with items`);
    },
  },
  {
    id: 'list.pagination',
    title: 'consecutive pages contain every item exactly once, with any limit',
    change:
      'Select the items after the cursor by (created_at, id) and order by both, so that pages neither overlap nor leave gaps.',
    isForEachAccount: true,
    check: async (target) => {
      await target.pages();
    },
  },
  {
    id: 'list.order',
    title: 'items are sorted by the time in `created_at`, newest first',
    change: 'Sort by the time in created_at, descending, with all its digits and its UTC offset.',
    isForEachAccount: true,
    check: async (target) => {
      const wrong = adjacent(validOf(await target.items(2))).filter(([a, b]) => instant(a) < instant(b));
      for (const pair of wrong.slice(0, 1)) await failOrder(target, pair, say`it is newer`);
    },
  },
  {
    id: 'list.ties',
    title: 'items with the same time are sorted by id, descending',
    change:
      'Add the id, descending, as the second sort key. Compare ids as strings: signed numbers, and the GUID types of some databases, have another order.',
    isForEachAccount: true,
    check: async (target) => {
      const ties = adjacent(validOf(await target.items(0))).filter(([a, b]) => instant(a) === instant(b));
      for (const pair of ties.filter(([a, b]) => a.id <= b.id).slice(0, 1))
        await failOrder(target, pair, say`it has the same time and a greater id`);
      requireRecords(ties.length > 0, { of: target.noun, count: 2, what: 'with the same created_at' });
    },
  },
  {
    id: 'list.limit',
    title: 'a limit from the minimum to the maximum is applied',
    change: 'Return exactly `limit` items while there are enough.',
    check: async (target) => {
      const { min, max } = target.limits;
      const between = sample(range(max).slice(min + 1), 1, target.random);
      // The default of another list is a limit like any other.
      const defaults = target.otherLists().map(({ limits }) => limits.default);
      const limits = new Set([min, ...between, ...defaults.filter((limit) => limit !== target.limits.default)]);
      await forEach(limits, (limit) => target.assertPage({ limit }));
      const { length } = await target.items(0);
      // The list was read with the maximum.
      for (const { response, items } of (await target.pages()).slice(0, 1))
        assertThat(
          response,
          items.length === Math.min(max, length),
          say`${counted(max, 'items')}`,
          say`${counted(items.length, 'items')}`,
        );
      requireRecords(length > max, target.need(max + 1, length));
    },
  },
  {
    id: 'list.after',
    title: '`after` returns the items that follow the cursor, in order',
    change: 'Select the items that sort after (created_at, id) of the cursor, and apply the limit last.',
    dependsOn: ['list.limit'],
    check: async (target) => {
      const items = await target.items(STEP + 1);
      const { min, max } = target.limits;
      const starts = range(PAGES - 1).map((page) => (page + 1) * STEP);
      const later = sample(range(items.length - STEP).slice(STEP * PAGES), 1, target.random);
      const edges = edgesOf(items);
      // Pages of one item too: the first ones, and those that begin on both sides of an edge. Clients often ask for half of the maximum.
      const pages = [
        { at: 1, limit: Math.floor(max / 2) },
        ...[...starts, ...later, items.length - STEP, ...edges].map((at) => ({ at, limit: STEP })),
        ...[1, 2, ...edges, ...edges.map((at) => at + 1)].map((at) => ({ at, limit: min })),
      ].filter(({ at }) => at > 0 && at < items.length);
      await forEach(pages, ({ at, limit }) => target.assertPage({ limit, after: idAt(items, at - 1) }));
    },
  },
  {
    id: 'list.before',
    title: '`before` returns the page that ends directly before the cursor, newest first',
    change:
      'Select the items that sort before the cursor in reverse order, apply the limit, then reverse the page; near the head the page is shorter.',
    dependsOn: ['list.limit'],
    check: async (target) => {
      const items = await target.items(STEP + 2);
      const { min } = target.limits;
      const positions = sample(range(items.length).slice(STEP + 1, -1), 1, target.random);
      const edges = edgesOf(items);
      const pages = [
        ...[0, 1, STEP + 1, ...positions, ...edges].map((at) => ({ at, limit: STEP })),
        ...[2, ...edges, ...edges.map((at) => at - 1)].map((at) => ({ at, limit: min })),
      ];
      await forEach(pages, ({ at, limit }) => target.assertPage({ limit, before: idAt(items, at) }));
    },
  },
  {
    id: 'list.invalid_limit',
    title: 'a limit that is out of range or not written in plain digits is rejected, not clamped',
    change:
      'Match the whole string of `limit` against digits without leading zeros, before it is converted; reject everything else, and do not clamp.',
    check: async (target) => {
      const { min, max } = target.limits;
      const [item] = await target.items(0);
      const [below, above] = [min - 1, max + 1];
      const filter = filtered(target);
      // Those next to the bounds, which a server may replace by the bounds, with each of the others; the rest with one of them.
      const bounds: readonly Query[] = [
        ...[{ limit: below }, { limit: below, before: UNKNOWN_ID }, { limit: above }],
        { ...filter, limit: max + BYTE, after: item?.id ?? UNKNOWN_ID },
        ...(target.filter === undefined ? [] : [{ ...filter, limit: below }]),
      ];
      const values = [...INVALID_LIMITS, ...target.shareOf(ODD_LIMITS)];
      const encoded = values.map((limit) => new URLSearchParams({ limit }).toString());
      const queries = await besideOthers(target, [...encoded, ...target.shareOf(ODD_LIMIT_QUERIES)]);
      const assertInvalid = (of: Target, path: string): Promise<void> =>
        of.assertProblem({ path, mentions: ['limit'] }, 'validation_error');
      const paths = [
        ...bounds.map((bound) => target.pathWith(bound)),
        ...queries.map((query) => `${target.path()}?${query}`),
      ];
      await forEach(paths, (path) => assertInvalid(target, path));
      const other = target.otherAccount;
      if (other !== undefined) await assertInvalid(other, other.pathWith({ limit: max + 1 }));
    },
  },
  {
    id: 'list.has_more',
    title: '`has_more` indicates whether more items exist in the direction of pagination',
    change: 'Read one item more than the limit in the direction of pagination; `has_more` is whether it is there.',
    dependsOn: ['list.after', 'list.before'],
    check: async (target) => {
      const items = await target.items(3);
      const { min, max, default: usual } = target.limits;
      const queries: readonly Query[] = [
        // The default, as it is sent by clients that know it.
        { limit: usual },
        { limit: min },
        { limit: 2, before: idAt(items, 2) },
        { limit: 1, before: idAt(items, 0) },
        { limit: max, before: idAt(items, -1) },
        { limit: 1, before: idAt(items, 2) },
      ];
      await forEach(queries, (query) => target.assertPage(query, true));
    },
  },
  {
    id: 'list.end',
    title: '`has_more` is false on the last page of any size, and no items follow the last one',
    change: 'Read one item more than the limit: a page that is exactly full can be the last one.',
    dependsOn: ['list.limit', 'list.after', 'list.has_more'],
    check: async (target) => {
      const items = await target.items(1);
      await requireEnd(target);
      const { length } = items;
      const { min, max } = target.limits;
      const queries: readonly Query[] = [
        { limit: max, after: idAt(items, -1) },
        // Pages that are exactly as long as the rest of the list, and one that is shorter.
        ...[min, max].filter((limit) => limit < length).map((limit) => ({ limit, after: idAt(items, -limit - 1) })),
        ...(min + 1 < length ? [{ limit: min, after: idAt(items, -min - 2) }] : []),
        ...(length <= max ? [{ limit: length }] : []),
      ];
      await forEach(queries, (query) => target.assertPage(query, true));
    },
  },
  {
    id: 'list.default_limit',
    title: 'without a limit, a page has the default number of items, with or without a cursor',
    change:
      'Use the default of this operation where `limit` is absent, with a cursor too, and select the same items as with that limit.',
    dependsOn: ['list.limit', 'list.after', 'list.before'],
    check: async (target) => {
      const { default: limit } = target.limits;
      const items = await target.items(limit + 3);
      // That of a third page, as most clients request it, or as far as the list goes.
      const third = Math.min(2 * limit, items.length - limit) - 1;
      const queries: readonly Query[] = [{}, { after: idAt(items, third) }, { before: idAt(items, limit + 2) }];
      await forEach(queries, (query) => target.assertPage(query));
    },
  },
];
