/** The language of the table of scenarios. A scenario is data: what the server does, and what a client may do about it. */
import type { Profile, Way } from '../lists/profile.ts';

export const KINDS = ['id', 'token', 'tokens', 'url', 'link', 'header', 'page', 'offset'] as const;
/** A kind of way to the next page. */
export type Kind = (typeof KINDS)[number];

/** Ways whose next page the server states: they may have empty and short pages. */
export const STATED: readonly Kind[] = ['token', 'tokens', 'url', 'link', 'header'];
export const TOKENS: readonly Kind[] = ['token', 'tokens'];
export const LINKS: readonly Kind[] = ['url', 'link', 'header'];
export const NUMBERS: readonly Kind[] = ['page', 'offset'];

/** The kinds of ids that a sample may show; `free` is that of a profile without a sample. */
export type IdKind = 'free' | 'letters' | 'uuid' | 'digits' | 'number';

/** How many items the list has: so many, or so many pages of the client's size, and perhaps some more. */
export type Length = { readonly items: number } | { readonly pages: number; readonly plus?: number };

/** Forms of cursors, of which the pages take turns; `zero` is the cursor "0" of page 2. */
export type CursorForm = 'reserved' | 'long' | 'case' | 'digits' | 'zero';
/** Forms of ids, of which the items take turns. */
export type IdForm = 'reserved' | 'case' | 'digits' | 'large' | 'seven-digits' | 'beyond' | 'zero';
export type BodyForm = 'gzip' | 'chunks' | 'large' | 'unicode' | 'charset' | 'mark' | 'additional';
/** Forms of links. `host` and `port` lead to another origin; `path`, `query` and `relative` leave out the origin. */
export type LinkForm =
  | ('comma' | 'parameters' | 'others-first' | 'lower-case' | 'encoded')
  | ('unquoted' | 'two-relations' | 'capital' | 'two-fields')
  | ('path' | 'query' | 'relative' | 'host' | 'port');
/** The end, where it is a token or a URL: that of the profile unless said otherwise. `cycle` leads to page 2 again. */
export type EndForm = 'null' | 'absent' | 'empty' | 'false' | 'cycle';
/** What the last page is, after all items: one that has none. */
export type LastForm = 'empty' | 'no-content' | 'null' | 'absent';

