/**
 * The kinds of faults that show only where a list is read to its end and held to what it states, and the styles of lists that can have them.
 * Written before the rules. `run.ts` fails if a style can have a kind and no fault of the set is one, or the reverse.
 */
import type { Style } from './server.ts';

/** Of each style: `true`, or why the kind cannot be told there. */
type Cells = Readonly<Record<Style, true | string>>;

const EVERY: Cells = { id: true, token: true, url: true, link: true, page: true, offset: true };
const numbers = (why: string): Cells => ({ ...EVERY, page: why, offset: why });

const NO_VALUES = 'a number counts items: nothing compares their values';
const NOTHING_STATED =
  'nothing is stated: without a second page the list is refused, and the report says with which status';
const NO_EXPIRY = 'the client makes it itself: it can be neither used up nor too old';
const ONE_WAY = 'what is stated is the only way: that is the kind `only way`';
const NO_WAY = 'nothing is stated beside which numbers could be the second way';
const NO_NUMBERS = 'no page number leads to the page after the stated last one';

export const KINDS = {
  /** One item is left, and no page shows it: there is no next page, no link, a flag that is false, an empty page. */
  tail: EVERY,
  /** The same page is an error: of numbers it is the end for a client, of cursors an error on the way. */
  'tail refused': EVERY,
  /** A large first page shows items, such as those whose sort value is null, that are on no page. */
  forgotten: numbers(NO_VALUES),
  /** The stated next page is an error, though another way works. */
  'stated error': { ...EVERY, token: ONE_WAY, url: ONE_WAY, link: ONE_WAY },
  'stated skips': EVERY,
  'stated repeats': EVERY,
  /** The stated next page has items that the filter of the request leaves out. */
  'stated filter': EVERY,
  /** The stated next page is an error, and there is no other way. */
  'only way': { ...EVERY, id: NOTHING_STATED, page: NOTHING_STATED, offset: NOTHING_STATED },
  /** A link or a token works once, or for a while, and a fresh first page has no other one. */
  expired: { ...EVERY, id: NO_EXPIRY, page: NO_EXPIRY, offset: NO_EXPIRY },
  /** Page numbers or offsets work beside the stated way, and lose or repeat items, or show some that it lacks. */
  'second way': { ...EVERY, id: NO_WAY, page: NO_WAY, offset: NO_WAY },
  /** Fewer pages are stated than there are. */
  pages: { id: NO_NUMBERS, token: NO_NUMBERS, url: NO_NUMBERS, link: NO_NUMBERS, page: true, offset: NO_NUMBERS },
  /** The stated total is wrong: a note, and a failure if it is declared exact. */
  total: EVERY,
  /** A size above the maximum is cut, and the next page begins where one of that size would. */
  cut: EVERY,
  /** Items are lost where their sort values are equal at a border. */
  ties: numbers(`${NO_VALUES}, and equal ones in another order are the kind \`unstable\``),
  /** Equal items have another order at another request. */
  unstable: EVERY,
  /** A bad cursor is page one. */
  restart: numbers('page one is a lawful answer to a number that makes no sense'),
  /** A bad cursor or number is an error of the server. */
  crash: EVERY,
  /** The pages never end. */
  cycle: EVERY,
  /** No size is known, so that no other reading shows a loss: what can be told then. */
  'no size': EVERY,
} satisfies Readonly<Record<string, Cells>>;
export type Kind = keyof typeof KINDS;

const isStyle = (name: string): name is Style => Object.hasOwn(EVERY, name);

/** @returns the styles that can have a kind. */
export const stylesOf = (kind: Kind): readonly Style[] =>
  Object.keys(EVERY).filter((style): style is Style => isStyle(style) && KINDS[kind][style] === true);

/** @returns the cells that have no fault though they can, or one though they cannot. */
export const cellMistakes = (
  faults: readonly { readonly kind?: Kind; readonly options: { readonly style: Style } }[],
): readonly string[] =>
  Object.entries(KINDS).flatMap(([kind, cells]) =>
    Object.entries(cells).flatMap(([style, why]) => {
      const has = faults.some((it) => it.kind === kind && it.options.style === style);
      if (has === (why === true)) return [];
      return [has ? `${style} cannot have "${kind}": ${String(why)}` : `no fault of ${style} is "${kind}"`];
    }),
  );
