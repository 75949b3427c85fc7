/** The rule of lists whose cursors are the ids of items: any of them is one, not only that of the last item of a page. */
import { Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import type { Audited, Rule } from './audited.ts';
import { isBroken } from './bad-values.ts';
import { isPage, plainId } from './list.ts';
import { pageAt } from './place.ts';
import type { Place } from './place.ts';
import { withParam } from './target.ts';
import { show, showAll } from './walk-rules.ts';

/** @returns what is wrong with the page of a place, and whether that is a failure; `undefined` if nothing is. */
async function findingOf(
  { list, probe }: Audited,
  param: string,
  place: Place,
  ids: readonly string[],
): Promise<{ readonly isSure: boolean; readonly finding: Finding } | undefined> {
  const { after, before } = place;
  const cursor = ids[after ?? before ?? 0] ?? '';
  const side = before === undefined ? 'behind' : 'before';
  const page = await list.page(withParam(list.first(probe), param, plainId(cursor)));
  const finding = (request: string, actual: string, difference?: string): Finding => ({
    ...{ request, expected: `the items directly ${side} ${show(cursor)}`, difference },
    actual: `${side} ${show(cursor)}, which stands inside of a page, ${actual}`,
  });
  if (!isPage(page))
    return { isSure: isBroken(page.answer), finding: finding(page.answer.request, `is ${page.reason}`) };
  const [next] = pageAt(ids, true, place, 1).items;
  const returned = `returned ${showAll(page.ids)}`;
  const outside = page.ids.find((id) => {
    const at = ids.indexOf(id);
    return before === undefined ? at >= 0 && at <= (after ?? 0) : at >= before;
  });
  if (outside !== undefined)
    return { isSure: true, finding: finding(page.request, `${show(outside)} comes again`, returned) };
  // A page that is empty, or shorter than it could be, may continue.
  if (next === undefined || page.ids.includes(next) || (page.ids.length === 0 && page.next !== undefined))
    return undefined;
  return { isSure: true, finding: finding(page.request, `${show(next)} is lost`, returned) };
}

const item: Rule = {
  id: 'cursor.item',
  title: 'the id of any item is a cursor, also inside of a page',
  dependsOn: ['walk.errors', 'walk.same', 'walk.once', 'back.same'],
  why: 'Clients that continue at the last item that they have processed lose items, or get them twice.',
  change: 'Find the place by the item of the cursor itself, not by the page that it stood on.',
  notes:
    'It is checked where the cursor is the id of an item. An id that is rejected inside of a page is a note. It is not checked if the order changes.',
  check: async (audited) => {
    const { next, previous } = audited.list.profile;
    if (!('id' in next)) throw new NotChecked('the cursors are no ids of items');
    const { reference, again } = await audited.walks();
    const { ids } = reference;
    if (ids.length < 6) throw new NotChecked('the list has fewer than six items');
    if (ids.join() !== again.ids.join()) throw new NotChecked('the list has changed, or has no steady order');
    // With an even size, every second item stands inside of a page; behind it is the last one, or another page begins.
    const middle = 2 * Math.floor(ids.length / 4);
    const places: readonly (readonly [string, Place])[] = [
      ...[0, 2, middle, ids.length - 2].map((after) => [next.id, { after }] as const),
      ...(previous === undefined || !('id' in previous)
        ? []
        : [1, 2, 3, middle + 1].map((before) => [previous.id, { before }] as const)),
    ];
    let noted: Finding | undefined;
    for (const [param, place] of places) {
      const found = await findingOf(audited, param, place, ids);
      if (found?.isSure === true) throw new Failure(found.finding);
      noted ??= found?.finding;
    }
    if (noted !== undefined) throw new Noted(noted);
  },
};

export const ITEM_RULES: readonly Rule[] = [item];
