/** Items that a response of the list has shown, and that no page of it has: a large first page shows what a cursor skips. */
import { be, counted } from '../../contract/wording.ts';
import type { Failure } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import { failure, show } from './finding.ts';
import { isPage } from './list.ts';
import type { List } from './list.ts';
import type { Walk } from './walk.ts';

const isComplete = ({ ending, past }: Walk): boolean => ending === 'end' && past === undefined;

/** @returns the failure, if the same request shows an item before and after a complete reading of the list that lacks it. */
export async function hiddenIn(audited: Audited, known: ReadonlySet<string>): Promise<Failure | undefined> {
  const { list, sightings } = audited;
  const { reference } = await audited.walks();
  for (const { target, ids } of sightings) {
    if (ids.every((id) => known.has(id)) || !audited.mayLook(reference.pages.length + 3)) continue;
    const before = await list.page(target);
    const reading = await audited.whole();
    const after = await list.page(target);
    if (!isPage(before) || !isPage(after) || !isComplete(reading)) continue;
    const [read, still] = [new Set(reading.ids), new Set(after.ids)];
    const hidden = before.ids.filter((id) => still.has(id) && !read.has(id) && !known.has(id));
    const [first] = hidden;
    if (first === undefined) continue;
    const all = new Set([...reading.ids, ...hidden]).size;
    const name = await nullIn(list, target, new Set(hidden));
    return failure(
      after,
      say`the items that this page shows`,
      say`${hidden.length} of ${counted(all, 'items')} ${be(hidden.length)} missing from the pages; first missing: ${show(first)}`,
      say`shows ${show(first)}${name === undefined ? '' : say`, whose ${code(name)} is null`}`,
      name === undefined
        ? undefined
        : say`Compare null values in the cursor, too: it skips items whose ${code(name)} is null.`,
    );
  }
  return undefined;
}

/** @returns a property that is null in all hidden items, and in no other. */
async function nullIn(list: List, target: string, hidden: ReadonlySet<string>): Promise<string | undefined> {
  const answer = await list.session.get(target);
  const items = list.itemsIn(answer);
  const ids = list.idsIn(answer, items);
  const isNull = (item: unknown, name: string): boolean =>
    typeof item === 'object' && item !== null && (item as Readonly<Record<string, unknown>>)[name] === null; // An object.
  const sample = items[ids.findIndex((id) => hidden.has(id))];
  const names = Object.keys(typeof sample === 'object' && sample !== null ? sample : {});
  return names.find((name) => items.every((item, at) => isNull(item, name) === hidden.has(ids[at] ?? '')));
}
