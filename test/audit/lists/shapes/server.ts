/** A list API of any shape over fixed rows. A shape is a value; a fault is a few hooks. Nothing here knows what `audit` does. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Way } from '../../../../audit/lists/profile.ts';

export interface Row {
  readonly n: number;
  readonly created: string;
  readonly name: string;
}
interface Size {
  /** Its parameter, if it has one. */
  readonly param?: string;
  readonly default: number;
  readonly max: number;
  readonly min?: number;
  /** The status for a larger size, which is cut otherwise. */
  readonly over?: number;
  /** The status for one that makes no sense, which means the default otherwise. */
  readonly invalid?: number;
  /** Whether a page of 0 items may be asked for. */
  readonly zero?: boolean;
  /** Whether links state the size, though it was not asked for. */
  readonly stated?: boolean;
}
interface Place {
  /** How many rows are before it. */
  readonly at: number;
  readonly isBackward?: boolean;
}
/** Places as texts. */
export interface Codec {
  readonly write: (place: Place) => string;
  readonly read: (text: string, isBackward: boolean) => Place | undefined;
}
/** What leads to a page. */
interface Position {
  /** `own` is the id of an item that the client has read; a token is made by the server. */
  readonly kind: 'page' | 'offset' | 'own' | 'token';
  /** The parameter; empty if the token is the end of the path. */
  readonly param: string;
  /** The parameter of the way back, where it is another. Both together are 400. */
  readonly back?: string;
  /** The number of the first page or item; 1 for pages, 0 for items. */
  readonly first?: number;
  readonly codec?: (rows: readonly Row[]) => Codec;
  /** A value that means the first page. */
  readonly initial?: string;
  /** Where links lead to. */
  readonly path?: string;
  /** The status for a value that makes no sense, which means the first page otherwise; and beyond the end, where a page is empty otherwise. */
  readonly bad?: number;
  readonly beyond?: number;
  /** Whether any text is a place, because it is compared. */
  readonly takesAny?: boolean;
  /** How many items may be reached. */
  readonly window?: number;
}
export interface Page {
  readonly rows: readonly Row[];
  readonly items: readonly unknown[];
  /** How many rows are before it. */
  readonly start: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
  /** As the API counts. */
  readonly number: number;
  /** Whether there are more in the direction of travel. */
  readonly more: boolean;
  /** The position of the next page; undefined at the end. */
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** The position behind a row, at any place. */
  readonly position: (place: Place) => string;
  readonly origin: string;
  readonly link: (to: 'self' | 'first' | 'previous' | 'next' | 'last') => string | undefined;
}
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
export interface Shape {
  /** With the query that a user gives. */
  readonly path: string;
  /** What every request needs. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly count?: number;
  readonly isOldestFirst?: boolean;
  readonly size: Size;
  readonly at: Position;
  /** When a next page is stated: as long as an item is left, if the page is full, if it has items, or always. */
  readonly states?: 'full' | 'items' | 'always';
  /** Whether an unknown parameter is 400. */
  readonly isStrict?: boolean;
  /** Rules that the API itself breaks, as it is documented. */
  readonly breaks?: readonly string[];
  readonly item: (row: Row) => unknown;
  readonly body: (page: Page) => unknown;
  readonly head?: (page: Page) => Readonly<Record<string, string>>;
  readonly status?: (page: Page) => number;
  readonly error?: (status: number, message: string) => Reply;
  /** What must be found: any of the ways, the first of which is the one that the API documents. `base` is before its URLs. */
  readonly right: {
    readonly items: string;
    readonly id: string;
    readonly next: readonly [Way, ...Way[]];
    readonly base?: string;
  };
}

/** What a fault changes. */
export interface Hooks {
  /** @returns how many rows are before a page, of a request that goes forward and is not the first. */
  readonly start?: (at: number, size: number, rows: readonly Row[]) => number;
  /** @returns whether a next page is stated, if so many rows are left. */
  readonly more?: (left: number) => boolean;
  /** @returns the rows of a page, with so many before it and so many left. */
  readonly rows?: (rows: readonly Row[], page: { readonly size: number; readonly left: number }) => readonly Row[];
  readonly link?: (next: URL) => void;
  /** The status of a cursor or number that makes no sense, and of the page that the first page leads to. */
  readonly bad?: number;
  readonly broken?: number;
  readonly count?: number;
}

