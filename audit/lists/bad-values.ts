/** Rules of values that make no sense: cursors, positions and sizes. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { code, joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { bundled, failure, findingOf, note, returned, show, throwAny, withSize } from './finding.ts';
import type { Caused } from './finding.ts';
import { probeOf } from './infer/sizes.ts';
import { isPage, plainId } from './list.ts';
import type { NoPage, Page } from './list.ts';
import type { Cursor } from './position.ts';
import type { Answer } from './session.ts';
import { paramsOf, withParam, withRaw } from './target.ts';
import { requireEnd } from './walk.ts';
import type { Walk } from './walk.ts';

const MUCH = 1000;
// Zero, a character beyond 16 bits, a long text, the most of 32 bits, more than 64 bits, and many digits.
const RAW = ['%00', '%F0%9F%A6%8A', 'a'.repeat(MUCH), '2147483647', '9223372036854775808', '9'.repeat(40)];

/** @returns requests with these values of a parameter, and with those that bring out most errors. */
function withValues(target: string, param: string, usual: string, values: readonly string[]): readonly string[] {
  const [name, value] = [encodeURIComponent(param), encodeURIComponent(usual)];
  const pairs = [
    ...RAW.map((it) => `=${it}`),
    `=${value}&${name}=${value}`,
    `%5B%5D=${value}`,
    `%5Ba%5D=${value}`,
    '=%zz',
  ];
  return [
    ...values.map((it) => withParam(target, param, it)),
    ...pairs.map((it) => withRaw(target, param, `${name}${it}`)),
  ];
}

export const isBroken = ({ status }: Answer): boolean => status < 200 || status >= 500;

/** Requests each of the targets. @param what they are. @throws Failure if a response is a 5xx, or there is none, and again the second time. */
async function requireNoError(
  { list: { session } }: Audited,
  targets: readonly string[],
  what: 'invalid cursors' | 'invalid positions' | 'invalid page sizes' | 'positions after the end',
): Promise<void> {
  const found: Caused[] = [];
  for (const target of targets) {
    const answer = await session.get(target);
    if (!isBroken(answer)) continue;
    const again = await session.get(target);
    if (!isBroken(again)) continue;
    const is = again.failure === undefined ? say`returned ${again.status}` : say`got no response: ${again.failure}`;
    found.push({ is, finding: findingOf(answer, say`a 4xx, or a page`, say`${answer.request} ${is}`) });
  }
  throwAny(bundled(found, say`of ${targets.length} ${what}`));
}

/** The cursor of the second page, its parameter, and the first page. */
interface CursorValue {
  readonly param: string;
  readonly value: string;
  readonly first: Page;
}

/** @throws NotChecked if the list has no cursors. */
export async function cursorOf(audited: Audited): Promise<CursorValue> {
  const cursor = await audited.cursor();
  const first = await audited.firstPage(audited.probe);
  const value = cursor === undefined ? undefined : paramsOf(first.next ?? '').get(cursor.param);
  const { next } = audited.list.profile;
  const named = 'id' in next ? next.id : 'token' in next ? next.token : cursor?.param;
  if (cursor === undefined || value === undefined)
    throw new DoesNotApply(
      named === undefined
        ? say`no cursor parameter is known`
        : say`no ${code(named)} leads to a second page ${withSize(audited.probe)}`,
    );
  if (cursor.kind !== 'cursor') throw new DoesNotApply(say`the list has page numbers or offsets, not cursors`);
  return { param: cursor.param, value, first };
}

/** Values that sort low and high, one that is well-formed base64, and a real one with another end, unless that would cut a key in it. */
const invalidValues = ({ list: { session } }: Audited, value: string): readonly string[] => [
  ...['0', '!', 'zzzzzzzz', 'cD0yMDI0'],
  ...(session.hides(value) ? [] : [damaged(value)]),
];

function damaged(value: string): string {
  const half = value.slice(0, Math.ceil(value.length / 2));
  return `${half}${half.endsWith('x') ? 'y' : 'x'}`;
}

const CURSOR_CHANGE = 'Reject a cursor that the server did not make with a 4xx.';

const invalid: Rule = {
  id: 'cursor.error',
  title: 'an invalid cursor never causes a 5xx',
  why: 'A client with a broken cursor retries without end, and sets off your alarms.',
  change: 'Catch the error where the cursor is decoded, and reject the cursor with a 4xx.',
  check: async (audited) => {
    const { param, value, first } = await cursorOf(audited);
    const second = first.next ?? '';
    const targets = withValues(second, param, value, [...invalidValues(audited, value), 'null', '-1']);
    const { previous } = audited.list.profile;
    const back = previous !== undefined && 'id' in previous ? [previous.id] : [];
    const others = back.flatMap((it) => invalidValues(audited, value).map((of) => withParam(first.target, it, of)));
    await requireNoError(audited, [...targets, ...others], 'invalid cursors');
  },
};

