/** The failure of items that a reading lacks: where they should stand, and what to change. */
import { be, counted } from '../../contract/wording.ts';
import type { Failure } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import { failure, returned, show, withSize } from './finding.ts';
import { plainValues } from './list.ts';
import type { List, Page, Values } from './list.ts';
import { gapOf } from './walk.ts';
import type { Walk } from './walk.ts';

/** @returns how a list was read, for people. */
export const howOf = ({ by, size }: Walk): Text => (by === undefined ? withSize(size) : say`${by} ${withSize(size)}`);

/** How many items are missing of how many: both are counted in the same items. */
export interface Count {
  readonly missing: number;
  readonly all: number;
}
/** @returns the count of the items that a reading of the whole list lacks, of all that are known. */
export function countOf({ ids }: Walk, known: ReadonlySet<string>): Count {
  const own = new Set(ids);
  return { missing: [...known].filter((id) => !own.has(id)).length, all: known.size };
}

/** @returns the failure of missing items, with the page after which the first one should stand, and the value that they share. */
export async function lossOf(
  { list }: Audited,
  walk: Walk,
  other: Walk,
  lost: readonly string[],
  { missing, all }: Count,
): Promise<Failure> {
  const gone = new Set(lost);
  const first = other.ids.find((it) => gone.has(it)) ?? '';
  const { before = '', previous, page } = gapOf(walk.pages, first, other.ids);
  const place = other.pages.find((it) => it.ids.includes(first));
  const tie = previous && place && (await tieOf(list, previous, before, place, first));
  const shared = tie === undefined ? '' : say`; ${show(first)} has the same ${code(tie)} as ${show(before)} before it`;
  return failure(
    page,
    say`the same items ${howOf(walk)} as ${howOf(other)}`,
    say`${missing} of ${counted(all, 'items')} ${be(missing)} missing ${howOf(walk)}; first missing: ${show(first)}`,
    say`${returned(page)}${shared}`,
    changeFor(walk, other, gone, tie),
  );
}

/** @returns what to change, as far as the missing items tell the cause. */
function changeFor({ pages, size }: Walk, { ids }: Walk, gone: ReadonlySet<string>, tie: string | undefined): Text {
  const early = pages.find((page, at) => at < pages.length - 1 && page.ids.length < (size ?? 0));
  if (early !== undefined && size !== undefined && pages.every(({ ids: held }) => held.length <= early.ids.length))
    return say`Move the position by the number of items that were returned: page size ${size} is cut to ${early.ids.length}, but the position moves by ${size}.`;
  if (ids.slice(-gone.size).every((id) => gone.has(id))) return say`Give a next page as long as items are left.`;
  return tie === undefined
    ? say`Begin each page right after the last item of the previous one.`
    : say`Sort by ${code(tie)} and then by the id, and compare both in the cursor.`;
}

/** @returns the name of a value that two items share and that looks like a sort value: a number or an instant. */
async function tieOf(list: List, one: Page, id: string, other: Page, otherId: string): Promise<string | undefined> {
  const valuesOf = async (page: Page, wanted: string): Promise<Values> => {
    const answer = await list.session.get(page.target);
    const items = list.itemsIn(answer);
    return plainValues(items[list.idsIn(answer, items).indexOf(wanted)]);
  };
  const [a, b] = [await valuesOf(one, id), await valuesOf(other, otherId)];
  const shared = Object.keys(a).filter((name) => a[name] === b[name]);
  return shared.find((it) => /creat|time|date|updat|_at$/i.test(it)) ?? shared[0];
}
