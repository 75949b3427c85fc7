/** Rules of a list that the user's own commands change between two pages. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply, Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { withCommand } from './list-rule.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { isBroken } from './bad-values.ts';
import { MOVES, perform, withId } from './commands.ts';
import { findingOf, returned, show } from './finding.ts';
import type { List, Page } from './list.ts';
import { differenceOf, doublesIn, gapOf, isPast, walk } from './walk.ts';
import type { Walk } from './walk.ts';

// Of a long list, the pages at its head are read.
const PAGES = 8;
const MAX_SIZE = 20;
const MIN_LENGTH = 8;
const MAX_REQUESTS = 4 * PAGES;

/** Changes the list after some pages. @param before what the list had before. @returns the id that was removed. */
type Move = (pages: readonly Page[], before: Walk) => Promise<string | undefined>;

/** What is wrong with a reading. A rejected cursor, and pages by number that shift, may be intended. */
interface Fault {
  readonly finding: Finding<Text>;
  readonly is: 'rejected' | 'shifted' | 'wrong';
}

/** Reads the list, and changes it after each of its first pages. */
async function walkWith(
  list: List,
  size: number | undefined,
  moves: readonly (() => Promise<void>)[],
  pages: Page[],
): Promise<Walk> {
  let walked = await walk(list, size, list.first(size), Infinity, 1);
  pages.push(...walked.pages);
  for (const [at, move] of moves.entries()) {
    const next = pages.at(-1)?.next;
    if (walked.ending !== 'bound' || next === undefined) break;
    await move();
    walked = await walk(list, size, next, Infinity, at === moves.length - 1 ? PAGES : 1);
    pages.push(...walked.pages);
  }
  const { broken } = walked;
  const ids = pages.flatMap((it) => it.ids);
  if (broken !== undefined && isPast(list, broken)) return { ...walked, pages, ids, ending: 'end', broken: undefined };
  return { ...walked, pages, ids };
}

/** @returns what is wrong with a reading during which the list is changed. @throws NotChecked if the list does not show the change. */
async function faultOf(
  audited: Audited,
  what: Text,
  moves: readonly Move[],
  mayReject = false,
): Promise<Fault | undefined> {
  const { list } = audited;
  if (list.session.left < MAX_REQUESTS) throw new NotChecked(say`too few requests are left (--max-requests)`);
  const { reference } = await audited.walks();
  const size =
    audited.size && Math.max(audited.probe ?? 2, Math.min(audited.size, MAX_SIZE, Math.ceil(reference.ids.length / 6)));
  const before = await walk(list, size, list.first(size), Infinity, PAGES);
  if (before.ids.length < MIN_LENGTH || before.pages.length <= moves.length)
    throw new NotChecked(
      say`a list of ${counted(before.ids.length, 'items')} is too short to be changed between its pages`,
    );
  const pages: Page[] = [];
  const gone: string[] = [];
  const changes = moves.map((move) => async () => {
    const id = await move(pages, before);
    if (id !== undefined) gone.push(id);
  });
  const walked = await walkWith(list, size, changes, pages);
  const after = await walk(list, size, list.first(size), Infinity, PAGES + moves.length);
  const [had, has] = [new Set(before.ids), new Set(after.ids)];
  const kept = gone.find((id) => has.has(id));
  if (kept !== undefined)
    throw new NotChecked(say`the list still has ${show(kept)}, which --remove should have removed`);
  const added = after.ids.filter((id) => !had.has(id));
  if (gone.length === 0 && added.length === 0) throw new NotChecked(say`no item of --add is in the list`);
  for (const id of added) audited.added.add(id);

  const { broken, ending } = walked;
  const fault = (
    is: Fault['is'],
    of: Parameters<typeof findingOf>[0],
    actual: Text,
    detail: Text,
    difference?: Text,
  ): Fault => ({
    is,
    finding: findingOf(of, say`each of the other items once`, say`${actual} ${what}${detail}`, difference),
  });
  if (broken !== undefined) {
    const isRejected = !isBroken(broken);
    if (isRejected && mayReject) return undefined;
    return fault(isRejected ? 'rejected' : 'wrong', broken, say`the next page fails`, say`: ${broken.reason}`);
  }
  const others = counted(before.ids.length - gone.length, 'other items');
  const doubles = doublesIn(walked.ids).filter((id) => had.has(id) && has.has(id));
  const [double] = doubles;
  if (double !== undefined) {
    const page = pages.findLast((it) => it.ids.includes(double));
    const start = pages[0]?.ids[0] ?? '';
    const isRestart = doubles.includes(start) && page?.ids.includes(start) === true;
    const count = say`${doubles.length} of ${others} ${be(doubles.length)} repeated`;
    const detail = isRestart ? say`` : say`; first repeated: ${show(double)}`;
    return fault('shifted', page, isRestart ? say`the list starts over` : count, detail, returned(page));
  }
  const lost = differenceOf(walked, before).lacks.filter((id) => has.has(id));
  const [first] = lost;
  if (first !== undefined) {
    const { page } = gapOf(pages, first, before.ids);
    const actual = say`${lost.length} of ${others} ${be(lost.length)} missing`;
    return fault('shifted', page, actual, say`; first missing: ${show(first)}`, returned(page));
  }
  return ending === 'endless' ? fault('wrong', pages.at(-1), say`the list does not end`, say``) : undefined;
}

