/** What the faults of the table of kinds, and the sound lists beside it, are made of: lists of 7 to 350 items, with and without a total, that state something beside. */
import { failed, fault, indexOf, variant } from './fault.ts';
import type { Declared, Expected, Fault, Sound } from './fault.ts';
import { KINDS, stylesOf } from './kinds.ts';
import type { Kind } from './kinds.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, ListOptions, Page, Position, Reply, Row, Style } from './server.ts';

export type Change = Omit<ListOptions, 'style'>;
/** The list that a fault changes. */
export interface Subject {
  readonly style: Style;
  readonly rows: readonly Row[];
  /** What its body states of its length. */
  readonly total: (page: Page) => object;
}
interface More {
  /** All that can have the kind, unless some show the fault in another way. */
  readonly styles?: readonly Style[];
  readonly lengths?: readonly (readonly number[])[];
  readonly declared?: (style: Style) => Declared;
}

export const [SHORT, USUAL, LONG, LONGEST] = [7, 60, 150, 350];
const ONE = [[SHORT], [USUAL], [LONG], [LONGEST]];
/** A short and a long one. */
export const TWO = [
  [SHORT, LONG],
  [USUAL, LONGEST],
];
/** Lists that have several pages of the default size. */
export const PAGES = [[USUAL], [LONG], [LONGEST]];
export const SIZES = { even: { default: 10, max: 50 }, odd: { default: 20, max: 100 } };

/** @returns faults of a kind, with the next of the lengths for each style. */
export function of(
  kind: Kind,
  name: string,
  expected: Expected,
  change: (subject: Subject) => Change,
  { styles = stylesOf(kind), lengths = ONE, declared }: More = {},
): readonly Fault[] {
  const first = Object.keys(KINDS).indexOf(kind);
  return styles.flatMap((style, at) =>
    (lengths[(first + at) % lengths.length] ?? []).flatMap((length, index) => {
      const hasNoTotal = (at + index) % 2 === 1;
      const rows = rowsOfStyle(style, length);
      const total: Subject['total'] = (page) => (hasNoTotal ? {} : { total: page.total });
      const options = {
        rows,
        sizes: (first + at + index) % 2 === 0 ? SIZES.even : SIZES.odd,
        hasNoTotal,
        ...change({ style, rows, total }),
      };
      return fault(`${name} (${String(length)} items)`, [style], expected, options, declared).map((it) => ({
        ...it,
        kind,
      }));
    }),
  );
}

export const LOST = failed('items.missing');
export const WRONG = failed('items.missing', 'items.repeated');

/** The body of a list of ids or numbers that states something beside: its next page. */
export const stating =
  (members: (page: Page, call: Call) => object) =>
  ({ style, total }: Subject): Change => ({
    body: (page, call) =>
      style === 'id'
        ? {
            data: page.rows,
            has_more: (call.isBackward ? page.previous : page.next) !== undefined,
            ...members(page, call),
          }
        : { items: page.rows, ...total(page), ...members(page, call) },
  });
/** A list of pages of ten, whose flag says whether more follow; one of tokens has one on every page. */
export const flagged =
  (hasMore: (page: Page, call: Call) => boolean) =>
  ({ style }: Pick<Subject, 'style'>): Change => ({
    size: () => 10,
    body: (page, call) => ({
      [style === 'id' ? 'data' : 'items']: page.rows,
      has_more: hasMore(page, call),
      ...(style === 'token' && { next_cursor: call.to(page.rows.at(-1) ?? call.anchor)['cursor'] }),
    }),
  });
export const hasNext = ({ left }: Page): boolean => left > 0;
/** The next page begins so many items later than it should or, with page numbers, pages. */
export const moved =
  (by: number, { style, rows }: Subject) =>
  ({ next, rows: held }: Page, call: Call): Position | undefined => {
    if (next === undefined || call.isBackward) return next;
    if (style === 'page' || style === 'offset') return { [style]: String(Number(next[style]) + by) };
    return call.to(rows[indexOf(rows, held.at(-1)) + by]);
  };
/** The list states where its next page is: as it does, or beside its ids or numbers. */
export const leading =
  (position: (subject: Subject) => (page: Page, call: Call) => Position | undefined) =>
  (subject: Subject): Change => {
    const next = position(subject);
    if (subject.style === 'id' || subject.style === 'page' || subject.style === 'offset')
      return stating((page, call) => ({ next: call.link(next(page, call)) ?? null }))(subject);
    return {
      page: (page, call) => {
        page.next = next(page, call);
      },
    };
  };
export const errorOf = (status: number): Reply => ({ status, headers: {}, body: { error: 'it is gone' } });

export type Make = (style: Style, rows: readonly Row[]) => Change;
const LENGTHS = [SHORT, USUAL, LONG, LONGEST];
export const LATER = [USUAL, LONG, LONGEST];

/** @returns a sound list in each of some styles, with the next of the lengths for each, and without a total in every second one. */
export const each = (
  name: string,
  styles: readonly Style[],
  change: Make,
  { lengths = LENGTHS, declared }: { readonly lengths?: readonly number[]; readonly declared?: Declared } = {},
): readonly Sound[] =>
  styles.map((style, at) => {
    const length = lengths[(at + name.length) % lengths.length] ?? USUAL;
    const rows = rowsOfStyle(style, length);
    const options = { style, rows, hasNoTotal: at % 2 === 1, ...change(style, rows) };
    return variant(`${style}: ${name} (${String(length)} items)`, options, declared);
  });
