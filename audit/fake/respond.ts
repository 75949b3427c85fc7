/** What a served list responds: from a request to a status, headers and a body. Nothing here knows sockets. */
import { pathOf } from '../lists/json.ts';
import type { Profile } from '../lists/profile.ts';
import { isPlainHeader, isSecretName, paramsOf, queryOf } from '../lists/target.ts';
import { bodyOf, targetOf } from './body.ts';
import { jsonText, setAt } from './json.ts';
import { linkFields, linkTo } from './links.ts';
import type { Asked } from './links.ts';
import { Pages } from './pages.ts';
import type { Page, Params } from './pages.ts';
import { Rejected } from './rejected.ts';
import type { Sample } from './sample.ts';
import type { Canned, Effect, Fault } from './scenario.ts';
import { hasValue, pathIn } from './served.ts';

export interface Request extends Asked {
  readonly method: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` if there is none. */
  readonly text: string | undefined;
  /** What happens instead of the page, which is the reply otherwise. */
  readonly fault?: Canned | undefined;
  /** The number of the page, and of its items. */
  readonly page?: { readonly number: number; readonly items: number; readonly hasNext: boolean };
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
/** Where a redirect of a scenario leads to. */
export const MOVED = '/moved-by-rollcall';
// Enough to be above 64 KiB.
const PADDING = 70_000;

interface Options {
  readonly effect: Effect;
  readonly count?: number | undefined;
  readonly pageSize: number;
}

export class Responder {
  readonly #profile: Profile;
  readonly #sample: Sample;
  readonly #effect: Effect;
  /** The list, that of another account, and another list of the API. */
  readonly #pages: Pages;
  readonly #account: Pages;
  readonly #list: Pages;
  #faults = 0;

  constructor(profile: Profile, sample: Sample, options: Options) {
    this.#profile = profile;
    this.#sample = sample;
    this.#effect = options.effect;
    const made = (salt: string): Pages => new Pages(profile, sample, { ...options, salt });
    [this.#pages, this.#account, this.#list] = [made('list'), made('account'), made('other')];
  }

  /** The ids of the items, in their order. */
  get ids(): readonly string[] {
    return this.#pages.ids;
  }

  /** The ids of items that are added meanwhile. */
  get added(): readonly string[] {
    return this.#pages.added;
  }

  respond(request: Request): Reply {
    try {
      return this.#respond(request);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return this.#error(error.status, error.message);
    }
  }

  #respond(request: Request): Reply {
    const { method, target, headers, elsewhere } = request;
    const path = target.replace(/\?.*$/s, '').replace(MOVED, '');
    const query = new URLSearchParams(queryOf(target));
    const { url, get, other } = this.#profile;
    const id = itemIn(get, path);
    const isList = path === pathIn(url);
    const isOther = other?.url !== undefined && path === pathIn(other.url);
    if (!isList && !isOther && id === undefined) throw new Rejected(404, 'there is nothing at this path');
    if (method !== 'GET' && method !== 'HEAD') {
      const { status, headers: all, text } = this.#error(405, 'only GET is allowed');
      return { status, text, headers: [...all, ['Allow', 'GET, HEAD']] };
    }
    const isAccount = this.#requireKey(headers, query, elsewhere !== undefined);
    const pages = isOther ? this.#list : isAccount ? this.#account : this.#pages;
    if (id !== undefined && !isList) return this.#item(pages, id, request);
    this.#requireParams(query);
    const page = pages.page(query);
    return this.#reply(page, request, pages === this.#pages);
  }

  /** @returns whether the key is that of the other account. @throws Rejected if there is none. */
  #requireKey(headers: Request['headers'], query: URLSearchParams, isOwnOrigin: boolean): boolean {
    const { headers: own = {}, other, params = {} } = this.#profile;
    if (!isOwnOrigin) return false;
    const has = (all: Readonly<Record<string, string>>): boolean =>
      Object.entries(all).every(([name, value]) => isPlainHeader(name) || hasValue(headers[name.toLowerCase()], value));
    const others = other?.headers ?? {};
    if (Object.keys(others).length > 0 && has({ ...own, ...others })) return true;
    const keys = Object.entries(params).filter(([name]) => isSecretName(name));
    const isKnown =
      has(own) && this.#hasUser(headers['authorization']) && keys.every(([name, it]) => query.get(name) === it);
    if (!isKnown) throw new Rejected(401, 'the key is missing or wrong');
    return false;
  }

  #hasUser(authorization: string | undefined): boolean {
    const { auth } = this.#profile;
    return auth === undefined || authorization === `Basic ${Buffer.from(auth).toString('base64')}`;
  }

  /** @throws Rejected if a parameter is missing that every request must have. */
  #requireParams(query: URLSearchParams): void {
    const { params = {}, url, size } = this.#profile;
    for (const [name, value] of [...paramsOf(url), ...Object.entries(params)])
      if (name !== size?.param && query.get(name) !== value) throw new Rejected(400, `${name} must be ${value}`);
  }

  #item(pages: Pages, id: string, request: Request): Reply {
    const item = pages.item(id);
    if (item === undefined) return this.#error(404, 'there is no such item');
    const fault = pages === this.#pages ? this.#faultOn(['item'], request) : undefined;
    return { status: 200, headers: [JSON_TYPE], text: jsonText(item.body()), fault };
  }

  #reply(page: Page, request: Request, isOwn: boolean): Reply {
    const { profile, effect } = { profile: this.#profile, effect: this.#effect };
    const list = { profile, effect, sample: this.#sample };
    const body = bodyOf(list, page, request);
    const headers = [...this.#links(page, request), ...this.#total(page)];
    const shown = { number: page.number, items: page.items.length, hasNext: page.next !== undefined };
    const { isFirst, isSecond } = page;
    const place = [...(isFirst ? (['first'] as const) : []), ...(isSecond ? (['second'] as const) : [])];
    const fault = isOwn ? this.#faultOn(place, request) : undefined;
    if (body === undefined) return { status: 204, headers, text: undefined, page: shown };
    return {
      ...{ status: 200, headers: [typeOf(effect), ...headers], text: this.#text(body), fault, page: shown },
    };
  }

  #text(body: unknown): string {
    const { body: forms = [] } = this.#effect;
    const text = jsonText(body);
    const padded = forms.includes('large') ? text.slice(0, 1) + '\n'.repeat(PADDING) + text.slice(1) : text;
    return forms.includes('mark') ? `\ufeff${padded}` : padded;
  }

  #total({ total }: Page): Reply['headers'] {
    const isArray = pathOf(this.#profile.items).length === 0;
    return this.#profile.total !== undefined && isArray ? [['X-Total-Count', String(total)]] : [];
  }

  #links(page: Page, request: Request): Reply['headers'] {
    const { next, previous } = this.#profile;
    const url = (params: Params): string =>
      linkTo(targetOf(params, request, this.#profile), request, undefined, this.#effect, page.number);
    const both = [
      { way: next, params: page.next },
      ...(previous === undefined ? [] : [{ way: previous, params: page.previous }]),
    ];
    const relations = both.flatMap(({ way, params }) => {
      if (!('link' in way)) return [];
      // A link that is always there says itself whether it leads to something.
      if (params === undefined) return way.until === undefined ? [] : [{ way, url: url({}), leads: false }];
      return [{ way, url: url(params), leads: true }];
    });
    const self = request.origin + request.target;
    const fields = both.flatMap(({ way, params }) => {
      if (!('header' in way)) return [];
      if (params === undefined) return this.#effect.end === 'empty' ? [[way.header, ''] as const] : [];
      return [[way.header, url(params)] as const];
    });
    return [...linkFields(relations, self, this.#effect, page.number), ...fields];
  }

  #faultOn(place: readonly Fault['on'][], { target }: Request): Canned | undefined {
    const { fault } = this.#effect;
    if (fault === undefined || target.startsWith(MOVED) || !place.includes(fault.on)) return undefined;
    if (fault.once === true && this.#faults > 0) return undefined;
    this.#faults += 1;
    return fault.reply;
  }

  /** @returns an error of the API. */
  #error(status: number, message: string): Reply {
    const headers = [JSON_TYPE, ...(status === 401 ? [this.challenge] : [])];
    return { status, headers, text: this.errorText(status, message) };
  }

  /** What every 401 must have (RFC 9110, 15.5.2). */
  get challenge(): readonly [name: string, value: string] {
    const { auth, headers = {} } = this.#profile;
    const [, own] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? [];
    return ['WWW-Authenticate', auth !== undefined || /^basic /i.test(own ?? '') ? 'Basic realm="list"' : 'Bearer'];
  }

  /** @returns the body of an error, with what the profile says that marks one. */
  errorText(status: number, message: string): string {
    const body = { error: { status, message } };
    for (const [path, value] of Object.entries(this.#profile.error ?? {})) setAt(body, pathOf(path), value);
    return jsonText(body);
  }
}

const typeOf = ({ body = [] }: Effect): readonly [string, string] =>
  body.includes('charset') ? ['Content-Type', 'application/json; charset=utf-8'] : JSON_TYPE;

/** @returns the id of the item that a path asks for, where the profile's `get` has `{id}`. */
export function itemIn(get: string | undefined, path: string): string | undefined {
  const template = get === undefined ? '' : pathIn(get);
  if (template === '') return undefined;
  const [before = '', after = ''] = template.split(/\{id\}|%7Bid%7D/i);
  if (!path.startsWith(before) || !path.endsWith(after) || path.length <= before.length + after.length)
    return undefined;
  const id = path.slice(before.length, path.length - after.length);
  try {
    return id.includes('/') ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}
