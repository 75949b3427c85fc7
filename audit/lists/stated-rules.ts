/** Rules of what responses state and clients rely on: the next page, and the number of pages. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply } from '../rules/rule.ts';
import { code, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { failure, note, returned, show, withSize } from './finding.ts';
import { linkWays } from './infer/links.ts';
import { isStated, withBase } from './infer/next.ts';
import { List, isPage } from './list.ts';
import type { NoPage, Page } from './list.ts';
import { describeWay } from './profile.ts';
import type { Way } from './profile.ts';
import { withParam } from './target.ts';
import type { Walk } from './walk.ts';

const next: Rule = {
  id: 'stated.next',
  title: 'the stated next page loads, and begins with the next item',
  why: 'A client that follows the stated next page stops at an error, before the end of the list, or misses items.',
  change: 'Build the link or token with the host, path and parameters that the server itself accepts.',
  notes:
    'A link to another origin is a note if its path fails at the audited origin: audit that URL. If the list is read in another way, the links of at most four of its pages are followed.',
  check: async (audited) => {
    const { profile } = audited.list;
    const { stated, later } = audited;
    const ways = [...stated, ...(later === undefined ? [] : [later])];
    const beside = await linksBeside(audited);
    if (
      ways.length + beside.length === 0 &&
      ('page' in profile.next || 'offset' in profile.next || 'id' in profile.next)
    )
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
    for (const way of beside) await requireItems(audited, way);
  },
};

/** Twice a page, the next one, and the stated next one. */
const COMPARED = 6;
const MAX_COMPARED = 4;

/** @returns some pages of a reading, from the second one on: one by a link that is followed has a next one. */
async function somePages(audited: Audited): Promise<readonly Page[]> {
  const { reference, compared } = await audited.walks();
  const small = compared
    .filter((it) => it.reference === reference && it.walk.size !== undefined && it.walk.size > 1)
    .sort((one, other) => other.walk.pages.length - one.walk.pages.length)[0];
  const pages = (small?.walk ?? reference).pages.filter(({ next: to }) => to !== undefined);
  const places = [1, Math.floor(pages.length / 2), pages.length - 2, 0];
  return [...new Set(places)].flatMap((at) => pages[at] ?? []);
}

/** @returns the links to the next page that a page states beside the way by which the list is read. */
async function linksBeside(audited: Audited): Promise<readonly Way[]> {
  const { list, stated } = audited;
  const [page] = await somePages(audited);
  if (page === undefined || !audited.mayLook(1 + COMPARED * MAX_COMPARED)) return [];
  const answer = await list.session.get(page.target);
  const known = new Set([list.profile.next, ...stated].map(placeOf));
  return linkWays(answer, list.session)
    .map((way) => withBase(way, answer))
    .filter((way) => isStated(way) && !known.has(placeOf(way)));
}

/** Where a link stands. */
const placeOf = (way: Way): string =>
  'link' in way ? `link ${way.link}` : 'url' in way ? `url ${way.url}` : 'header' in way ? `header ${way.header}` : '';

/** @throws Failure if the page of a link lacks the first item of the next page, twice. */
async function requireItems(audited: Audited, way: Way): Promise<void> {
  const known = new Set((await audited.walks()).reference.ids);
  for (const { target } of await somePages(audited)) {
    if (!audited.mayLook(COMPARED)) return;
    const once = await lackedBy(audited, way, target);
    const twice = once && (await lackedBy(audited, way, target));
    const [first] = twice?.lacks ?? [];
    if (twice === undefined || first === undefined || once?.lacks[0] !== first) continue;
    // A link to another list has none of its items.
    if (!twice.page.ids.some((id) => known.has(id))) continue;
    const count = twice.lacks.length;
    throw failure(
      twice.page,
      say`a page that begins with ${show(first)}`,
      say`${counted(count, 'items')} ${be(count)} missing from the stated next page; first missing: ${show(first)}`,
      say`${returned(twice.page)}; ${twice.from} states it as ${describeWay(way)}, and its next page by ${describeWay(audited.list.profile.next)} begins with ${show(first)}`,
      say`Let the stated next page begin right after the last item of the page that states it.`,
    );
  }
}

/** Whether a target has places to fill in (RFC 6570): it is no link, and a client does not follow it. */
const isTemplate = (target: string): boolean => /[{}]|%7[bd]/i.test(target);

/** The page of a link, and the first items of the next page that it lacks. */
interface Lacking {
  readonly page: Page;
  readonly from: Text;
  readonly lacks: readonly string[];
}

async function lackedBy({ list }: Audited, way: Way, target: string): Promise<Lacking | undefined> {
  const answer = await list.session.get(target);
  const from = list.read(answer);
  const stating = new List({ ...list.profile, next: way }, list.session);
  const to = stating.nextOf(way, answer, stating.itemsIn(answer));
  if (!isPage(from) || from.next === undefined || to === undefined || to === from.next) return undefined;
  // Another origin has another list.
  if (isTemplate(to) || stating.leadsElsewhere(way, answer)) return undefined;
  const page = await stating.probe(to);
  const next = await list.probe(from.next);
  if (!isPage(page) || !isPage(next) || page.ids.length === 0) return undefined;
  const held = new Set(page.ids);
  const end = next.ids.findIndex((id) => held.has(id));
  return { page, from: answer.request, lacks: end < 0 ? next.ids : next.ids.slice(0, end) };
}

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
  if (target === undefined || isTemplate(target)) return undefined;
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