class Rejected extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a broken link has. */
const BROKEN = 'moved';
const NEWEST = Date.UTC(2026, 0, 31);
const MINUTE_MS = 60_000;

/** @returns rows, newest first. Every seventh and the two behind it share an instant, and so do twenty in the middle. */
function rowsOf(count: number): readonly Row[] {
  const instant = (at: number): number => (at >= 52 && at < 72 ? 52 : at - Math.min(at % 7, 2));
  return Array.from({ length: count }, (_, at) => ({
    n: count - at,
    created: new Date(NEWEST - instant(at) * MINUTE_MS).toISOString(),
    name: `Row ${String(count - at).padStart(4, '0')}`,
  }));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const opaque = (): Codec => ({
  write: ({ at, isBackward = false }) => {
    const payload = Buffer.from(JSON.stringify([at, isBackward])).toString('base64url');
    return `${payload}${digest(payload)}`;
  },
  read: (text) => {
    const payload = text.slice(0, -8);
    if (payload === '' || digest(payload) !== text.slice(-8)) return undefined;
    const [at, isBackward] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, boolean]; // Made here.
    return { at, isBackward };
  },
});

/** @returns how many items a list has. */
export const countOf = ({ count = 137 }: Shape, hooks: Hooks = {}): number => hooks.count ?? count;

