/** What the rules of an audit share: the traversals of a list with several sizes, each made once. */
import type { Changing } from '../rules/runner.ts';
import { NotChecked } from '../rules/rule.ts';
import type { Requirement } from '../rules/rule.ts';
import { say } from '../rules/text.ts';
import type { CommandName, Commands } from './commands.ts';
import { flagOf } from './commands.ts';
import { List, isPage } from './list.ts';
import type { Page } from './list.ts';
import type { Responses } from './openapi-responses.ts';
import type { Given } from './profile.ts';
import { requireIds, walk } from './walk.ts';
import { paramsOf } from './target.ts';
import type { Walk } from './walk.ts';

/** What is asked for beside a profile. */
export interface Asked {
  readonly commands?: Commands | undefined;
  readonly responses?: Responses | undefined;
  /** Whether the id is a property that may not be one. */
  readonly isIdGuessed?: boolean | undefined;
}

/** A rule of lists: what everybody wants of one, why, and what to change. */
export interface Rule extends Requirement {
  /** What happens to the users of a list that breaks it. */
  readonly why: string;
  /** What usually breaks it, and what to do. */
  readonly change: string;
  /** What switches the rule on; it is always on if undefined. */
  readonly on?: {
    /** The key and the option, for people. */
    readonly by: string;
    readonly isDeclaredIn: (given: Given, asked: Asked) => boolean;
  };
  /** Whether it changes the list. Then it is checked once. */
  readonly changes?: true;
  /** What is a note, and when the rule is not checked, for the page of rules. */
  readonly notes?: string;
  /** @throws Failure if it does not hold, Noted if somebody may want to know, NotChecked if it could not be checked. */
  readonly check: (audited: Audited) => Promise<void>;
}

/** @returns what switches a rule on that needs a command. */
export const withCommand = (name: CommandName): NonNullable<Rule['on']> => ({
  by: `\`${flagOf(name)}\``,
  isDeclaredIn: (_, { commands }) => commands?.[name] !== undefined,
});

/** A traversal with another size, and the reading of the same part with the usual one. */
export interface Compared {
  readonly walk: Walk;
  readonly reference: Walk;
  /** Reads the part again. */
  readonly again: () => Promise<Walk>;
}

export interface Walks {
  /** The whole list, or as much of it as the requests allow, with the usual size. */
  readonly reference: Walk;
  readonly compared: readonly Compared[];
  /** The same as `reference`, after all others. */
  readonly again: Walk;
}

/** A parameter that says where a page begins. */
export interface Cursor {
  readonly param: string;
  readonly kind: 'cursor' | 'page' | 'offset';
  /** The number of the first page, or of the first item; 0 for a cursor. */
  readonly first: number;
}

const SMALL_SIZES = [1, 3, 7];
const WINDOW = 60;
// Of lists that are not longer, the small sizes read all: with size 1, each item is a request.
const MAX_WHOLE = 300;
const MAX_WHOLE_BY_ONE = 100;
// The part of the requests that whole traversals may take, and that the small sizes may.
const WHOLE_PART = 0.25;
const SMALL_PART = 0.45;
// What the rules of single requests need.
const RESERVE = 100;
const MAX_SMALL = 20;
// The part of the requests that are left which the list with its filter may take.
const FILTERED_PART = 0.5;
/** The usual size, if the list has no smaller maximum. */
const USUAL = 100;

export class Audited implements Changing {
  readonly what = 'list';
  readonly attempts = 3;
  readonly list: List;
  readonly #budget: number;
  readonly #isIdGuessed: boolean;
  #walks: Promise<Walks> | undefined;
  #cursor: Promise<Cursor | undefined> | undefined;
  #filtered: Audited | undefined;
  #wasMoved = false;

  readonly commands: Commands | undefined;
  /** The ids that the user's own commands have added. */
  readonly added = new Set<string>();
  /** What was seen beside an OpenAPI document. */
  readonly responses: Responses | undefined;

  /** @param budget how many requests the traversals may take, as far as they are bounded. */
  constructor(list: List, { commands, responses, isIdGuessed = false }: Asked = {}, budget = list.session.left) {
    this.list = list;
    this.commands = commands;
    this.responses = responses;
    this.#budget = budget;
    this.#isIdGuessed = isIdGuessed;
  }