/** What a value of the cursor does. */
interface Effect {
  readonly value: string;
  readonly page: Page | NoPage;
  readonly is: 'first' | 'empty' | 'error' | 'other';
}

async function effectsOf(
  { list }: Audited,
  { param, first }: CursorValue,
  values: readonly string[],
): Promise<readonly Effect[]> {
  const effectOf = (page: Page | NoPage): Effect['is'] => {
    if (!isPage(page)) return 'error';
    if (page.ids.length === 0) return 'empty';
    return page.ids.length === first.ids.length && page.ids.every((it) => first.ids.includes(it)) ? 'first' : 'other';
  };
  const effects: Effect[] = [];
  for (const value of values) {
    const page = await list.probe(withParam(first.next ?? '', param, value));
    effects.push({ value, page, is: effectOf(page) });
  }
  return effects;
}

const isPlainNumber = (value: string): boolean => /^\d+$/.test(value);

const valuesOf = (effects: readonly Effect[]): Text => joined(effects.map(({ value }) => quote(value)));

const restart: Rule = {
  id: 'cursor.restart',
  title: 'an invalid cursor does not silently return the first page',
  dependsOn: ['cursor.error'],
  why: 'A client with a stale cursor reads the whole list again, and takes every item for new.',
  change: CURSOR_CHANGE,
  notes:
    'It is a failure if low values, high values and a damaged cursor all do so, and a note if only some of them do: a server may compare a cursor as a value.',
  check: async (audited) => {
    const cursor = await cursorOf(audited);
    const effects = await effectsOf(audited, cursor, invalidValues(audited, cursor.value));
    const firsts = effects.filter((it) => it.is === 'first');
    const areAll = firsts.length === effects.length;
    const others = firsts.slice(0, -1);
    // It is a number before the first item, and not invalid.
    const isLow = (it: Effect): boolean => it.value === '0' && isPlainNumber(cursor.value);
    if (!firsts.every(isLow))
      throw (areAll ? failure : note)(
        firsts.at(-1)?.page,
        say`a 4xx`,
        areAll
          ? say`an invalid cursor returns the first page, without an error`
          : say`${firsts.length} of ${effects.length} invalid cursors ${firsts.length === 1 ? 'returns' : 'return'} the first page, without an error`,
        say`${returned(cursor.first)}, as without a cursor${others.length === 0 ? '' : say`; so did ${valuesOf(others)}`}`,
      );
    if (effects.filter((it) => it.is === 'error').length < 2) return;
    const odd = (await effectsOf(audited, cursor, ['null', 'undefined'])).find((it) => it.is === 'first');
    if (odd !== undefined)
      throw note(odd.page, say`a 4xx`, say`${code(`${cursor.param}=${odd.value}`)} returns the first page`);
  },
};

const cursorEnd: Rule = {
  id: 'cursor.end',
  title: 'an invalid cursor does not silently end the list',
  dependsOn: ['cursor.error'],
  why: 'A client with a stale cursor takes the list for complete, and misses the items after the cursor.',
  change: CURSOR_CHANGE,
  notes:
    'It is a failure if low values, high values and a damaged cursor all do so. It is a note if some do and none is rejected, or if the cursor is a plain number.',
  check: async (audited) => {
    const cursor = await cursorOf(audited);
    const effects = await effectsOf(audited, cursor, invalidValues(audited, cursor.value));
    const empty = effects.filter((it) => it.is === 'empty');
    const areAll = empty.length === effects.length;
    if (!areAll && (empty.length < 3 || effects.some((it) => it.is === 'error'))) return;
    // A plain number is compared: whatever is none may count as 0, and nothing is before it.
    throw (areAll && !isPlainNumber(cursor.value) ? failure : note)(
      empty[0]?.page,
      say`a 4xx`,
      say`an invalid cursor returns an empty page, without an error: the list looks complete`,
      say`returned nothing; so did ${valuesOf(empty.slice(1))}`,
    );
  },
};

const position: Rule = {
  id: 'position.error',
  title: 'an invalid page number or offset never causes a 5xx',
  why: 'A wrong URL is enough to set off your alarms.',
  change: 'Check the number before the query, and reject it with a 4xx.',
  check: async (audited) => {
    const found = await audited.position();
    if (found === undefined) throw new DoesNotApply(say`the list has no page numbers or offsets`);
    const { param } = found;
    const first = await audited.firstPage(audited.probe);
    const usual = paramsOf(first.next ?? '').get(param) ?? '2';
    const targets = withValues(first.next ?? first.target, param, usual, ['0', '-1', 'abc', '1.5', '', '1e3']);
    // An error after the end is that of `end.beyond`.
    const { reference } = await audited.walks();
    const isBeyond = (target: string): boolean => Number(paramsOf(target).get(param)) > reference.ids.length;
    const isKnown = reference.past !== undefined && isBroken(reference.past);
    const asked = isKnown ? targets.filter((target) => !isBeyond(target)) : targets;
    await requireNoError(audited, asked, 'invalid positions');
  },
};

