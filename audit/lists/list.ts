/** A list as its profile describes it: pages, and the requests of the next one, of another size, and of any cursor. */
import { DoesNotApply } from '../rules/rule.ts';
import { LONG, code, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { Untestable } from '../session/session.ts';
import { elementsAt, pathOf, pathText, sourceAt, valueAt, valuesIn } from './json.ts';
import type { Path } from './json.ts';
import { propertyOf } from './order.ts';
import { paramsOfWay } from './profile.ts';
import type { Profile, Size, Way } from './profile.ts';
import { startOf } from './parameters.ts';
import type { Answer, Session, Who } from './session.ts';
import { linksOf, paramsOf, resolve, withParam, withRaw } from './target.ts';

/** A page, as it was read. Of its items only the ids are kept: a list may be long. */
export interface Page {
  readonly target: string;
  /** The request in one line. */
  readonly request: Text;
  /** The ids of its items as JSON texts, in their order. */
  readonly ids: readonly string[];
  /** The request of the next page; `undefined` at the end. */
  readonly next: string | undefined;
  /** The request of the previous page, if the profile says how it is found. */
  readonly previous: string | undefined;
  /** What may be the number of all items: see `totalOf`. */
  readonly total: Stated | undefined;
  /** What may be the number of pages, by its name. */
  readonly pageCount: Stated | undefined;
  /** The values that its items have at the paths of the declared order and filter. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** The plain values of its first and its last item, by their names: equal ones at a border may be equal sort values. */
  readonly edges: readonly [Values, Values];
  /** Links that lead away from the audited origin, or hold a secret. */
  readonly strays: readonly Stray[];
}

export interface Stated {
  readonly name: string;
  readonly value: number;
}

export type Values = Readonly<Record<string, string | number>>;

/** The ids of a response to the first request of a list, with any size. */
export interface Sighting {
  readonly target: string;
  readonly ids: readonly string[];
}

export interface Stray {
  readonly link: Text;
  readonly why: 'origin' | 'insecure' | 'secret';
}

/** Why a response is no page. */
export interface NoPage extends Answer {
  readonly reason: Text;
}
export const isPage = (it: Page | NoPage): it is Page => 'ids' in it;

/** @returns why a response is an error; `undefined` if it is none. */
export function errorOf({ error = {} }: Pick<Profile, 'error'>, { status, body, failure }: Answer): Text | undefined {
  if (failure !== undefined) return say`no response: ${failure}`;
  if (status < 200 || status > 299) return say`${status}`;
  const found = Object.entries(error).find(([path, value]) => valueAt(body, pathOf(path)) === value);
  return found && say`${status} with ${quote(`${found[0]}: ${JSON.stringify(found[1])}`)}`;
}

const NO_CONTENT = 204;

const cursorParams = (way: Way): readonly string[] => ('page' in way || 'offset' in way ? [] : paramsOfWay(way));

const NO_MORE: readonly unknown[] = [undefined, null, '', false];

/** @returns the items of a body. A path may go on inside of an array: `entry[].resource`. */
export function itemsOf(body: unknown, path: Path): readonly unknown[] | undefined {
  const items = valueAt(body, path);
  if (Array.isArray(items)) return items as readonly unknown[];
  const { array, inside } = splitAtArray(path);
  const outer = inside.length === 0 ? undefined : valueAt(body, array);
  if (!Array.isArray(outer)) return undefined;
  return outer.map((item: unknown) => valueAt(item, inside)).filter((item) => item !== undefined);
}

/** @returns the texts of the items in the text of a body. */
function sourcesOf(text: string, path: Path): readonly string[] {
  const { array, inside } = splitAtArray(path);
  if (inside.length === 0) return elementsAt(text, path);
  return elementsAt(text, array).flatMap((source) => sourceAt(source, inside) ?? []);
}

/** @returns the path of an array, and that inside of its elements. */
function splitAtArray(path: Path): { readonly array: Path; readonly inside: Path } {
  const at = path.findIndex((name) => name.endsWith('[]'));
  const name = path[at]?.slice(0, -2) ?? '';
  return { array: [...path.slice(0, at), ...(name === '' ? [] : [name])], inside: at < 0 ? [] : path.slice(at + 1) };
}

/** @returns an id as a cursor, from its JSON text. */
export const plainId = (id: string): string => (id.startsWith('"') ? (JSON.parse(id) as string) : id); // A JSON string.

/** An item has no id. */
class NoId extends Untestable {}

type Choose = (ids: readonly string[]) => string;

export class List {
  readonly profile: Profile;
  readonly session: Session;
  readonly #items: Path;
  readonly #id: Path;
  readonly #declared: readonly string[];
  readonly #start: string;
  readonly #pick: Choose;
  /** The parameters of both directions. A server may reject them together. */
  readonly #cursors: readonly string[];

  /**
   * @param pick chooses the id of a page that is the cursor of the next one: the last, unless the list is read backward.
   * @param opposite the way of the other direction.
   */
  constructor(
    profile: Profile,
    session: Session,
    pick: Choose = (ids) => ids.at(-1) ?? '',
    opposite: Way | undefined = profile.previous,
  ) {
    this.#pick = pick;
    this.#cursors = [profile.next, ...(opposite === undefined ? [] : [opposite])].flatMap(cursorParams);
    this.profile = profile;
    this.session = session;
    this.#items = pathOf(profile.items);
    this.#id = pathOf(profile.id);
    this.#declared = [...(profile.order ?? []).map(propertyOf), ...Object.keys(profile.filter ?? {})];
    this.#start = startOf(profile);
    for (const param of cursorParams(profile.next)) session.own(param);
  }

  /** The request of the first page. @param size of the page; the list's default if undefined. */
  first(size?: number): string {
    const { next } = this.profile;
    const target = 'page' in next && next.first === 0 ? withParam(this.#start, next.page, 0) : this.#start;
    return size === undefined ? target : this.withSize(target, size);
  }

  /** @returns what is known of the size. @throws NotChecked if the list has none. */
  requireSize(): Size {
    const { size } = this.profile;
    if (size === undefined) throw new DoesNotApply(say`no page size is known (--size)`);
    return size;
  }

  /** The request of the page before an item, if ids are cursors of the previous page too. */
  before(id: string, size?: number): string | undefined {
    const { previous } = this.profile;
    return previous !== undefined && 'id' in previous
      ? withParam(this.first(size), previous.id, plainId(id))
      : undefined;
  }

  /** The same request with another size. */
  withSize(target: string, size: number): string {
    const { size: declared } = this.profile;
    return declared === undefined ? target : withParam(target, declared.param, size);
  }

  /** @returns the same list, whose next page is the previous one. @param pick chooses the cursor, if ids are cursors. */
  backward(pick: Choose): List {
    const { previous, ...profile } = this.profile;
    if (previous === undefined) throw new Error('The profile has no way back.');
    // `has_more` may speak of the other direction.
    const next = 'id' in previous ? { id: previous.id } : previous;
    return new List({ ...profile, next }, this.session, pick, profile.next);
  }

  /** Reads a page. */
  async page(target: string, who?: Who): Promise<Page | NoPage> {
    return this.read(await this.session.get(target, who));
  }

  /** Reads what may be no page of the list: an item without an id there says nothing of the list's ids. */
  async probe(target: string, who?: Who): Promise<Page | NoPage> {
    const answer = await this.session.get(target, who);
    try {
      return this.read(answer);
    } catch (error) {
      if (!(error instanceof NoId)) throw error;
      return { ...answer, reason: say`${answer.status} with an item that has no ${code(this.profile.id)}` };
    }
  }

  /** @returns a response as a page, or why it is none. @throws NoId if an item has no id. */
  read(answer: Answer): Page | NoPage {
    const way = this.profile.next;
    const { status, body } = answer;
    const reason = errorOf(this.profile, answer);
    if (reason !== undefined) return { ...answer, reason };
    if (body === undefined && status !== NO_CONTENT)
      return { ...answer, reason: say`${status} with a body that is not JSON` };
    const mayLack = this.profile.empty === undefined && (status === NO_CONTENT || this.#isEmptyHere(body));
    const items = itemsOf(body, this.#items) ?? (mayLack ? [] : undefined);
    if (items === undefined)
      return { ...answer, reason: say`${status} without an array at ${code(this.profile.items)}` };
    const { previous } = this.profile;
    return {
      ...{ target: answer.target, request: answer.request, ids: this.idsIn(answer, items) },
      next: this.nextOf(way, answer, items),
      previous: previous === undefined || 'id' in previous ? undefined : this.nextOf(previous, answer, items),
      total: totalIn(answer, items.length),
      pageCount: pageCountIn(answer),
      values: Object.fromEntries(
        this.#declared.map((name) => [name, items.map((item) => valueAt(item, pathOf(name)))]),
      ),
      edges: [plainValues(items[0]), plainValues(items.at(-1))],
      strays: this.#straysIn(answer),
    };
  }

  // Some lists leave the array out, or set it to null, where there are no items. An error does so too.
  #isEmptyHere(body: unknown): boolean {
    if (this.#items.length === 0 || typeof body !== 'object' || body === null) return false;
    const value = valueAt(body, this.#items);
    return (
      value === null ||
      (value === undefined && !Object.keys(body).some((it) => /^(errors?|message|detail|fault|reason)$/i.test(it)))
    );
  }

  /** @returns the ids of items as JSON texts: 1 and "1" differ, and so do numbers beyond 2^53. */
  idsIn({ text, request }: Answer, items: readonly unknown[]): readonly string[] {
    let sources: readonly string[] | undefined;
    return items.map((item, at) => {
      const id = valueAt(item, this.#id);
      if (typeof id === 'number' && !Number.isSafeInteger(id)) {
        sources ??= sourcesOf(text, this.#items);
        return sourceAt(sources[at] ?? '', this.#id) ?? 'null';
      }
      if (typeof id !== 'string' && typeof id !== 'number')
        throw new NoId(
          say`An item of ${request} has no string or number at ${code(this.profile.id)}. Name the id with --id.`,
        );
      return JSON.stringify(id);
    });
  }

  /** @returns the items of a response. */
  itemsIn({ body }: Answer): readonly unknown[] {
    return itemsOf(body, this.#items) ?? [];
  }

  /** @returns the texts of a response's items, byte for byte. */
  sourcesIn({ text }: Answer): readonly string[] {
    return sourcesOf(text, this.#items);
  }

  /** @returns the request that a response leads to by a way; `undefined` if it leads nowhere. */
  nextOf(way: Way, answer: Answer, items: readonly unknown[]): string | undefined {
    const { target, body, headers } = answer;
    const to = (link: unknown): string | undefined => {
      const found =
        typeof link === 'string' && link !== '' ? resolve(link, target, this.session.origin)?.target : undefined;
      return found === undefined ? undefined : this.#withHeader(found, target);
    };
    if (way.more !== undefined && NO_MORE.includes(valueAt(body, pathOf(way.more)))) return undefined;
    if ('url' in way) {
      const base = way.base === undefined ? undefined : valueAt(body, pathOf(way.base));
      return to(behindBase(valueAt(body, pathOf(way.url)), base));
    }
    if ('header' in way) return to(headers.get(way.header.toLowerCase()));
    if ('link' in way) {
      const found = linksOf(headers.get('link')).get(way.link);
      return found === undefined || (way.until !== undefined && found.attributes.includes(way.until))
        ? undefined
        : to(found.url);
    }
    if ('token' in way) {
      const text = this.#tokenAt(answer, way.token, way.from);
      const isEnd = way.end === 'same' ? text === paramsOf(target).get(way.token) : text === String(way.end ?? '');
      return text === undefined || isEnd ? undefined : withParam(this.#onward(target, way.token), way.token, text);
    }
    if ('tokens' in way) {
      const tokens = Object.entries(way.tokens).flatMap(([param, from]) => {
        const text = this.#tokenAt(answer, param, from);
        return text === undefined || text === '' ? [] : [[param, text] as const];
      });
      if (tokens.length === 0) return undefined;
      const start = Object.keys(way.tokens).reduce((it, param) => withRaw(it, param), target);
      return tokens.reduce((it, [param, text]) => withParam(it, param, text), start);
    }
    if (items.length === 0) return 'id' in way && way.more !== undefined ? target : undefined; // It says that more follow, and gives no other cursor.
    if ('id' in way) {
      const id = this.#pick(this.idsIn(answer, items));
      if (id.startsWith('"')) this.session.asText(way.id);
      return withParam(this.#onward(target, way.id), way.id, plainId(id));
    }
    if ('page' in way) return withParam(target, way.page, Number(paramsOf(target).get(way.page) ?? way.first ?? 1) + 1);
    return withParam(target, way.offset, Number(paramsOf(target).get(way.offset) ?? way.first ?? 0) + items.length);
  }

  /** @returns where a link leads, with the size if that stands in a header: no link can have it. */
  #withHeader(link: string, target: string): string {
    const header = this.profile.size?.header;
    const value = header === undefined ? undefined : paramsOf(target).get(header);
    return header === undefined || value === undefined ? link : withParam(link, header, value);
  }

  /** @returns a token as the parameter takes it: numbers keep their digits, an object is JSON. */
  #tokenAt({ body, text }: Answer, param: string, from: string): string | undefined {
    const token = valueAt(body, pathOf(from));
    const isObject = typeof token === 'object' && token !== null && Object.keys(token).length > 0;
    if (isObject || typeof token === 'number') return sourceAt(text, pathOf(from));
    if (typeof token !== 'string') return undefined;
    this.session.asText(param);
    return token;
  }

  /** @returns a target without the cursor of the other direction. */
  #onward(target: string, param: string): string {
    return this.#cursors.filter((name) => name !== param).reduce((onward, name) => withRaw(onward, name), target);
  }

  /** Whether what a response states as the next page leads to another origin; another scheme alone is none. */
  leadsElsewhere(way: Way, { target, body, headers }: Answer): boolean {
    const link =
      'url' in way
        ? valueAt(body, pathOf(way.url))
        : 'link' in way
          ? linksOf(headers.get('link')).get(way.link)?.url
          : 'header' in way
            ? headers.get(way.header.toLowerCase())
            : undefined;
    const origin = typeof link === 'string' ? resolve(link, target, this.session.origin)?.origin : undefined;
    return origin !== undefined && origin.replace(/^https?:/, '') !== this.session.origin.replace(/^https?:/, '');
  }

  #straysIn({ target, body, headers }: Answer): readonly Stray[] {
    const { origin, forbidden } = this.session;
    return [...linksIn(body), ...[...linksOf(headers.get('link')).values()].map(({ url }) => url)].flatMap(
      (link): readonly Stray[] => {
        const found = resolve(link, target, origin);
        if (found === undefined) return [];
        const shown = quote(link, LONG);
        const isSecret = forbidden
          .flatMap((it) => [it, encodeURIComponent(it)])
          .some((it) => link.includes(it) && !target.includes(it));
        const strays: Stray[] = isSecret ? [{ link: shown, why: 'secret' }] : [];
        if (found.origin === undefined) return strays;
        const isInsecure = found.origin === origin.replace(/^https:/, 'http:');
        return [...strays, { link: shown, why: isInsecure ? 'insecure' : 'origin' }];
      },
    );
  }
}

/** @returns a link behind the base that stands beside it, as in `_links: { base: 'https://host/wiki', next: '/rest/…' }`. */
function behindBase(link: unknown, base: unknown): unknown {
  const isBased = typeof link === 'string' && link.startsWith('/') && typeof base === 'string' && URL.canParse(base);
  return isBased ? base.replace(/\/$/, '') + link : link;
}

const MAX_VALUE = 64;

/** @returns the short texts and the numbers of an item, by their names. */
export function plainValues(item: unknown): Values {
  if (typeof item !== 'object' || item === null) return {};
  return Object.fromEntries(
    Object.entries(item).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'number' || (typeof entry[1] === 'string' && entry[1].length <= MAX_VALUE),
    ),
  );
}

const LINK_NAME = /next|prev|first|last|self|link|href/i;
const MAX_LINK_DEPTH = 4;

// No reader looks at more.
const MAX_LINKS = 1000;

/** @returns the URLs of a body outside of its arrays, under names of links. */
const linksIn = (body: unknown): readonly string[] =>
  [...valuesIn(body, MAX_LINK_DEPTH)]
    .flatMap(({ path, value }) =>
      typeof value === 'string' && /^https?:\/\//i.test(value) && path.some((name) => LINK_NAME.test(name))
        ? [value]
        : [],
    )
    .slice(0, MAX_LINKS);

export const TOTALS: readonly string[] = [
  ...'total totalCount total_count totalItems total_items total_results totalResults'.split(' '),
  ...'total_records totalElements total_rows numberMatched total_rooms total_size hydra:totalItems'.split(' '),
  ...'@odata.count nbHits numFound total_entries totalResultsCount'.split(' '),
  'count', // Beside another one, it is the number of a page's items.
];
const TOTAL_HEADERS = ['x-total-count', 'x-total', 'total-count', 'total-records', 'total-objects'];

export const PAGE_COUNTS: readonly string[] = [
  ...'total_pages totalPages total_page totalPage pages last_page lastPage page_count pageCount nbPages'.split(' '),
  ...'num_pages numPages number_of_pages max_page'.split(' '),
];
const PAGE_COUNT_HEADERS = ['x-wp-totalpages', 'x-total-pages', 'x-page-count', 'pagination-pages'];

const PLACES = [
  ...['', ...'meta pagination paging page_info pageInfo meta.pagination page meta.page'.split(' ')],
  ...'response hits hits.total result_info _meta links cursor'.split(' '),
].map(pathOf);

/** @returns the whole numbers under the names, in their order. */
function statedIn(
  { body, headers }: Answer,
  names: readonly string[],
  headerNames: readonly string[],
): readonly Stated[] {
  const inBody = PLACES.flatMap((path) =>
    names.flatMap((name): readonly Stated[] => {
      const value = valueAt(body, [...path, name]);
      return isCount(value) ? [{ name: pathText([...path, name]), value }] : [];
    }),
  );
  const inHeaders = headerNames.map((name) => ({ name, value: Number(headers.get(name) ?? NaN) }));
  return [...inBody, ...inHeaders.filter(({ value }) => isCount(value))];
}
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** @returns what may be the number of all items: one that is not that of the items of this page, if there is another. */
function totalIn(answer: Answer, length: number): Stated | undefined {
  const all = statedIn(answer, TOTALS, TOTAL_HEADERS);
  return all.find(({ value }) => value !== length) ?? all[0];
}
const pageCountIn = (answer: Answer): Stated | undefined => statedIn(answer, PAGE_COUNTS, PAGE_COUNT_HEADERS)[0];
