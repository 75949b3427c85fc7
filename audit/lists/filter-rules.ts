/** Rules of the filter that a profile declares. */
import { be, counted } from '../../contract/wording.ts';
import { DoesNotApply, NotChecked } from '../rules/rule.ts';
import { code, joined, quote, say } from '../rules/text.ts';
import { allWalks } from './audited.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import type { Walks } from './readings.ts';
import { excerpt, failure, show, showAll } from './finding.ts';
import type { Page } from './list.ts';
import { checkReadings } from './walk-rules.ts';
import { lostIn } from './walk.ts';
import type { Walk } from './walk.ts';

const on: Rule['on'] = { by: '`--filter`', isDeclaredIn: ({ filter }) => filter !== undefined };

/** The properties that a filter names, and the values that it wants. */
type Wanted = readonly (readonly [name: string, value: string])[];

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

// Many APIs give such characters a meaning: several values, ranges, patterns.
const isPlain = (value: string): boolean => !/[,*!<>|()%^~]/.test(value);

/** @returns whether a value is the wanted one, whatever its case; `undefined` if it may be another way to write it. */
function isWanted(value: unknown, wanted: string): boolean | undefined {
  if (Array.isArray(value)) return value.some((it) => isWanted(it, wanted) !== false);
  if (value === null || value === undefined) return false;
  if (!isScalar(value)) return undefined;
  if (typeof value === 'boolean' && !/^(true|false)$/i.test(wanted)) return undefined;
  if (typeof value === 'number' && wanted.trim() !== '' && Number(wanted) === value) return true;
  return String(value).toLowerCase() === wanted.trim().toLowerCase();
}

const pagesIn = (walks: readonly Walk[]): readonly Page[] => walks.flatMap(({ pages }) => pages);
/** @returns the first pages of a list. Some readings begin at a later page. */
const firstsOf = ({ reference, compared, again }: Walks): readonly Page[] =>
  [reference, ...compared.filter((it) => it.reference === reference).map((it) => it.walk), again].flatMap(({ pages }) =>
    pages.slice(0, 1),
  );
const valueOf = (page: Page, name: string, at: number): unknown => page.values[name]?.[at];

/** @returns what the filter wants of items. @throws NotChecked if no item has a property that it names. */
export function wantedBy({ list }: Audited, pages: readonly Page[]): Wanted {
  const filter = Object.entries(list.profile.filter ?? {});
  const known = filter.filter(
    ([name, value]) =>
      isPlain(value) && pages.some(({ values }) => values[name]?.some((it) => isScalar(it) || Array.isArray(it))),
  );
  const [[name] = ['']] = filter;
  if (known.length === 0)
    throw new NotChecked(say`no item shows ${code(name)}, or the filter's value may be a pattern`);
  return known;
}

/** @throws Failure if a page has an item that the filter does not want. @param first whether it is a first page. */
export function requireWanted(pages: readonly Page[], wanted: Wanted, first: boolean): void {
  for (const page of pages)
    for (const [name, value] of wanted) {
      const wrong = page.ids.flatMap((id, at) =>
        isWanted(valueOf(page, name, at), value) === false ? [{ id, at }] : [],
      );
      const [found] = wrong;
      if (found === undefined) continue;
      const where = first ? 'the first page' : 'a page with a cursor';
      const have = say`${wrong.length} of ${counted(page.ids.length, 'items')} on ${where} ${wrong.length === 1 ? 'has' : 'have'} another value`;
      throw failure(
        page,
        say`only items with ${code(name)} ${quote(value)}`,
        say`${have} with the filter ${code(`${name}=${value}`)}; the first is ${show(found.id)}, whose ${code(name)} is ${excerpt(valueOf(page, name, found.at))}`,
      );
    }
}

const exact: Rule = {
  id: 'filter.wrong',
  title: 'the filter returns all items that have its value, and no others',
  dependsOn: ['end.never', 'page.error', 'items.missing'],
  on,
  why: 'Clients act on items that they did not request, or never see some that they did.',
  change: 'Filter in the query of the page, by the value that the item shows.',
  notes: 'Letter case does not matter.',
  check: async (audited) => {
    const [whole, some] = [await audited.walks(), await audited.filtered.walks()];
    const known = pagesIn([whole.reference, some.reference]);
    const wanted = wantedBy(audited, known);
    requireWanted(firstsOf(some), wanted, true);
    const has = (page: Page, at: number): boolean =>
      wanted.every(([name, value]) => {
        const actual = valueOf(page, name, at);
        return isScalar(actual) && String(actual) === value;
      });
    const expected = whole.reference.pages.flatMap((page) => page.ids.filter((_, at) => has(page, at)));
    const names = joined(
      wanted.map(([name, value]) => say`${code(name)} ${quote(value)}`),
      ' and ',
    );
    if (whole.reference.ending !== 'end') return;
    const lost = lostIn({ ...some.again, ids: [...some.reference.ids, ...some.again.ids] }, expected, whole.again);
    const [first] = lost;
    if (first !== undefined && some.reference.ending === 'end') {
      const { ids, pages } = some.reference;
      throw failure(
        pages.at(-1),
        say`all items with ${names}`,
        say`${lost.length} of ${counted(expected.length, 'items')} with ${names} ${be(lost.length)} missing with the filter; first missing: ${show(first)}`,
        say`ends the filtered list, which has ${counted(new Set(ids).size, 'items')}: ${showAll(ids)}`,
      );
    }
    if (expected.length + some.reference.ids.length + some.again.ids.length === 0)
      throw new NotChecked(say`no item has ${names}`);
    if (expected.length === whole.reference.ids.length)
      throw new NotChecked(say`every item has ${names}: choose a value that some do not have`);
  },
};

const kept: Rule = {
  id: 'filter.dropped',
  title: 'every page keeps the filter',
  dependsOn: ['filter.wrong'],
  on,
  why: 'Clients get items that they did not request, from page 2 on.',
  change: 'Keep the filter in the next link, and apply it with a cursor too.',
  check: async (audited) => {
    const walks = await allWalks(audited.filtered);
    const firsts = new Set(firstsOf(await audited.filtered.walks()));
    const later = pagesIn(walks).filter((it) => !firsts.has(it));
    if (later.length === 0) throw new DoesNotApply(say`the filtered list has one page`);
    requireWanted(later, wantedBy(audited, pagesIn([(await audited.walks()).reference, ...walks])), false);
  },
};

const sizes: Rule = {
  id: 'filter.missing',
  title: 'with the filter, every page size returns each item once',
  dependsOn: ['filter.wrong', 'filter.dropped'],
  on,
  why: 'Clients never see some items, and get no error.',
  change: 'Apply the filter before the page size, and make the cursor a position in the filtered list.',
  notes: 'Short pages before the end are a note, or a failure with `exact: true` in `size`.',
  check: async (audited) => {
    await checkReadings(audited.filtered, say`with the filter`);
    if ((await audited.filtered.walks()).reference.ids.length === 0)
      throw new NotChecked(say`the filtered list is empty`);
  },
};

export const FILTER_RULES: readonly Rule[] = [exact, kept, sizes];
