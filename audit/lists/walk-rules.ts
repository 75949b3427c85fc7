/** Rules of reading the list: it ends, without an error, and every page size returns each item once. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply, Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { code, inOneLine, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { allWalks } from './audited.ts';
import type { Audited } from './audited.ts';
import type { Compared } from './readings.ts';
import type { Rule } from './list-rule.ts';
import { failure, findingOf, note, returned, show, throwAny, withSize } from './finding.ts';
import { requireFlag } from './flag.ts';
import { isPage } from './list.ts';
import type { List, NoPage, Page } from './list.ts';
import { countOf, howOf, lossOf } from './loss.ts';
import { differenceOf, doublesIn, gapOf, isLimited, isRefused, lostIn } from './walk.ts';
import { requireSecond } from './second-rule.ts';
import { hiddenIn } from './sightings.ts';
import { paramsOf } from './target.ts';
import type { Walk } from './walk.ts';

const errors: Rule = {
  id: 'page.error',
  title: 'every page loads',
  why: 'A client cannot read the items after a page that fails.',
  change: 'Look up this request in the server log. The link or cursor that leads to it must work as it is.',
  notes: 'An error that does not repeat is a note.',
  check: async (audited) => {
    for (const { broken, pages, size } of await allWalks(audited)) {
      if (broken === undefined) continue;
      const before = pages.at(-1);
      const actual = say`page ${pages.length + 1} fails ${withSize(size)}: ${broken.reason}`;
      const difference = say`returned ${bodyOf(broken)}${before === undefined ? '' : say`; ${before.request} leads to it${tokenIn(audited.list, broken)}`}`;
      throw isPage(await audited.list.page(broken.target))
        ? note(broken, say`a page`, say`${actual}, but not again`, difference)
        : failure(broken, say`a page`, actual, difference);
    }
  },
};

/** @returns the token that leads to an error: some servers send `"null"` or 0 where there are no more pages. */
function tokenIn({ profile: { next } }: List, { target }: NoPage): Text {
  const token = 'token' in next ? paramsOf(target).get(next.token) : undefined;
  return token === undefined || !('token' in next) ? say`` : say`: its ${code(next.from)} is ${quote(token)}`;
}

/** @returns the body of an error for a message. That of a 2xx may hold items, which are not shown. */
const bodyOf = ({ status, text }: NoPage): Text =>
  status >= 200 && status < 300
    ? say`${text.length} characters`
    : text.trim() === ''
      ? say`nothing`
      : quote(text, undefined, inOneLine);

const ends: Rule = {
  id: 'end.never',
  title: 'reading the list comes to an end',
  why: 'A client that reads the whole list never stops.',
  change: 'On the last page, leave out the next link or cursor.',
  notes: 'An empty page whose token leads back to page 1, as in CouchDB, is a note. So are many empty pages in a row.',
  check: async (audited) => {
    const walks = await allWalks(audited);
    for (const { ending, pages, size, ids } of walks) {
      if (ending !== 'endless') continue;
      const last = pages.at(-1);
      const has = say`page ${pages.length} has a next page, but no new item`;
      const among = last?.ids.length === 0 ? say`` : say`, which earlier pages had`;
      throw failure(
        last,
        say`an end`,
        say`the list does not end ${withSize(size)}: ${has}`,
        say`${returned(last)}${among}; there are ${counted(new Set(ids).size, 'items')}`,
      );
    }
    const restart = walks.find((it) => it.restart !== undefined)?.restart;
    if (restart !== undefined)
      throw note(restart, say`no token`, say`the token of the empty last page leads back to page 1`);
    for (const { ending, pages, size } of walks) {
      const last = pages.at(-1);
      if (ending !== 'bound' || last?.ids.length !== 0) continue;
      const empty = pages.length - 1 - pages.findLastIndex(({ ids }) => ids.length > 0);
      throw note(
        last,
        say`an end`,
        say`${empty} empty pages in a row ${withSize(size)}, and more follow: reading stopped there`,
      );
    }
  },
};

