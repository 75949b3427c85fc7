/** The rule of lists whose cursors are the ids of items: any of them is one, not only that of the last item of a page. */
import type { Noted } from '../rules/rule.ts';
import { DoesNotApply, Failure, NotChecked } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { isBroken } from './bad-values.ts';
import { failure, note, returned, show } from './finding.ts';
import { isPage, plainId } from './list.ts';
import { pageAt } from './place.ts';
import type { Place } from './place.ts';
import { withParam } from './target.ts';

/** @returns what is wrong with the page of a place: a failure, or a note; `undefined` if nothing is. */
async function wrongAt(
  { list, probe }: Audited,
  param: string,
  place: Place,
  ids: readonly string[],
): Promise<Failure | Noted | undefined> {
  const { after, before } = place;
  const cursor = ids[after ?? before ?? 0] ?? '';
  const side = before === undefined ? 'after' : 'before';
  const expected = say`the items directly ${side} ${show(cursor)}`;
  const inside = say`${side} ${show(cursor)}, an item inside a page`;
  const page = await list.probe(withParam(list.first(probe), param, plainId(cursor)));
  if (!isPage(page))
    return (isBroken(page) ? failure : note)(page, expected, say`the page ${inside}, fails: ${page.reason}`);
  const others = new Set(before === undefined ? ids.slice(0, (after ?? 0) + 1) : ids.slice(before));
  const outside = page.ids.find((id) => others.has(id));
  if (outside !== undefined)
    return failure(page, expected, say`${show(outside)} is repeated ${inside}`, returned(page));
  const [next] = pageAt(ids, true, place, 1).items;
  // A page that is empty, or shorter than it could be, may continue.
  if (next === undefined || page.ids.includes(next) || (page.ids.length === 0 && page.next !== undefined))
    return undefined;
  return failure(page, expected, say`${show(next)} is missing ${inside}`, returned(page));
}

const item: Rule = {
  id: 'cursor.inside',
  title: 'every item id works as a cursor, also inside a page',
  dependsOn: ['page.error', 'items.missing', 'items.repeated'],
  why: 'A client that continues after the last item it processed misses items, or gets some twice.',
  change: 'Find the position of a cursor by its item, not by the page that it was on.',
  notes: 'It applies if the cursors are item ids. A rejected id inside a page is a note.',
  check: async (audited) => {
    const { next, previous } = audited.list.profile;
    if (!('id' in next)) throw new DoesNotApply(say`its cursors are not item ids`);
    const { reference, again } = await audited.walks();
    const { ids } = reference;
    if (ids.length < 6) throw new DoesNotApply(say`the list has fewer than six items`);
    if (ids.join() !== again.ids.join()) throw new NotChecked(say`the list or its order changed`);
    // With an even size, every second item is inside a page; after it comes the last one, or another page begins.
    const middle = 2 * Math.floor(ids.length / 4);
    const places: readonly (readonly [string, Place])[] = [
      ...[0, 2, middle, ids.length - 2].map((after) => [next.id, { after }] as const),
      ...(previous === undefined || !('id' in previous)
        ? []
        : [1, 2, 3, middle + 1].map((before) => [previous.id, { before }] as const)),
    ];
    let noted: Noted | undefined;
    for (const [param, place] of places) {
      const wrong = await wrongAt(audited, param, place, ids);
      if (wrong instanceof Failure) throw wrong;
      noted ??= wrong;
    }
    if (noted !== undefined) throw noted;
  },
};

export const ITEM_RULES: readonly Rule[] = [item];