/** @returns what responds to requests. */
export function listOf(
  shape: Shape,
  hooks: Hooks = {},
): (url: URL, headers: Readonly<Record<string, unknown>>) => Reply {
  const { size: sizes, at: position, headers: needed = {} } = shape;
  const newest = rowsOf(countOf(shape, hooks));
  const rows = shape.isOldestFirst === true ? newest.toReversed() : newest;
  const own = new URL(shape.path, 'http://list');
  const isNumbered = position.kind === 'page' || position.kind === 'offset';
  const first = position.first ?? (position.kind === 'page' ? 1 : 0);
  const codec = (position.codec ?? opaque)(rows);
  const isLinked = ['url', 'link', 'header'].some((it) => it in shape.right.next[0]);
  const ofFirstPage = new Set<string>();
  const known = new Set([sizes.param, position.param, position.back, ...own.searchParams.keys()]);
  const bad = hooks.bad ?? position.bad;

  const sizeOf = (query: URLSearchParams): number => {
    const text = sizes.param === undefined ? null : query.get(sizes.param);
    if (text === null) return sizes.default;
    const asked = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (asked === 0 && sizes.zero === true) return 0;
    if (asked < (sizes.min ?? 1)) {
      if (sizes.invalid !== undefined) throw new Rejected(sizes.invalid, `invalid ${String(sizes.param)}`);
      return sizes.default;
    }
    if (asked > sizes.max && sizes.over !== undefined) throw new Rejected(sizes.over, 'the size is above the maximum');
    return Math.min(asked, sizes.max);
  };

  const placeOf = (url: URL, size: number): Place => {
    const { param, back, path = '', initial } = position;
    const ahead = param === '' ? url.pathname.slice(path.length) : url.searchParams.get(param);
    const behind = back === undefined ? null : url.searchParams.get(back);
    if (ahead !== null && behind !== null) throw new Rejected(400, 'one cursor only');
    const text = ahead ?? behind;
    if (text === null || text === initial || (param === '' && text === '')) return { at: 0 };
    let place: Place | undefined;
    if (isNumbered) {
      const number = /^\d{1,15}$/.test(text) ? Number(text) - first : -1;
      if (number >= 0) place = { at: number * (position.kind === 'page' ? size : 1) };
    } else place = codec.read(text, behind !== null);
    if (place === undefined) {
      if (bad === undefined) return { at: 0 };
      throw new Rejected(bad, 'invalid position');
    }
    if (hooks.broken !== undefined && !isLinked && ofFirstPage.has(text)) throw new Rejected(hooks.broken, 'failed');
    if (position.window !== undefined && place.at + size > position.window) throw new Rejected(400, 'too far');
    const isBeyond = position.kind === 'page' ? place.at >= rows.length : place.at > rows.length;
    if (isBeyond && position.beyond !== undefined && hooks.start === undefined)
      throw new Rejected(position.beyond, 'beyond the end');
    return behind === null ? place : { ...place, isBackward: true };
  };

  const respond = (url: URL, headers: Readonly<Record<string, unknown>>): Reply => {
    const query = url.searchParams;
    if (query.has(BROKEN)) throw new Rejected(hooks.broken ?? 404, 'not here');
    const isBehind = position.path !== undefined && url.pathname.startsWith(position.path);
    if (url.pathname !== own.pathname && !isBehind) throw new Rejected(404, 'not found');
    if (Object.entries(needed).some(([name, value]) => headers[name.toLowerCase()] !== value))
      throw new Rejected(401, 'the key is missing');
    const unknown = [...query.keys()].find((it) => !known.has(it));
    if (shape.isStrict === true && unknown !== undefined) throw new Rejected(400, `unknown parameter ${unknown}`);
    const size = sizeOf(query);
    const { at, isBackward = false } = placeOf(url, size);
    const isFirst = at === 0;
    const asked = isFirst || isBackward ? at : (hooks.start?.(at, size, rows) ?? at);
    const start = isBackward ? Math.max(0, at - size) : asked;
    const whole = rows.slice(start, isBackward ? at : start + size);
    const left = Math.max(0, rows.length - start - whole.length);
    const shown = isBackward ? whole : (hooks.rows?.(whole, { size, left }) ?? whole);
    const isStated = { full: whole.length === size, items: whole.length > 0, always: true, left: left > 0 };
    const hasNext = (hooks.more ?? (() => isStated[shape.states ?? 'left']))(left);
    const hasPrevious = start > 0;

    const write = (place: Place): string => {
      if (position.kind === 'page') return String(Math.floor(place.at / Math.max(size, 1)) + first);
      return position.kind === 'offset' ? String(place.at + first) : codec.write(place);
    };
    // A number goes on from where the page should have begun, whatever it had.
    const next = hasNext ? write({ at: isNumbered ? at + size : start + whole.length }) : undefined;
    const before = isNumbered ? Math.max(0, start - size) : start;
    const previous = hasPrevious ? write({ at: before, isBackward: !isNumbered }) : undefined;
    if (isFirst && next !== undefined) ofFirstPage.add(next);
    const linkTo = (value: string | undefined, param: string): URL => {
      const link = new URL(url);
      for (const name of [position.param, position.back ?? '']) link.searchParams.delete(name);
      if (sizes.stated === true && sizes.param !== undefined) link.searchParams.set(sizes.param, String(size));
      if (value !== undefined && position.path !== undefined) link.pathname = position.path;
      if (value !== undefined && param === '') link.pathname += value;
      else if (value !== undefined) link.searchParams.set(param, value);
      return link;
    };
    const page: Page = {
      rows: shown,
      items: shown.map((it) => shape.item(it)),
      start,
      size,
      total: rows.length,
      pages: Math.ceil(rows.length / Math.max(size, 1)),
      number: Math.floor(start / Math.max(size, 1)) + first,
      more: isBackward ? hasPrevious : hasNext,
      next,
      previous,
      position: write,
      origin: url.origin,
      link: (to) => {
        if (to === 'self') return url.href;
        if (to === 'first') return linkTo(isNumbered ? String(first) : undefined, position.param).href;
        const last = write({ at: Math.floor((rows.length - 1) / Math.max(size, 1)) * size });
        const value = { next, previous, last }[to];
        if (value === undefined) return undefined;
        const link = linkTo(value, to === 'previous' ? (position.back ?? position.param) : position.param);
        if (to === 'next') hooks.link?.(link);
        if (to === 'next' && isFirst && hooks.broken !== undefined) link.searchParams.set(BROKEN, '1');
        return link.href;
      },
    };
    return { status: shape.status?.(page) ?? 200, headers: shape.head?.(page) ?? {}, body: shape.body(page) };
  };

  return (url, headers) => {
    try {
      return respond(url, headers);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const { status, message } = error;
      return status < 500 && shape.error ? shape.error(status, message) : { status, body: { message, status } };
    }
  };
}

/** A list that listens. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly errors: readonly unknown[];
}

export async function serve(shape: Shape, hooks: Hooks = {}): Promise<Served> {
  const list = listOf(shape, hooks);
  const errors: unknown[] = [];
  const server = createServer((req, res) => {
    let reply: Reply;
    try {
      reply = list(new URL(req.url ?? '', `http://${req.headers.host ?? ''}`), req.headers);
    } catch (error) {
      errors.push(error);
      reply = { status: 500, body: {} };
    }
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${String(port)}${shape.path}`,
    errors,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