const once: Rule = {
  id: 'items.repeated',
  title: 'no item is repeated',
  dependsOn: ['end.never'],
  why: 'Clients count, import or charge such an item twice.',
  change:
    'Begin each page right after the last item of the previous one, in an order by a value that no two items share.',
  notes: 'Items repeated because the list changes are not counted.',
  check: async (audited) => {
    const { compared, reference, again, second } = await audited.walks();
    const twice: readonly Compared[] = [
      { walk: reference, reference: again, again: () => Promise.resolve(again) },
      ...compared,
      ...(second === undefined ? [] : [second.whole]),
    ];
    const found = twice
      .map((it) => ({ ...it, doubles: doublesIn(it.walk.ids) }))
      .filter(({ doubles }) => doubles.length > 0)
      .sort((one, other) => other.doubles.length - one.doubles.length);
    const failureOf = ({ walk, doubles }: (typeof found)[number], first: string): Finding<Text> => {
      const places = walk.pages.filter((page) => page.ids.includes(first));
      const [early, late] = places;
      return findingOf(
        places.at(-1),
        say`each item once`,
        say`${doubles.length} of ${counted(new Set(walk.ids).size, 'different items')} ${be(doubles.length)} repeated ${howOf(walk)}; first repeated: ${show(first)}`,
        say`returned ${show(first)} ${early === undefined || late === undefined ? 'more than once' : say`again, after ${early.request}`}`,
      );
    };
    const [most] = found;
    const disorder = most && (await audited.disorder());
    if (disorder !== undefined && most !== undefined)
      throw new Failure({ ...failureOf(most, most.doubles[0] ?? ''), ...disorder });
    for (const one of found) {
      const others = found.filter((it) => it !== one).flatMap((it) => it.doubles);
      const first = await stillTwice(audited, one, one.doubles, new Set(others));
      if (first !== undefined) throw new Failure(failureOf(one, first));
    }
  },
};

const MAX_LOOKS = 3;

/**
 * @param others the items that are repeated in other readings.
 * @returns one of the repeated items, if the pages that have it still do, or the reading has it again, as far as that can be read.
 */
async function stillTwice(
  audited: Audited,
  { walk, reference, again }: Compared,
  doubles: readonly string[],
  others: ReadonlySet<string>,
): Promise<string | undefined> {
  for (const id of audited.mayLook(2 * TWICE * MAX_LOOKS) ? doubles.slice(0, MAX_LOOKS) : []) {
    const targets = new Set(walk.pages.filter(({ ids }) => ids.includes(id)).map(({ target }) => target));
    const isTwice = async (): Promise<boolean> => {
      let count = 0;
      for (const target of [...targets].slice(0, 2)) {
        const page = await audited.list.page(target);
        count += isPage(page) ? page.ids.filter((held) => held === id).length : 0;
      }
      return count > 1;
    };
    // A change between the two requests shifts it once more.
    if ((await isTwice()) && (await isTwice())) return id;
  }
  // The last whole reading is at hand.
  const isAtHand = walk.size === reference.size;
  if (!isAtHand && !audited.mayLook(walk.pages.length)) return doubles.find((id) => others.has(id));
  const second = new Set(doublesIn((await again()).ids));
  const still = doubles.filter((id) => second.has(id));
  // Of a list that changes, some are twice again by chance.
  return still.length * 2 >= doubles.length ? still[0] : undefined;
}

