/** Items after the page whose flag says that no more follow: with one page size, no other reading shows them. */
import { be, counted } from '../../contract/wording.ts';
import { code, say } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import { failure, note, returned, show } from './finding.ts';
import { isPage } from './list.ts';
import type { Page } from './list.ts';
import { totalOf } from './walk.ts';

/** From the last page on: twice that page, and twice the one after it. */
const REQUESTS = 4;
/** A limit is a round number of items, or of pages. */
const ITEMS = 100;
const PAGES = 10;

/** @throws Failure if the page after the stated end has items, and the one before it still says that it is the last; Noted if that may be a limit. */
export async function requireFlag(audited: Audited, known: ReadonlySet<string>): Promise<void> {
  const { list } = audited;
  const { more, ...way } = list.profile.next;
  const { again } = await audited.walks();
  const last = again.pages.at(-1);
  if (more === undefined || last === undefined || again.ending !== 'end' || !audited.mayLook(REQUESTS)) return;
  const pageAfter = async (): Promise<Page | undefined> => {
    const answer = await list.session.get(last.target);
    const page = list.read(answer);
    const target = isPage(page) && page.next === undefined ? list.nextOf(way, answer, list.itemsIn(answer)) : undefined;
    const after = target === undefined ? undefined : await list.probe(target);
    return after !== undefined && isPage(after) ? after : undefined;
  };
  const once = (await pageAfter())?.ids.filter((id) => !known.has(id)) ?? [];
  const page = once.length === 0 ? undefined : await pageAfter();
  const hidden = once.filter((id) => page?.ids.includes(id));
  const [first] = hidden;
  if (page === undefined || first === undefined) return;
  const all = new Set([...known, ...hidden]).size;
  const mayBeLimit = again.ids.length % ITEMS === 0 || again.pages.length % PAGES === 0;
  const isLast = hidden.length === 1 && page.next === undefined;
  const isFault = !mayBeLimit || isLast || totalOf([again])?.value === all;
  throw (isFault ? failure : note)(
    page,
    say`no items after the page whose ${code(more)} says that it is the last`,
    say`${hidden.length} of ${counted(all, 'items')} ${be(hidden.length)} missing for clients that stop at ${code(more)}; first missing: ${show(first)}`,
    returned(page),
    say`Let ${code(more)} be true as long as one item is left.`,
  );
}