/** What a response is in place of a page. */
export type Canned =
  /** `error`: the error of the API as JSON; `html`: a page of a proxy. */
  | {
      readonly status: number;
      readonly body: 'error' | 'html' | 'none';
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The body of the page ends early: the connection is closed before its announced length, or before its last chunk. */
  | { readonly cut: 'length' | 'chunks' }
  | { readonly closed: true }
  | { readonly lateMs: number }
  | { readonly redirect: 'path' | 'host' | 'port' };

/** What happens instead of a page. */
export interface Fault {
  /** The first page, the second one, or an item that is read by its id. */
  readonly on: 'first' | 'second' | 'item';
  /** Once, and then the page; otherwise every time. */
  readonly once?: true;
  readonly reply: Canned;
}

/** What the server does. What several scenarios of a pack do is done together. */
export interface Effect {
  readonly length?: Length;
  /** How many empty pages, with a next one, come before a page, by its number. */
  readonly empty?: Readonly<Record<number, number>>;
  /** Pages have one item, two, and so on, up to the size. */
  readonly short?: true;
  readonly end?: EndForm;
  readonly last?: LastForm;
  readonly cursors?: readonly CursorForm[];
  readonly ids?: readonly IdForm[];
  readonly body?: readonly BodyForm[];
  readonly links?: readonly LinkForm[];
  /** What happens to the list between page 1 and page 2. */
  readonly change?: 'insert' | 'append' | 'remove';
  readonly total?: 'more';
  readonly fault?: Fault;
  /** The filters of the profile whose value each item has. */
  readonly filtered?: readonly string[];
}

/** What a scenario needs of a profile. */
export interface Needs {
  /** All if undefined. */
  readonly ways?: readonly Kind[];
  /** The way has a flag. */
  readonly flag?: true;
  readonly ids?: readonly IdKind[];
  /** The list has a size, and does not promise full pages. */
  readonly short?: true;
  readonly size?: true;
  readonly total?: true;
  /** The profile declares the mark of an error. */
  readonly error?: true;
  /** The items are not the body itself. */
  readonly array?: true;
  /** Requests have a key. */
  readonly key?: true;
  /** Items are read by their ids. */
  readonly get?: true;
}

/**
 * What is required of a client. `all`: each item once, and exit code 0. `all-or-error`: that, or an error. `all-or-prefix`: it may also stop
 * early, but skips nothing. `error`: the list cannot be read, and an error says so. `any`: never a failure; what is missing is told.
 */
export type Must = 'all' | 'all-or-error' | 'all-or-prefix' | 'error' | 'any';

/** What is required of a client, as a clause whose subject it is. */
export const MUST: Readonly<Record<Must, string>> = {
  all: 'print each item once',
  'all-or-error': 'print each item once, or report an error',
  'all-or-prefix': 'print each item once, or stop early',
  error: 'report an error',
  any: '',
};

/** Requests that are a failure, or told as a note, whatever the client prints. */
export interface Watch {
  /** A request to another host, or to another port, that has the key. */
  readonly keyTo?: { readonly host: 'failure' | 'note'; readonly port: 'failure' | 'note' };
  /** The same request before the time of `Retry-After`. */
  readonly early?: 'failure' | 'note';
  /** A client that does not end. */
  readonly endless?: 'failure' | 'note';
  /** A retry that is answered with the same error more often than so many times. */
  readonly retries?: { readonly above: number; readonly is: 'failure' | 'note' };
  /** A later request without a parameter that the first one has; the size only in lists of page numbers. */
  readonly params?: 'failure';
}

export interface Scenario {
  /** `area.name`. */
  readonly name: string;
  /** Scenarios of one pack share a list, and are run apart if that fails. */
  readonly pack: string;
  readonly needs?: Needs;
  /** The command reads one item, by its id, and not the list. */
  readonly reads?: 'item';
  readonly does: Effect;
  /** What the server does, as a clause whose subject it is. */
  readonly server: string;
  /** What a client must, may or must not do besides what is expected, as a sentence. */
  readonly client?: string;
  readonly expect: Must;
  /** What is expected instead of clients of lists of some ways; with `flagless`, of those that have no flag. */
  readonly instead?: readonly { readonly ways: readonly Kind[]; readonly flagless?: true; readonly expect: Must }[];
  readonly watch?: Watch;
  /** The kind of public report that it imitates. */
  readonly report: string;
}

/** @returns the kind of a way. */
export const kindOf = (way: Way): Kind => {
  const kind = KINDS.find((name) => name in way);
  if (kind === undefined) throw new Error('a way of an unknown kind');
  return kind;
};

/** What a scenario needs to know of a list besides its profile. */
export interface Facts {
  readonly ids: IdKind;
  readonly hasTotal: boolean;
  readonly hasKey: boolean;
}

/** @returns why a scenario does not apply to a list; `undefined` if it does. */
export function whyNot(
  { needs = {} }: Scenario,
  { items, next, size, error, get }: Profile,
  facts: Facts,
): string | undefined {
  const kind = kindOf(next);
  if (needs.ways?.includes(kind) === false) return `it needs ${listed(needs.ways)}, not ${kind}`;
  if (needs.flag === true && next.more === undefined) return 'it needs `more`';
  if (needs.ids?.includes(facts.ids) === false) return 'the ids of the sample have another form';
  if (needs.size === true && size === undefined) return 'it needs `size`';
  if (needs.short === true && size?.exact === true) return '`exact` promises full pages';
  if (needs.total === true && !facts.hasTotal) return 'no total is stated';
  if (needs.error === true && error === undefined) return 'it needs `error`';
  if (needs.array === true && items === '') return 'the body is the array';
  if (needs.key === true && !facts.hasKey) return 'the list needs no key';
  if (needs.get === true && get === undefined) return 'it needs `get`';
  return undefined;
}

const listed = (kinds: readonly Kind[]): string => kinds.join(' or ');

/** @returns what is expected of a client of a list. What is no page by the promise `empty: array` is an error. */
export function expectedOf({ expect, does, instead = [] }: Scenario, { next, empty }: Profile): Must {
  if (empty !== undefined && does.last !== undefined) return 'error';
  const other = instead.find(
    ({ ways, flagless }) => ways.includes(kindOf(next)) && (flagless === undefined || next.more === undefined),
  );
  return other?.expect ?? expect;
}

/** @returns what several scenarios do together. Those of a pack differ in what they do. */
export const together = (effects: readonly Effect[]): Effect =>
  effects.reduce<Effect>((all, effect) => {
    const joined = <T>(one: readonly T[] = [], other: readonly T[] = []): readonly T[] => [
      ...new Set([...one, ...other]),
    ];
    const lists = {
      cursors: joined(all.cursors, effect.cursors),
      ids: joined(all.ids, effect.ids),
      body: joined(all.body, effect.body),
      links: joined(all.links, effect.links),
    };
    return { ...all, ...effect, ...lists, empty: { ...all.empty, ...effect.empty } };
  }, {});