const same: Rule = {
  id: 'items.missing',
  title: 'every page size returns the same items',
  dependsOn: ['end.never', 'page.error'],
  why: 'Clients never see some items, and get no error.',
  change:
    'Begin each page right after the last item of the previous one: sort by a value and then by the id, and compare both in the cursor.',
  notes:
    'If items move, it fails only if the same request keeps returning unchanged items in another order; `order.unstable` notes another order. If a flag ends the list after a multiple of 100 items, or of 10 pages, perhaps a limit, the items after it are a note.',
  check: async (audited) => {
    const { reference, compared, again, second } = await audited.walks();
    const known = new Set([...reference.ids, ...again.ids, ...compared.flatMap((it) => it.walk.ids)]);
    const held = new Set(again.ids);
    const losses: Loss[] = [];
    const whole = [reference, again, ...compared.filter((it) => it.reference === reference).map((it) => it.walk)];
    // Behind a limit of the server, a reading has not ended.
    const isBounded = isLimited(whole);
    const bounded = (it: Walk): Walk => (isBounded && isRefused(it) ? { ...it, ending: 'bound' } : it);
    const unsure: (Compared & { readonly missing: readonly string[] })[] = [];
    for (const one of compared) {
      const { walk, reference: other } = one;
      const { lacks, otherLacks } = differenceOf(bounded(walk), bounded(other));
      losses.push({ walk, other, lost: lostIn(walk, lacks, again) });
      const missing = otherLacks.filter((id) => other !== reference || !held.has(id));
      if (missing.length === 0) continue;
      const still = await stillThere(audited, walk, missing);
      if (still.length > 0) losses.push({ walk: other, other: walk, lost: still });
      else unsure.push({ ...one, missing });
    }
    for (const { walk, reference: other, again: readAgain, missing } of unsure) {
      if (losses.some(({ lost }) => lost.length > 0) || !audited.mayLook(walk.pages.length)) break;
      losses.push({ walk: other, other: walk, lost: lostIn(other, missing, await readAgain()) });
    }
    const found = losses.filter(({ lost }) => lost.length > 0).sort((a, b) => b.lost.length - a.lost.length);
    const [worst] = found;
    const disorder = worst && (await audited.disorder());
    const sure = disorder === undefined ? await firstOf(found, (it) => isStillLost(audited, it)) : worst;
    if (sure !== undefined) {
      const { walk, other, lost } = sure;
      const isWhole = whole.includes(walk) && bounded(walk).ending === 'end';
      const count = isWhole ? countOf(walk, known) : { missing: lost.length, all: known.size };
      const { findings } = await lossOf(audited, walk, other, lost, count);
      throw new Failure({ ...findings[0], ...disorder });
    }
    const hidden = await hiddenIn(audited, known);
    if (hidden !== undefined) throw hidden;
    await requireFlag(audited, known);
    if (second !== undefined) await requireSecond(audited, second, again, known);
  },
};

/** Items that a reading lacks, though another one has them, and they are still there. */
interface Loss {
  readonly walk: Walk;
  readonly other: Walk;
  readonly lost: readonly string[];
}

/** @returns the first value that a check holds of. */
async function firstOf<T>(values: readonly T[], check: (value: T) => Promise<boolean>): Promise<T | undefined> {
  for (const value of values) if (await check(value)) return value;
  return undefined;
}

/** Whether the pages between which an item is missing still lack it, twice: what was added for a while has shifted others. */
async function isStillLost(audited: Audited, { walk, other, lost }: Loss): Promise<boolean> {
  const looked = [lost[0], lost[Math.floor(lost.length / 2)], lost.at(-1)];
  for (const id of new Set(looked)) {
    if (id === undefined || !audited.mayProve(2 * TWICE)) return true;
    const { previous, page } = gapOf(walk.pages, id, other.ids);
    const targets = [previous, page].flatMap((it) => it?.target ?? []);
    let isThere = false;
    for (const target of [...targets, ...targets]) {
      const now: Page | NoPage | undefined = isThere ? undefined : await audited.list.page(target);
      isThere ||= now !== undefined && isPage(now) && now.ids.includes(id);
    }
    if (!isThere) return true;
  }
  return false;
}
const TWICE = 2;

/** @returns those of some items that the pages that have shown them still show. */
async function stillThere(audited: Audited, { pages: all }: Walk, ids: readonly string[]): Promise<readonly string[]> {
  if (!audited.mayLook(MAX_LOOKS)) return [];
  const wanted = new Set(ids);
  const still: string[] = [];
  for (const { target } of all.filter((page) => page.ids.some((id) => wanted.has(id))).slice(0, MAX_LOOKS)) {
    const page = await audited.list.page(target);
    if (isPage(page)) still.push(...page.ids.filter((id) => wanted.has(id)));
  }
  return [...new Set(still)];
}

