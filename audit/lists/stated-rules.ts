/** Rules of what responses state and clients rely on: the next page, and the number of pages. */
import { counted } from '../../contract/wording.ts';
import { DoesNotApply } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { failure, note, returned, withSize } from './finding.ts';
import { List, isPage } from './list.ts';
import type { NoPage } from './list.ts';
import { describeWay } from './profile.ts';
import type { Way } from './profile.ts';
import { withParam } from './target.ts';
import type { Walk } from './walk.ts';

const next: Rule = {
  id: 'stated.next',
  title: 'the stated next page loads',
  why: 'A client that follows the stated next page stops at an error, before the end of the list.',
  change: 'Build the link or token with the host, path and parameters that the server itself accepts.',
  notes: 'A link to another origin is a note if its path fails at the audited origin: audit that URL.',
  check: async (audited) => {
    const { profile } = audited.list;
    const { stated, later } = audited;
    const ways = [...stated, ...(later === undefined ? [] : [later])];
    if (ways.length === 0 && ('page' in profile.next || 'offset' in profile.next || 'id' in profile.next))
      throw new DoesNotApply(say`no next page is stated`);
    for (const way of ways) {
      const once = await follow(audited, way);
      // From a fresh page: a link may expire, or be used once.
      const twice = once && (await follow(audited, way));
      if (once === undefined || twice === undefined) continue;
      const what = say`the stated next page fails: ${twice.page.reason}; it is ${describeWay(way)}`;
      const fault = twice.isElsewhere ? note : failure;
      throw fault(
        twice.page,
        say`a page`,
        what,
        say`${twice.from} states it; the list was read by ${describeWay(profile.next)}`,
      );
    }
  },
};

/** @returns the error to which a way leads from the first page, or from the second one if only that states it; `undefined` if it is none. */
async function follow(
  { list, probe, later }: Audited,
  way: Way,
): Promise<{ readonly page: NoPage; readonly from: Text; readonly isElsewhere: boolean } | undefined> {
  const stating = new List({ ...list.profile, next: way }, list.session);
  const first = list.first(probe);
  const page1 = way === later ? await list.page(first) : undefined;
  const answer = await list.session.get((page1 !== undefined && isPage(page1) ? page1.next : undefined) ?? first);
  const target = stating.nextOf(way, answer, stating.itemsIn(answer));
  if (target === undefined) return undefined;
  const page = await stating.probe(target);
  if (isPage(page) || page.status === 401 || page.status === 403) return undefined;
  return { page, from: answer.request, isElsewhere: stating.leadsElsewhere(way, answer) };
}

const pages: Rule = {
  id: 'stated.pages',
  title: 'the stated number of pages is large enough',
  dependsOn: ['page.error', 'end.never'],
  why: 'A client that reads the stated number of pages misses the items after them.',
  change: 'Round up the number of items divided by the page size.',
  check: async (audited) => {
    const position = await audited.position();
    const { reference, compared } = await audited.walks();
    const whole = [reference, ...compared.filter((it) => it.reference === reference).map((it) => it.walk)].filter(
      (it) => it.ending === 'end' && it.pages[0]?.pageCount !== undefined,
    );
    const confirmed = whole.filter((it) => isPageCount(it));
    // One may be by chance: a number of two sizes is none. The number of this page is near that of all pages with a large size alone.
    if (new Set(confirmed.map((it) => it.pages[0]?.ids.length)).size < 2 || confirmed.length < whole.length)
      throw new DoesNotApply(say`no number of pages is stated`);
    // One less than their number, of whole pages, too, is the number of the last one, counted from 0. Without whole pages, nothing tells.
    const isIndex = (it: Walk): boolean => it.pages[0]?.pageCount?.value === read(it) - 1;
    const isNamed = /last|max/i.test(confirmed[0]?.pages[0]?.pageCount?.name ?? '');
    const hasWhole = confirmed.some((it) => it.ids.length % (it.pages[0]?.ids.length ?? 0) === 0);
    const mayBeIndex = position?.first === 0 || (isNamed && hasWhole);
    if (mayBeIndex && confirmed.every(isIndex)) return;
    if (position?.kind !== 'page') throw new DoesNotApply(say`the list has no page numbers`);
    for (const walk of confirmed) {
      const [first] = walk.pages;
      if (first?.pageCount === undefined || read(walk) <= first.pageCount.value) continue;
      const again = await audited.list.page(first.target);
      if (!isPage(again) || again.pageCount === undefined) continue;
      const stated = again.pageCount.value;
      const known = new Set(walk.pages.slice(0, stated).flatMap((it) => it.ids));
      const after = await audited.list.probe(withParam(first.target, position.param, stated + position.first));
      if (!isPage(after) || after.ids.every((id) => known.has(id))) continue;
      throw failure(
        after,
        say`no page after page ${stated}`,
        say`${code(again.pageCount.name)} is ${stated} ${withSize(walk.size)}, but ${counted(read(walk), 'pages')} ${read(walk) === 1 ? 'has' : 'have'} items`,
        returned(after),
      );
    }
  },
};

const read = ({ pages: all }: Walk): number => all.filter((it) => it.ids.length > 0).length;

/** Whether the number is the length of the list in pages, to within one. */
function isPageCount({ ids, pages: all }: Walk): boolean {
  const size = all[0]?.ids.length ?? 0;
  return size > 0 && Math.abs((all[0]?.pageCount?.value ?? -2) - ids.length / size) <= 1;
}

export const STATED_RULES: readonly Rule[] = [next, pages];
