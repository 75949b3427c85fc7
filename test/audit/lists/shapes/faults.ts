/** Single faults, made in the engine for every shape that they apply to. */
import type { Hooks, Shape } from './server.ts';

export const FAMILIES = ['own', 'token', 'page', 'offset', 'token link', 'page link', 'offset link'] as const;
type Family = (typeof FAMILIES)[number];

/** @returns what kind of position a list has, and whether its documented way is a link. */
export function familyOf({ at, right }: Shape): Family {
  const isLinked = ['link', 'url', 'header'].some((it) => it in right.next[0]);
  if (!isLinked) return at.kind;
  return at.kind === 'own' ? 'token link' : `${at.kind} link`;
}

interface Kind {
  /** Any of these rules must fail, or be a note. */
  readonly rules: readonly string[];
  readonly noted?: readonly string[];
  readonly hooks: (shape: Shape) => Hooks;
  /** Why it cannot be made. */
  readonly not?: Partial<Record<Family, string>>;
  /** Whether it shows only where two page sizes are compared. */
  readonly needsSize?: boolean;
  /** Whether it shows only where some texts are no cursors. */
  readonly needsBad?: boolean;
}

const LOST = ['items.missing', 'items.repeated', 'stated.next', 'page.error', 'end.never'];
const NO_LINK = 'it states no link';
const NO_VALUES = 'a number compares no sort values';

/** A border of pages of the usual size, and of 1 and 2, behind the first items. */
const borderOf = ({ size }: Shape): number => Math.ceil(31 / size.default) * size.default;
/** Whether the end is stated. Otherwise clients read until a page is empty. */
const statesEnd = (shape: Shape): boolean => {
  const [way] = shape.right.next;
  return way.more !== undefined || ['link', 'url', 'header', 'token'].some((it) => it in way);
};

export const KINDS: Readonly<Record<string, Kind>> = {
  'an item is skipped at a border': {
    rules: LOST,
    hooks: (shape) => ({ start: (at) => (at === borderOf(shape) ? at + 1 : at) }),
    needsSize: true,
  },
  'an item is repeated at a border': {
    rules: ['items.repeated', 'items.missing', 'stated.next'],
    hooks: (shape) => ({ start: (at, size) => (at === borderOf(shape) && size > 1 ? at - 1 : at) }),
  },
  'the last item has no page of its own': {
    rules: LOST,
    hooks: (shape) =>
      statesEnd(shape)
        ? { more: (left) => left > 1 }
        : { rows: (rows, { left }) => (left === 0 && rows.length === 1 ? [] : rows) },
    needsSize: true,
  },
  'the stated next page is a 404': {
    rules: ['stated.next', 'page.error'],
    hooks: () => ({ broken: 404 }),
    not: { own: 'it states no position', page: 'it states no position', offset: 'it states no position' },
  },
  'the stated next page is a 500': {
    rules: ['stated.next', 'page.error'],
    hooks: () => ({ broken: 500 }),
    not: { own: 'it states no position', page: 'it states no position', offset: 'it states no position' },
  },
  'a full last page loses its last item': {
    rules: LOST,
    hooks: () => ({
      count: 140, // Of which 1, 2, 5, 7 and 10 are divisors.
      rows: (rows, { size, left }) => (left === 0 && rows.length === size ? rows.slice(0, -1) : rows),
    }),
    needsSize: true,
  },
  'the next link drops the size': {
    rules: [...LOST, 'size.wrong'],
    noted: ['size.wrong', 'stated.next'],
    hooks: ({ size: { param = '' } }) => ({
      link: (next) => {
        next.searchParams.delete(param);
      },
    }),
    not: { own: NO_LINK, token: NO_LINK, page: NO_LINK, offset: NO_LINK },
    needsSize: true,
  },
  'late pages are page one again': {
    rules: ['end.never', 'items.repeated', 'items.missing'],
    hooks: () => ({ start: (at, _, rows) => (at > rows.length * 0.6 ? 0 : at) }),
  },
  'equal times are lost at a border': {
    rules: LOST,
    hooks: () => ({
      start: (at, _, rows) => {
        const isEqual = (it: { readonly created: string }): boolean => it.created === rows[at - 1]?.created;
        const behind = rows.slice(at).findIndex((it) => !isEqual(it));
        return behind < 0 ? rows.length : at + behind;
      },
    }),
    not: { page: NO_VALUES, offset: NO_VALUES, 'page link': NO_VALUES, 'offset link': NO_VALUES },
    needsSize: true,
  },
  'a bad cursor is a 500': { rules: ['cursor.error', 'position.error'], hooks: () => ({ bad: 500 }), needsBad: true },
  'the last page has a next page, itself': {
    rules: ['end.never', 'end.beyond', 'items.repeated'],
    hooks: () => ({
      start: (at, size, rows) => (at < rows.length ? at : Math.floor((rows.length - 1) / size) * size),
      more: () => true,
    }),
  },
};

/** @returns why a fault cannot be made of a shape; undefined if it can. */
export function reasonAgainst(
  { not = {}, needsSize = false, needsBad = false }: Kind,
  shape: Shape,
): string | undefined {
  if (needsSize && shape.size.param === undefined) return 'it has one page size, so that there is nothing to compare';
  if (needsBad && shape.at.takesAny === true) return 'any text is a place in the list';
  return not[familyOf(shape)];
}