const order: Rule = {
  id: 'order.unstable',
  title: 'the order is the same each time',
  dependsOn: ['end.never', 'page.error'],
  why: 'A client that reads the list again cannot tell what is new.',
  change: 'Sort by a value that no two items share: add the id to the sort value.',
  notes:
    'This rule never fails: another order is a note. If items are missing or repeated because of it, `items.missing` or `items.repeated` fails.',
  check: async (audited) => {
    const { reference, compared, again } = await audited.walks();
    for (const [walk, other] of [
      [again, reference] as const,
      ...compared.map((it) => [it.walk, it.reference] as const),
    ]) {
      const place = new Map(other.ids.map((id, at) => [id, at]));
      const known = walk.ids.filter((id) => place.has(id));
      const at = known.findIndex(
        (id, index) => index > 0 && (place.get(id) ?? 0) < (place.get(known[index - 1] ?? '') ?? 0),
      );
      if (at < 0) continue;
      const id = known[at] ?? '';
      const which =
        walk.size === other.size
          ? say`two readings ${withSize(walk.size)}`
          : say`readings ${withSize(other.size)} and ${withSize(walk.size)}`;
      throw note(
        walk.pages.find((it) => it.ids.includes(id)),
        say`the same order each time`,
        say`the order differs between ${which}: in the second one, ${show(id)} comes after ${show(known[at - 1] ?? '')}`,
      );
    }
  },
};

const pages: Rule = {
  id: 'size.wrong',
  title: 'a page has as many items as were requested',
  dependsOn: ['end.never', 'page.error'],
  why: 'A client may take a short page for the last one and stop. A longer page may not fit.',
  change: 'Return as many items as were requested, except on the last page.',
  notes: 'Longer pages, and short pages before the end, are notes, or failures with `exact: true` in `size`.',
  check: async (audited) => {
    const { compared, reference } = await audited.walks();
    if (compared.length === 0) throw new DoesNotApply(say`no page size is known (--size)`);
    const { exact: isExact = false, max } = audited.list.profile.size ?? {};
    const sized = compared.filter(({ walk }) => walk.size !== undefined);
    for (const walk of [...sized.map((it) => it.walk), ...(isExact && max !== undefined ? [reference] : [])]) {
      const { size = 0 } = walk;
      const page = walk.pages.find(
        ({ ids }, at) => ids.length > size || (ids.length < size && at < walk.pages.length - 2),
      );
      if (page === undefined) continue;
      throw (isExact ? failure : note)(
        page,
        say`${counted(size, 'items')}`,
        say`a page${page.ids.length < size ? ' before the last one' : ''} has ${counted(page.ids.length, 'items')} ${withSize(size)}`,
      );
    }
  },
};

export const WALK_RULES: readonly Rule[] = [errors, ends, once, same, order, pages];

/**
 * Checks the readings of a part of the list, or of the list in another order.
 * @param how it is read, for the findings.
 * @throws Failure as the first rule of readings that does not hold, otherwise Noted as the first one that has a note.
 */
export async function checkReadings(audited: Audited, how: Text): Promise<void> {
  let noted: Noted | undefined;
  for (const rule of WALK_RULES) {
    try {
      await rule.check(audited);
    } catch (error) {
      if (error instanceof Failure) throwAny(within(error.findings, how), Failure);
      // Such a list may be too short for one of them.
      if (!(error instanceof NotChecked || error instanceof Noted)) throw error;
      if (error instanceof Noted) noted ??= error;
    }
  }
  throwAny(within(noted?.findings ?? [], how), Noted);
}

const within = (findings: readonly Finding<Text>[], how: Text): readonly Finding<Text>[] =>
  findings.map((found) => ({ ...found, actual: say`${how}, ${found.actual}` }));