const size: Rule = {
  id: 'size.error',
  title: 'an invalid page size never causes a 5xx',
  why: 'A wrong URL is enough to set off your alarms. A client that computes a page size of 0 or less takes an empty page for the end, or gets too many items.',
  change: 'Check the page size before the query, and reject it with a 4xx.',
  notes: 'An empty or unusual page for a page size of 0 or less is a note.',
  check: async (audited) => {
    const { list } = audited;
    const known = list.requireSize();
    const { param } = known;
    const start = list.first();
    await requireNoError(
      audited,
      withValues(start, param, String(probeOf(known)), ['0', '-1', 'abc', '1.5', '', '1e3']),
      'invalid page sizes',
    );
    const usual = await list.page(start);
    const usualLength = isPage(usual) ? usual.ids.length : 0;
    const found: { readonly length: number; readonly finding: Finding<Text> }[] = [];
    for (const value of [0, -1]) {
      const page = await list.probe(list.withSize(start, value));
      if (!isPage(page)) continue;
      // A list may ignore the size and return its usual page.
      const { length } = page.ids;
      if (length > 0 && (value < 0 ? length === usualLength : length <= usualLength)) continue;
      const what = length === 0 ? 'an empty page' : counted(length, 'items');
      found.push({ length, finding: findingOf(page, say`a 4xx`, say`page size ${value} returns ${what}`) });
    }
    const longest = found.sort((one, other) => other.length - one.length);
    throwAny(
      longest.map(({ finding }) => finding),
      Noted,
    );
  },
};

const beyond: Rule = {
  id: 'end.beyond',
  title: 'there are no items after the end',
  dependsOn: ['end.never', 'page.error'],
  why: 'A client that reads until a page is empty never stops, or takes old items for new ones.',
  change: 'Return an empty page, or a 4xx, for a position after the last item.',
  notes: 'It is a note if responses state the next page, because clients then never go past the end.',
  check: async (audited) => {
    const { list } = audited;
    const { next } = list.profile;
    const found = await audited.position();
    const param = found?.param ?? ('id' in next ? next.id : undefined);
    if (param === undefined) throw new DoesNotApply(say`the server, not the client, makes the cursors`);
    // Numbers move while items are added: where the list ends now. The last id stays the last, or new ones come after it.
    const { again } = await audited.walks();
    if (found !== undefined) audited.requireLeft(again.pages.length);
    const reference = found === undefined ? again : await audited.whole();
    requireEnd(reference);
    const isOwn = 'id' in next || 'page' in next || 'offset' in next;
    const base = isOwn || found === undefined ? list.first(audited.size) : await baseOf(audited, found, reference);
    // Repeated items have places, too.
    const { length } = reference.ids;
    const end = (found?.kind === 'page' ? reference.pages.length + 1 : length) + (found?.first ?? 0);
    const values = found === undefined ? [plainId(reference.ids.at(-1) ?? '')] : [end, end + MUCH];
    const targets = values.map((value) => withParam(base, param, value));
    await requireNoError(audited, targets, 'positions after the end');
    for (const target of targets) {
      const page = await list.probe(target);
      // Items that were added meanwhile may stand there.
      if (!isPage(page) || page.ids.length === 0 || !page.ids.every((id) => reference.ids.includes(id))) continue;
      const actual = say`${counted(page.ids.length, 'items')} ${be(page.ids.length)} repeated after the end; first repeated: ${show(page.ids[0] ?? '')}`;
      throw (isOwn ? failure : note)(page, say`no items, or a 4xx`, actual, returned(page));
    }
  },
};

/** @returns the request of page 2, in which a number says where the page begins. @throws NotChecked if another number leads to no other page. */
async function baseOf({ list }: Audited, { param, first }: Cursor, { pages, ids }: Walk): Promise<string> {
  const second = pages[1]?.target ?? '';
  const page = paramsOf(second).has(param) ? await list.probe(withParam(second, param, first)) : undefined;
  if (page === undefined || !isPage(page) || page.ids[0] !== ids[0])
    throw new DoesNotApply(say`the number ${code(param)} of a link does not lead to another page`);
  return second;
}

export const VALUE_RULES: readonly Rule[] = [size, beyond, invalid, restart, cursorEnd, position];
