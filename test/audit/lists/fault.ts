/** What a fault of a list API is, and what faults and sound lists are made of. */
import type { Commands } from '../../../audit/lists/commands.ts';
import type { Given } from '../../../audit/lists/profile.ts';
import type { Kind } from './kinds.ts';
import { CRASH, rowsOfStyle } from './server.ts';
import type { Hooks, ListOptions, Page, Reply, Row, Style } from './server.ts';

export interface Fault {
  readonly name: string;
  /** What it is in the table of kinds. */
  readonly kind?: Kind;
  /** What the rule must report. */
  readonly outcome: 'failed' | 'noted';
  /** One of these must be reported with this outcome. There is more than one where the list breaks more than one by the same response. */
  readonly rules: readonly [string, ...string[]];
  /** A rule that must not fail: the fault does not break it. */
  readonly silent?: string;
  readonly options: ListOptions;
  /** What the audit is told of the list. */
  readonly declared?: Declared;
  /** What the user's own commands do. */
  readonly commands?: Commands;
  /** The OpenAPI document that describes the list. */
  readonly document?: string;
}
export type Declared = Omit<Given, 'url'>;
export type Expected = Pick<Fault, 'outcome' | 'rules'>;
export const failed = (...rules: Fault['rules']): Expected => ({ outcome: 'failed', rules });
export const noted = (...rules: Fault['rules']): Expected => ({ outcome: 'noted', rules });

/** @returns a fault in each of some styles. */
export const fault = (
  name: string,
  styles: readonly Style[],
  expected: Expected,
  change: Omit<ListOptions, 'style'> | ((style: Style) => Omit<ListOptions, 'style'>),
  declared?: (style: Style) => Declared,
): readonly Fault[] =>
  styles.map((style) => {
    const options = typeof change === 'function' ? change(style) : change;
    return {
      name: `${style}: ${name}`,
      ...expected,
      options: { ...options, style },
      ...(declared && { declared: declared(style) }),
    };
  });

/** A list without a fault. */
export type Sound = Omit<Fault, keyof Expected>;
export const variant = (name: string, options: ListOptions, declared?: Declared): Sound => ({
  name,
  options,
  ...(declared && { declared }),
});

export const ALL: readonly Style[] = ['id', 'token', 'url', 'link', 'page', 'offset'];
export const CURSORS: readonly Style[] = ['id', 'token', 'url', 'link'];
export const TOKENS: readonly Style[] = ['token', 'url', 'link'];
export const LINKS: readonly Style[] = ['url', 'link'];
export const NUMBERS: readonly Style[] = ['page', 'offset'];

export const LATE = 30;

export const indexOf = (rows: readonly Row[], row: Row | undefined): number =>
  rows.findIndex((it) => it.id === row?.id);
export const after = (rows: readonly Row[], row: Row | undefined): readonly Row[] => rows.slice(indexOf(rows, row) + 1);
export const before = (rows: readonly Row[], row: Row | undefined): readonly Row[] => rows.slice(0, indexOf(rows, row));
export const without = (rows: readonly Row[], at: number): readonly Row[] => rows.filter((_, index) => index !== at);
/** @returns the rows with a status: every third one is closed. */
export const withStatus = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, at): Row => ({ ...row, status: at % 3 === 2 ? 'closed' : 'open' }));
/** @returns the rows with those of the shared instant backwards. */
export function tiesReversed(rows: readonly Row[]): readonly Row[] {
  const isTie = (row: Row | undefined, other: Row | undefined): boolean => row?.created === other?.created;
  const first = rows.findIndex((it, at) => isTie(it, rows[at + 1]));
  const end = rows.findLastIndex((it) => isTie(it, rows[first])) + 1;
  return [...rows.slice(0, first), ...rows.slice(first, end).reverse(), ...rows.slice(end)];
}
export const isFirst = (page: Page): boolean => page.previous === undefined;
/** Whether a page holds the row of that index. */
export const holds = (page: Page, style: Style, at: number): boolean => indexOf(page.rows, rowsOfStyle(style)[at]) >= 0;
/** Whether a page begins behind that index. */
export const isBehind = (page: Page, style: Style, at: number): boolean =>
  indexOf(rowsOfStyle(style), page.rows[0]) >= at;

/** @returns a hook that takes parameters by other names, and not by those of the style. */
export const named =
  (names: Readonly<Record<string, string>>): NonNullable<Hooks['before']> =>
  ({ query }) => {
    for (const [own, name] of Object.entries(names)) {
      query.delete(own);
      for (const value of query.getAll(name)) query.append(own, value);
      query.delete(name);
    }
    return undefined;
  };

export function crash(reply: Reply): void {
  Object.assign(reply, CRASH);
}
