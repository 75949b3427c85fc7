/** Rules of values that make no sense: cursors, positions and sizes. */
import { Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import type { Audited, Rule } from './audited.ts';
import { isPage, plainId } from './list.ts';
import type { Page } from './list.ts';
import type { Answer } from './session.ts';
import { paramsOf, withParam, withRaw } from './target.ts';
import { show, showAll } from './walk-rules.ts';

const OVER_INT64 = '9223372036854775808';
const MUCH = 1000;

/** @returns the pairs of a parameter that bring out most errors: their names for messages, and what the query has. */
function unusual(name: string, usual: string): readonly (readonly string[])[] {
  const encoded = encodeURIComponent(name);
  const value = encodeURIComponent(usual);
  return [
    [`${encoded}=%00`],
    [`${encoded}=%F0%9F%A6%8A`],
    [`${encoded}=${'a'.repeat(MUCH)}`],
    [`${encoded}=${OVER_INT64}`],
    [`${encoded}=${'9'.repeat(40)}`],
    [`${encoded}=${value}`, `${encoded}=${value}`],
    [`${encoded}%5B%5D=${value}`],
    [`${encoded}%5Ba%5D=${value}`],
    [`${encoded}=%zz`],
  ];
}

export const isBroken = ({ status }: Answer): boolean => status === 0 || status >= 500;

/** Requests each of the targets. @throws Failure if a response is a 5xx, or there is none, and again the second time. */
async function requireNoError({ list: { session } }: Audited, targets: readonly string[]): Promise<void> {
  const findings: Finding[] = [];
  for (const target of targets) {
    const answer = await session.get(target);
    if (!isBroken(answer)) continue;
    const again = await session.get(target);
    if (!isBroken(again)) continue;
    findings.push({
      request: answer.request,
      expected: 'a 4xx, or a page',
      actual: `${answer.request} is ${again.failure === undefined ? String(again.status) : `not answered: ${again.failure}`}`,
    });
  }
  const [first, ...others] = findings;
  if (first !== undefined) throw new Failure(first, ...others);
}

/** The cursor of the second page, and its parameter. @throws NotChecked if the list has none. */
export async function cursorOf(
  audited: Audited,
): Promise<{ readonly param: string; readonly value: string; readonly first: Page }> {
  const cursor = await audited.cursor();
  const first = await audited.firstPage(audited.probe);
  const value = cursor === undefined ? undefined : paramsOf(first.next ?? '').get(cursor.param);
  if (cursor === undefined || value === undefined) throw new NotChecked('no parameter that holds a cursor is known');
  if (cursor.kind !== 'cursor') throw new NotChecked('the list has page numbers or offsets, not cursors');
  return { param: cursor.param, value, first };
}

/** Values that sort low and high, one that is well-formed base64, and a real one with another end. */
const invalidValues = (value: string): readonly string[] => ['0', '!', 'zzzzzzzz', 'cD0yMDI0', damaged(value)];

function damaged(value: string): string {
  const half = value.slice(0, Math.ceil(value.length / 2));
  return `${half}${half.endsWith('x') ? 'y' : 'x'}`;
}

const CURSOR_WHY = 'A client with a stale or broken cursor cannot tell that it is';
const CURSOR_CHANGE = 'Reject a cursor that you did not give with a 4xx that says so.';

const invalid: Rule = {
  id: 'cursor.invalid',
  title: 'an invalid cursor is never a 5xx',
  why: 'A client that sends a broken cursor retries for ever, and your alarms ring for its fault.',
  change: 'Catch the error where the cursor is decoded, and reject it with a 4xx.',
  check: async (audited) => {
    const { param, value, first } = await cursorOf(audited);
    const second = first.next ?? '';
    const values = [...invalidValues(value), 'null', '-1'].map((it) => withParam(second, param, it));
    const { previous } = audited.list.profile;
    const back =
      previous !== undefined && 'id' in previous
        ? invalidValues(value).map((it) => withParam(first.target, previous.id, it))
        : [];
    await requireNoError(audited, [
      ...values,
      ...unusual(param, value).map((it) => withRaw(second, param, ...it)),
      ...back,
    ]);
  },
};

type Effect = 'first' | 'empty' | 'error' | 'other';

/** @returns what each of some values of the cursor does. */
async function effectsOf(
  audited: Audited,
  { param, first }: { readonly param: string; readonly first: Page },
  values: readonly string[],
): Promise<
  readonly {
    readonly value: string;
    readonly effect: Effect;
    readonly page: Page | undefined;
    readonly request: string;
  }[]
> {
  const effects = [];
  for (const value of values) {
    const page = await audited.list.page(withParam(first.next ?? '', param, value));
    const effectOf = ({ ids }: Page): Effect =>
      ids.length === 0
        ? 'empty'
        : ids.length === first.ids.length && ids.every((it) => first.ids.includes(it))
          ? 'first'
          : 'other';
    effects.push({
      value,
      effect: isPage(page) ? effectOf(page) : 'error',
      page: isPage(page) ? page : undefined,
      request: isPage(page) ? page.request : page.answer.request,
    } as const);
  }
  return effects;
}

const restart: Rule = {
  id: 'cursor.restart',
  title: 'an invalid cursor does not silently return the first page',
  dependsOn: ['cursor.invalid'],
  why: `${CURSOR_WHY}: it reads the whole list again, and takes every item for a new one.`,
  change: CURSOR_CHANGE,
  notes:
    'It fails if values that sort low and high and a damaged cursor all return the first page. `null` alone that does is a note.',
  check: async (audited) => {
    const cursor = await cursorOf(audited);
    const effects = await effectsOf(audited, cursor, invalidValues(cursor.value));
    const last = effects.at(-1);
    if (effects.every(({ effect }) => effect === 'first'))
      throw new Failure({
        request: last?.request ?? '',
        expected: 'a 4xx',
        actual: `an invalid cursor returns the first page, without an error`,
        difference: `returned ${showAll(cursor.first.ids)}, as without a cursor; so did ${effects
          .slice(0, -1)
          .map(({ value }) => value)
          .join(', ')}`,
      });
    const isStrict = effects.filter(({ effect }) => effect === 'error').length > 1;
    const [odd] = isStrict
      ? (await effectsOf(audited, cursor, ['null', 'undefined'])).filter(({ effect }) => effect === 'first')
      : [];
    if (odd !== undefined)
      throw new Noted({
        request: odd.request,
        expected: 'a 4xx',
        actual: `\`${cursor.param}=${odd.value}\` returns the first page`,
      });
  },
};

const cursorEnd: Rule = {
  id: 'cursor.end',
  title: 'an invalid cursor does not silently end the list',
  dependsOn: ['cursor.invalid'],
  why: `${CURSOR_WHY}: the list looks finished, and the items behind it are lost.`,
  change: CURSOR_CHANGE,
  notes:
    'It fails if values that sort low and high and a damaged cursor all return an empty page. If some do, and none is rejected, it is a note.',
  check: async (audited) => {
    const cursor = await cursorOf(audited);
    const effects = await effectsOf(audited, cursor, invalidValues(cursor.value));
    const empty = effects.filter(({ effect }) => effect === 'empty');
    const [first] = empty;
    if (first === undefined) return;
    const finding = {
      request: first.request,
      expected: 'a 4xx',
      actual: 'an invalid cursor returns an empty page, without an error: the list looks finished',
      difference: `returned nothing; so did ${empty
        .slice(1)
        .map(({ value }) => value)
        .join(', ')}`,
    };
    if (empty.length === effects.length) throw new Failure(finding);
    if (empty.length > 2 && effects.every(({ effect }) => effect !== 'error')) throw new Noted(finding);
  },
};

const position: Rule = {
  id: 'position.invalid',
  title: 'a page number or an offset that makes no sense is never a 5xx',
  why: 'Anybody can make your alarms ring with a URL.',
  change: 'Check the number before the database gets it, and reject it with a 4xx.',
  check: async (audited) => {
    const found = await audited.position();
    if (found === undefined) throw new NotChecked('the list has no page numbers or offsets');
    const { param } = found;
    const first = await audited.firstPage(audited.probe);
    const usual = paramsOf(first.next ?? '').get(param) ?? '2';
    const values = ['0', '-1', 'abc', '1.5', '', '1e3'].map((it) => withParam(first.target, param, it));
    await requireNoError(audited, [
      ...values,
      ...unusual(param, usual).map((it) => withRaw(first.target, param, ...it)),
    ]);
  },
};

const size: Rule = {
  id: 'size.invalid',
  title: 'a size that makes no sense is never a 5xx',
  why: 'Anybody can make your alarms ring with a URL.',
  change: 'Check the size before the database gets it, and reject it with a 4xx.',
  notes: 'A size of 0 or less that returns items is a note.',
  check: async (audited) => {
    const { size: declared } = audited.list.profile;
    if (declared === undefined) throw new NotChecked('no size that changes the pages is known (--size)');
    const { param } = declared;
    const start = audited.list.first();
    const values = ['abc', '1.5', '', '1e3'].map((it) => withParam(start, param, it));
    const odd = ['0', '-1'].map((it) => withParam(start, param, it));
    await requireNoError(audited, [
      ...odd,
      ...values,
      ...unusual(param, '2').map((it) => withRaw(start, param, ...it)),
    ]);
    const usual = await audited.list.page(start);
    const usualLength = isPage(usual) ? usual.ids.length : 0;
    for (const [at, target] of odd.entries()) {
      const page = await audited.list.page(target);
      if (!isPage(page)) continue;
      const isNegative = at === 1;
      // A list may ignore the size and return its usual page.
      const { length } = page.ids;
      if (length > 0 && (isNegative ? length === usualLength : length <= usualLength)) continue;
      throw new Noted({
        request: page.request,
        expected: 'a 4xx',
        actual: `a size of ${isNegative ? '-1' : '0'} returns ${page.ids.length === 0 ? 'an empty page' : `${String(page.ids.length)} items`}`,
      });
    }
  },
};

const beyond: Rule = {
  id: 'end.beyond',
  title: 'there are no items beyond the end',
  dependsOn: ['walk.ends', 'walk.errors'],
  why: 'A client that reads until a page is empty never stops, or takes items for new ones.',
  change: 'Return an empty page, or a 4xx, for a position behind the last item.',
  check: async (audited) => {
    const { next } = audited.list.profile;
    const found = await audited.position();
    if (found === undefined && !('id' in next))
      throw new NotChecked('the list has tokens, and none leads beyond the end');
    // Numbers move while items are added: where the list ends now. The last id stays the last, or has new ones behind it.
    const { again } = await audited.walks();
    if (found !== undefined) audited.requireLeft(again.pages.length);
    const reference = found === undefined ? again : await audited.whole();
    if (reference.ending !== 'end') throw new NotChecked('the end of the list was not reached (--max-requests)');
    const last = reference.ids.at(-1) ?? '';
    const targets: string[] = [];
    if (found?.kind === 'page') {
      const beyondPage = reference.pages.length + ('page' in next && next.first === 0 ? 1 : 2);
      targets.push(
        ...[beyondPage, beyondPage + MUCH].map((it) => withParam(audited.list.first(audited.size), found.param, it)),
      );
    } else if (found?.kind === 'offset')
      targets.push(
        ...[0, MUCH].map((it) =>
          // Items that came twice have places, too.
          withParam(audited.list.first(audited.size), found.param, reference.ids.length + it),
        ),
      );
    else if ('id' in next) targets.push(withParam(audited.list.first(audited.size), next.id, plainId(last)));
    await requireNoError(audited, targets);
    for (const target of targets) {
      const page = await audited.list.page(target);
      if (!isPage(page) || page.ids.length === 0) continue;
      const finding = {
        request: page.request,
        expected: 'no items, or a 4xx',
        actual: `beyond the end there are ${String(page.ids.length)} items; the first is ${show(page.ids[0] ?? '')}`,
        difference: `returned ${showAll(page.ids)}`,
      };
      // Items that were added meanwhile may stand there.
      if (page.ids.every((it) => reference.ids.includes(it))) throw new Failure(finding);
    }
  },
};

export const VALUE_RULES: readonly Rule[] = [size, beyond, invalid, restart, cursorEnd, position];
