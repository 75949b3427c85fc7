/** Rules of what a profile promises of page sizes and of the order. */
import { counted } from '../../contract/wording.ts';
import { DoesNotApply, NotChecked, forEach } from '../rules/rule.ts';
import { code, joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { allWalks } from './audited.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { isBroken } from './bad-values.ts';
import { bundled, excerpt, failure, findingOf, note, show, throwAny } from './finding.ts';
import type { Caused } from './finding.ts';
import { isPage } from './list.ts';
import type { NoPage, Page } from './list.ts';
import { Order, propertyOf } from './order.ts';
import { paramsOf, withParam } from './target.ts';
import { walk } from './walk.ts';
import type { Walk } from './walk.ts';

/** Invalid page sizes. */
const NO_SIZES = ['0', '-1', 'abc'];

/** @returns what a response is instead. */
const lengthOf = (page: Page | NoPage): Text =>
  isPage(page) ? say`returned ${counted(page.ids.length, 'items')}` : say`returned ${page.reason}`;

const usual: Rule = {
  id: 'size.default',
  title: 'without a page size, every page has the promised default number of items',
  on: { by: '`default` in `--size`', isDeclaredIn: ({ size }) => size?.default !== undefined },
  why: 'Clients that rely on the documented default get pages that do not fit, or stop too early.',
  change: 'Apply the default on every page, with a cursor too, or document the real one.',
  check: async (audited) => {
    const { list } = audited;
    const { default: size = 0, param } = list.requireSize();
    if (paramsOf(list.first()).has(param)) throw new NotChecked(say`the URL sets ${code(param)}`);
    const { reference } = await audited.walks();
    const { pages } = await walk(list, undefined, list.first(), Infinity, 3);
    const requireUsual = (page: Page, isLast: boolean, which: Text): void => {
      const { length } = page.ids;
      if (isLast ? length <= size : length === size) return;
      const actual = say`${which} has ${counted(length, 'items')} without a page size, not the promised ${size}`;
      throw failure(page, say`${counted(size, 'items')}`, actual);
    };
    const left = (page: Page): number => reference.ids.length - reference.ids.indexOf(page.ids.at(-1) ?? '') - 1;
    for (const [at, page] of pages.entries())
      if (page.ids.length > 0) requireUsual(page, left(page) <= 0, say`page ${at + 1}`);
    const third = pages[2];
    const target = third && (list.before(third.ids[0] ?? '') ?? third.previous);
    const back = target === undefined ? undefined : await list.page(target);
    if (back !== undefined && isPage(back)) requireUsual(back, false, say`the page before page 3`);
  },
};

const rejected: Rule = {
  id: 'size.not-rejected',
  title: 'a page size above the maximum, or an invalid one, is rejected, as promised',
  on: {
    by: '`above: reject` or `invalid: reject` in `--size`',
    isDeclaredIn: ({ size }) => size?.above === 'reject' || size?.invalid === 'reject',
  },
  why: 'A client that requests more than it gets takes the page for the whole list.',
  change: 'Reject such a page size with a 4xx that names the range, on every page.',
  check: async (audited) => {
    const { list } = audited;
    const { param, max = 0, above, invalid } = list.requireSize();
    const { next, target: first } = await audited.firstPage(audited.probe);
    const values = [...(above === 'reject' ? [max + 1, 10 * max] : []), ...(invalid === 'reject' ? NO_SIZES : [])];
    const targets = [first, ...(next === undefined ? [] : [next])];
    const asked = values.flatMap((value) =>
      targets.map((target) => ({ value, target: withParam(target, param, value) })),
    );
    const found: Caused[] = [];
    for (const { value, target } of asked) {
      const page = await list.probe(target);
      if (!isPage(page) && !isBroken(page)) continue;
      const what = isPage(page) ? say`was not rejected, and ${lengthOf(page)}` : lengthOf(page);
      const finding = findingOf(page, say`a 4xx`, say`${code(`${param}=${String(value)}`)} ${what}`);
      found.push({ is: isPage(page) ? say`were not rejected` : say`returned ${page.reason}`, finding });
    }
    throwAny(bundled(found, say`of ${asked.length} such page sizes`));
  },
};

const clamped: Rule = {
  id: 'size.not-clamped',
  title: 'a page size above the maximum means the maximum, an invalid one the default',
  on: {
    by: '`above: clamp` or `invalid: default` in `--size`',
    isDeclaredIn: ({ size }) => size?.above === 'clamp' || size?.invalid === 'default',
  },
  why: 'Clients rely on the documented page size.',
  change: 'Apply the promised page size on every page, or document what happens.',
  check: async (audited) => {
    const { list } = audited;
    const { param, max = 0, above, invalid } = list.requireSize();
    const cases = [
      ...(above === 'clamp' ? [max + 1, 10 * max].map((it) => [it, list.first(max)] as const) : []),
      ...(invalid === 'default' ? NO_SIZES.map((it) => [it, list.first()] as const) : []),
    ];
    await forEach(cases, async ([value, target]) => {
      const usual = await list.page(target);
      if (!isPage(usual)) throw new NotChecked(say`${usual.request} returned ${usual.reason}`);
      const page = await list.probe(withParam(target, param, value));
      if (isPage(page) && page.ids.join() === usual.ids.join()) return;
      const { request } = usual;
      const its = say`the ${counted(usual.ids.length, 'items')} of ${request}`;
      const actual = say`${code(`${param}=${String(value)}`)} ${lengthOf(page)}, not ${its}`;
      throw failure(page, say`the page of ${request}`, actual);
    });
  },
};

/** An item of a reading, with the values of the promised properties. */
interface Placed {
  readonly id: string;
  readonly page: Page;
  readonly values: readonly unknown[];
}

/** @returns the items of a reading, each where it comes first: a list that grows repeats some. */
function placesIn({ pages }: Walk, names: readonly string[]): readonly Placed[] {
  const seen = new Set<string>();
  return pages.flatMap((page) =>
    page.ids.flatMap((id, at) =>
      seen.size === seen.add(id).size ? [] : [{ id, page, values: names.map((name) => page.values[name]?.[at]) }],
    ),
  );
}

/** @throws Failure or Noted if neighbors are in the wrong order by the first property, or by a later one. */
async function requireOrder(audited: Audited, isTie: boolean): Promise<void> {
  const { order: keys = [], filter } = audited.list.profile;
  const names = keys.map(propertyOf);
  const all = [audited, ...(filter === undefined ? [] : [audited.filtered])];
  const walks = (await Promise.all(all.map(allWalks))).flat().map((it) => placesIn(it, names));
  const order = new Order(
    keys,
    walks.flatMap((places) => places.map((it) => it.values)),
  );
  const inWalks = walks.map((places) =>
    places.slice(1).flatMap((later, at) => {
      const earlier = places[at];
      if (earlier === undefined) return [];
      const found = order.misplacementOf(earlier.values, later.values);
      return found === undefined || found.depth > 0 !== isTie ? [] : [{ ...found, earlier, later }];
    }),
  );
  const wrong = inWalks.find((it) => it.some(({ isSure }) => isSure)) ?? inWalks.find((it) => it.length > 0) ?? [];
  const worst = wrong.find((it) => it.isSure) ?? wrong[0];
  const key = keys[worst?.depth ?? 0];
  if (worst === undefined || key === undefined) {
    if (isTie && !order.hasTies) throw new DoesNotApply(say`no two neighbors have the same ${code(names[0] ?? '')}`);
    return;
  }
  const { earlier, later, depth, isSure } = worst;
  const name = code(propertyOf(key));
  const direction = key.by.startsWith('-') ? 'descending' : 'ascending';
  const valued = ({ id, values }: Placed): Text => say`${show(id)} (${name} ${excerpt(values[depth])})`;
  const others = wrong.length > 1 ? say`, and ${counted(wrong.length - 1, 'more pairs')} too` : '';
  const same = isTie ? say`, and has the same ${joined(names.slice(0, depth).map(code), ' and ')}` : '';
  const hint = isTie
    ? say`; if its whole seconds hide no fraction, promise { by: ${quote(keys[0]?.by ?? '')}, type: time }`
    : say`; servers sort strings in many ways: if all agree on these, promise { by: ${quote(key.by)}, type: text }`;
  throw (isSure ? failure : note)(
    later.page,
    say`${name} ${direction}`,
    say`${valued(later)} comes after ${valued(earlier)}${same}${others}; ${name} is promised ${direction}${isSure ? '' : hint}`,
    later.page === earlier.page
      ? undefined
      : say`begins with ${show(later.id)}; ${earlier.page.request} ends with ${show(earlier.id)}`,
  );
}

const declared: Rule = {
  id: 'order.wrong',
  title: 'the list is sorted by the first promised property, with every page size',
  dependsOn: ['end.never', 'items.repeated'],
  on: { by: '`--order`', isDeclaredIn: ({ order }) => order !== undefined },
  why: 'A client that reads until it finds a known item stops too early, and misses the rest.',
  change: 'Sort by this property in the query, by its value and not by its string.',
  notes:
    'Strings without a `type` are a note: servers sort them in many ways. `type: text` compares only what all collations agree on, `type: bytes` code points. Times without a zone are compared if they are an hour apart.',
  check: (audited) => requireOrder(audited, false),
};

const ties: Rule = {
  id: 'order.ties',
  title: 'items that are equal in one promised property are sorted by the next',
  dependsOn: ['end.never', 'items.repeated', 'order.wrong'],
  on: { by: 'several properties in `--order`', isDeclaredIn: ({ order = [] }) => order.length > 1 },
  why: 'Equal items change places between two requests, so that a page repeats one and misses another.',
  change:
    'Add the next property to the order of the query and to the comparison of the cursor, in the promised direction.',
  notes: 'Equal times in whole seconds may hide a fraction: without `type: time`, they are a note.',
  check: (audited) => requireOrder(audited, true),
};

export const DECLARED_RULES: readonly Rule[] = [usual, rejected, clamped, declared, ties];