  /** The same list with the declared filter. */
  get filtered(): Audited {
    const { profile, session } = this.list;
    return (this.#filtered ??= new Audited(
      new List({ ...profile, params: { ...profile.params, ...profile.filter } }, session),
      {},
      session.left * FILTERED_PART,
    ));
  }

  /** The size of whole traversals: the maximum, as far as it is known; `undefined` if the list has no size. */
  get size(): number | undefined {
    const { size } = this.list.profile;
    return size === undefined ? undefined : (size.max ?? Math.max(size.default ?? 0, USUAL));
  }

  /** The parameter that says where a page begins, if it is a number of pages or of items. */
  async position(): Promise<Cursor | undefined> {
    const { next } = this.list.profile;
    if ('page' in next) return { param: next.page, kind: 'page', first: next.first ?? 1 };
    if ('offset' in next) return { param: next.offset, kind: 'offset', first: next.first ?? 0 };
    const found = await this.cursor();
    return found?.kind === 'cursor' ? undefined : found;
  }

  /** The parameter that leads to the next page, also inside of links; `undefined` if it is not one alone. */
  cursor(): Promise<Cursor | undefined> {
    return (this.#cursor ??= this.#findCursor());
  }

  async #findCursor(): Promise<Cursor | undefined> {
    const { next, size } = this.list.profile;
    const { pages } = await walk(this.list, this.probe, this.list.first(this.probe), Infinity, 3);
    const [one, two, three] = pages.map((it) => paramsOf(it.target));
    if (one === undefined || two === undefined) return undefined;
    const changed = (of: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] =>
      [...to.keys()].filter((it) => it !== size?.param && of.get(it) !== to.get(it));
    const declared = 'id' in next ? next.id : 'token' in next ? next.token : undefined;
    const names = three === undefined ? changed(one, two) : changed(two, three);
    const param = declared ?? (names.length === 1 ? names[0] : undefined);
    if (param === undefined) return undefined;
    this.list.session.own(param);
    const cursor = { param, kind: 'cursor', first: 0 } as const;
    if ('id' in next) return cursor;
    const numberIn = (params: typeof two | undefined): number =>
      Number(/^\d+$/.exec(params?.get(param) ?? '')?.[0] ?? NaN);
    const [second, third] = [numberIn(two), numberIn(three)];
    const length = pages[0]?.ids.length ?? 0;
    // Numbers alone do not tell: an id may be the number of its place, and a page of one item moves by one.
    const isId = /id$|after|before|cursor|token|marker|since|last|next|continu/i.test(param);
    const found = (
      [
        { kind: 'page', step: 1, isNamed: /page|^p$/i.test(param) },
        { kind: 'offset', step: length, isNamed: length > 1 && /offset|skip|start|from/i.test(param) },
      ] as const
    ).find(({ step, isNamed }) => {
      const isCounted = second === step || second === step + 1;
      const goesOn = third === second + step || (Number.isNaN(third) && isNamed);
      return isCounted && goesOn && (isNamed || (!isId && length > 1));
    });
    return found === undefined ? cursor : { param, kind: found.kind, first: second - found.step };
  }

  /** A size at which even a short list has several pages. */
  get probe(): number | undefined {
    return this.list.profile.size === undefined ? undefined : 2;
  }

  /** Whether items were added or removed since the traversals, or, once, have other places. */
  async hasChanged(): Promise<boolean> {
    const { reference, compared, again } = await this.walks();
    const earlier = new Set([...reference.ids, ...again.ids, ...compared.flatMap((it) => it.walk.ids)]);
    const now = await this.whole();
    const present = new Set(now.ids);
    const gone = reference.ids.filter((it) => !present.has(it));
    // A list that loses items at random has them again in another traversal.
    const later = new Set(gone.length === 0 ? [] : (await this.whole()).ids);
    const isChanged = now.ids.some((it) => !earlier.has(it)) || gone.some((it) => !later.has(it));
    const before = new Set(reference.ids);
    const kept = now.ids.filter((it) => before.has(it));
    const isMoved = reference.ids.filter((it) => present.has(it)).some((it, at) => it !== kept[at]);
    if (!isChanged && (!isMoved || this.#wasMoved)) return false;
    this.#wasMoved ||= isMoved;
    this.#walks = undefined;
    this.#filtered = undefined;
    return true;
  }

  /** @returns a traversal of the whole list with the usual size, or as far as the requests allow. */
  whole(size = this.size): Promise<Walk> {
    return walk(this.list, size, this.list.first(size), Infinity, Math.floor(this.#budget * WHOLE_PART));
  }

  /** @throws NotChecked if a rule that needs so many requests leaves too few for the rules of single requests. */
  requireLeft(requests: number): void {
    if (requests > MAX_SMALL && requests + RESERVE > this.list.session.left)
      throw new NotChecked(say`it takes ${requests} requests, more than can be spared (--max-requests)`);
  }

  walks(): Promise<Walks> {
    return (this.#walks ??= this.#walkAll());
  }

  /** The number of different items that the first whole traversal has read, and whether that reached the end. */
  length: { readonly items: number; readonly isWhole: boolean } | undefined;

  async #walkAll(): Promise<Walks> {
    const reference = await this.whole();
    if (this.#isIdGuessed) await requireIds(this.list, reference);
    this.length = { items: new Set(reference.ids).size, isWhole: reference.ending === 'end' };
    const compared: Compared[] = [];
    const length = reference.ids.length;
    for (const size of this.#sizesFor(reference)) {
      if ([reference, ...compared.map((it) => it.walk)].some((it) => it.ending === 'endless')) break; // Others would be, too.
      const maxItems = this.#maxItems(size, length, reference.ending === 'bound');
      const read = (): Promise<Walk> => walk(this.list, size, this.list.first(size), maxItems);
      compared.push({ walk: await read(), reference, again: read });
      if (maxItems === Infinity || (size === 1 && length <= MAX_WHOLE)) continue;
      for (const start of await this.#windowsOf(reference)) {
        const part = from(reference, start);
        const page = reference.pages[start];
        if (page === undefined) continue;
        const bound = start === reference.pages.length - 1 ? WINDOW : page.ids.length + WINDOW / 3;
        const again = (): Promise<Walk> => walk(this.list, size, this.list.withSize(page.target, size), bound);
        compared.push({ walk: await again(), reference: part, again });
      }
    }
    return { reference, compared, again: await this.whole() };
  }

  #sizesFor({ ids }: Walk): readonly number[] {
    const { size } = this;
    if (size === undefined) return [];
    const { max } = this.list.profile.size ?? {};
    const large = max === undefined || ids.length <= max ? [] : [max - 1];
    return [...SMALL_SIZES, ...large].filter((it) => it < size && it < Math.max(ids.length, 2));
  }

  #maxItems(size: number, length: number, isCut: boolean): number {
    if (!SMALL_SIZES.includes(size)) return isCut ? length : Infinity;
    const cost = SMALL_SIZES.reduce((sum, it) => sum + 1 / it, 0);
    const most = Math.min(size === 1 ? MAX_WHOLE_BY_ONE : MAX_WHOLE, Math.floor((this.#budget * SMALL_PART) / cost));
    return length <= most && !isCut ? Infinity : Math.min(WINDOW, most);
  }

  /** @returns the indexes of the pages at which windows of a long list begin: its last page, and one whose end has a tie. */
  async #windowsOf({ pages, ending }: Walk): Promise<readonly number[]> {
    if (pages.length < 3 || (await this.position())?.kind === 'page') return []; // A page number means another place with another size.
    const tie = tieIn(pages);
    return [...new Set([...(ending === 'end' ? [pages.length - 1] : []), ...(tie === undefined ? [] : [tie])])];
  }

  /** @returns the first page. @throws NotChecked if there is none. */
  async firstPage(size = this.size): Promise<Page> {
    const page = await this.list.page(this.list.first(size));
    if (!isPage(page)) throw new NotChecked(say`${page.request} returned ${page.reason}`);
    return page;
  }
}

/** @returns all traversals of a list. */
export async function allWalks(audited: Audited): Promise<readonly Walk[]> {
  const { reference, compared, again } = await audited.walks();
  return [reference, ...compared.map((it) => it.walk), again];
}

/** @returns the part of a traversal from a page on. */
function from(walked: Walk, start: number): Walk {
  const pages = walked.pages.slice(start);
  return { ...walked, pages, ids: pages.flatMap((it) => it.ids) };
}

/** @returns a property that changes along a list and has equal values at a border of pages, and the index of the page before the border. */
function tieIn(pages: readonly Page[]): number | undefined {
  const names = Object.keys(pages[0]?.edges[0] ?? {});
  const distinct = (name: string): number => new Set(pages.flatMap(({ edges }) => edges.map((it) => it[name]))).size;
  const ranked = names.filter((it) => distinct(it) > 2).sort((a, b) => distinct(b) - distinct(a));
  for (const name of ranked) {
    const at = pages.findIndex(({ edges }, index) => {
      const after = pages[index + 1];
      return after !== undefined && edges[1][name] !== undefined && edges[1][name] === after.edges[0][name];
    });
    if (at >= 0) return at;
  }
  return undefined;
}