/** @throws Failure if a fault repeats; Noted if it may be intended. */
async function requireNoFault(...[audited, ...moved]: Parameters<typeof faultOf>): Promise<void> {
  const fault = (await faultOf(audited, ...moved)) && (await faultOf(audited, ...moved));
  if (fault === undefined) return;
  const isNumber = (await audited.position()) !== undefined;
  const isWanted = fault.is === 'rejected' || (fault.is === 'shifted' && isNumber);
  throw isWanted ? new Noted(fault.finding) : new Failure(fault.finding);
}

const removing = async ({ commands }: Audited, id: string): Promise<string> => {
  await perform(commands, 'remove', (line) => withId(line, id));
  return id;
};

const insert: Rule = {
  id: 'change.insert',
  title: 'an item that is added between two pages costs no other item',
  on: withCommand('add'),
  changes: true,
  dependsOn: ['items.missing', 'items.repeated'],
  why: 'A client that reads the list while it grows misses items, or gets some twice.',
  change: 'Continue from the sort value and the id of the last item, not from its place in the list.',
  notes:
    'With page numbers or offsets, shifted pages are only a note. So is a cursor that the server rejects after the change.',
  check: async (audited) => {
    const add: Move = async () => {
      await perform(audited.commands, 'add');
      return undefined;
    };
    await requireNoFault(
      audited,
      say`after an item was added between two pages`,
      Array.from({ length: MOVES }, () => add),
    );
  },
};

const remove: Rule = {
  id: 'change.remove',
  title: 'an item that is removed between two pages costs no other item',
  on: withCommand('remove'),
  changes: true,
  dependsOn: ['items.missing', 'items.repeated', 'change.insert'],
  why: 'A client that reads the list while it shrinks misses items that were there all the time.',
  change: 'Continue from the sort value and the id of the last item, not from its place in the list.',
  notes: 'Notes are as for `change.insert`.',
  check: async (audited) => {
    const gone = new Set<string>();
    // One that was read, and is not the one that the cursor names. Those that `--add` has added go first.
    const move: Move = async (pages) => {
      const read = pages.flatMap((it) => it.ids).slice(0, -1);
      const left = read.filter((id) => !gone.has(id));
      const id = left.find((it) => audited.added.has(it)) ?? left[0];
      if (id === undefined) throw new NotChecked(say`the pages are too short: each has one item`);
      gone.add(id);
      return removing(audited, id);
    };
    await requireNoFault(
      audited,
      say`after an item was removed between two pages`,
      Array.from({ length: MOVES }, () => move),
    );
  },
};

const gone: Rule = {
  id: 'cursor.removed-item',
  title: 'a cursor whose item is removed continues after it, or is rejected',
  on: withCommand('remove'),
  changes: true,
  dependsOn: ['change.remove'],
  why: 'A client at this item starts over, stops, or fails, and cannot know why.',
  change: 'Put the sort value into the cursor, and compare with it, so that the item itself is not needed.',
  check: async (audited) => {
    if ((await audited.position()) !== undefined) throw new DoesNotApply(say`page numbers and offsets name no item`);
    const last: Move = (pages) => removing(audited, pages.at(-1)?.ids.at(-1) ?? '');
    const next: Move = (pages, before) => removing(audited, before.ids[pages[0]?.ids.length ?? 0] ?? '');
    await requireNoFault(audited, say`after the last item of a page was removed`, [last], true);
    await requireNoFault(audited, say`after the first item of the next page was removed`, [next], true);
  },
};

export const MOVE_RULES: readonly Rule[] = [insert, remove, gone];
