/** A list API of one of six styles, newest first, over fixed rows. Hooks change one behaviour: a fault, or a variant that is as good. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export type Style = 'id' | 'token' | 'url' | 'link' | 'page' | 'offset';
export type Id = string | number | bigint;
export interface Row {
  readonly id: Id;
  readonly created: string;
  readonly name: string;
  /** What lists filter by, where they do. */
  readonly status?: string | null;
  /** What lists are ordered by, where that is not `created`. */
  readonly rank?: unknown;
}

/** The parameters that lead to a page. */
export type Position = Readonly<Record<string, string>>;
/** A request, as far as it has been read. */
export interface Call {
  /** The requests that the server has received, with this one. */
  readonly number: number;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly req: IncomingMessage;
  /** The size of the page, once it is known. */
  size: number;
  /** How many rows are before the page, in lists by page number or offset. */
  start: number;
  /** The row that the cursor names; `undefined` on page one. */
  anchor: Row | undefined;
  isBackward: boolean;
  /** For hooks: whether an earlier hook of this request has marked it. */
  isMarked: boolean;
  /** @returns the position of the page that follows a row. */
  to(row: Row | undefined): Position;
  /** @returns this URL at another position; `undefined` if there is none. */
  link(position: Position | undefined): string | undefined;
}
export interface Page {
  rows: readonly Row[];
  next: Position | undefined;
  previous: Position | undefined;
  total: number;
  /** How many rows follow in the direction of the request. */
  readonly left: number;
}
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
/** What becomes of a value that makes no sense: a number is the size to take instead, a row the one to follow. */
export type Treatment = 'reject' | 'crash' | 'ignore' | 'empty' | number | Row;

export interface Hooks {
  /** Responds before anything is read. */
  before?(call: Call): Reply | undefined;
  /** Whether the key is not needed. */
  isOpen?(call: Call): boolean;
  /** `part` is `damaged` if the cursor was once made here. */
  bad?(part: 'size' | 'cursor' | 'damaged' | 'number', value: string): Treatment | undefined;
  /** @returns how many rows are on a page. */
  size?(asked: number, max: number): number;
  /** @returns the list of this request. */
  order?(rows: readonly Row[], call: Call): readonly Row[];
  /** @returns where a page begins, in lists by page number or offset. */
  start?(start: number, rows: readonly Row[], call: Call): number;
  /** @returns the rows after a cursor. */
  following?(anchor: Row, rows: readonly Row[], call: Call): readonly Row[];
  /** @returns the rows before a cursor. */
  preceding?(anchor: Row, rows: readonly Row[], call: Call): readonly Row[];
  /** Changes a page. */
  page?(page: Page, call: Call): void;
  link?(link: string, rel: 'next' | 'prev', page: Page, call: Call): string;
  body?(page: Page, call: Call): unknown;
  /** Changes a response. */
  reply?(reply: Reply, call: Call): void;
}
interface Sizes {
  readonly default: number;
  readonly max: number;
  readonly rejects?: boolean;
}
export interface ListOptions extends Hooks {
  readonly style: Style;
  readonly rows?: readonly Row[];
  /** The default size and the maximum; a size above it is clamped, unless it is rejected. */
  readonly sizes?: Sizes;
  /** The key that every request needs. */
  readonly key?: string;
  /** The number of the first page, 1 by default, or that of the first item, 0 by default. */
  readonly first?: number;
  readonly hasNoTotal?: boolean;
  /** Whether no two tokens are the same. */
  readonly isSalted?: boolean;
  readonly transfer?: 'gzip' | 'chunks';
  /** Whether the list is read by POST: its parameters are members of an object, of one in it named `page`, or of a form. */
  readonly posted?: 'object' | 'deep' | 'form';
}

const PATH = '/items';
const SIZES: Sizes = { default: 10, max: 50 };
interface Names {
  readonly count: number;
  readonly size: string;
  readonly forward: string;
  readonly backward?: string;
  readonly id: (n: number) => Id;
}
/** Of each style: how many rows, the parameters, the ids. */
const STYLES: Readonly<Record<Style, Names>> = {
  id: { count: 60, size: 'limit', forward: 'starting_after', backward: 'ending_before', id: (n) => `cus_${padded(n)}` },
  token: { count: 120, size: 'limit', forward: 'cursor', id: (n) => n },
  url: { count: 90, size: 'limit', forward: 'cursor', id: (n) => n },
  link: { count: 72, size: 'per_page', forward: 'after', id: (n) => `${padded(n)}-${padded(n * 7)}` },
  page: { count: 84, size: 'size', forward: 'page', id: (n) => `item-${padded(n)}` },
  offset: { count: 96, size: 'limit', forward: 'offset', id: (n) => n },
};
const padded = (n: number): string => String(n).padStart(4, '0');

const NEWEST = Date.UTC(2026, 0, 31);
const MINUTE_MS = 60_000;

/** @returns rows in the order of the list, newest first. A sixth of them, from two fifths of the list on, share one instant. */
export function rowsOf(count: number, id: (n: number) => Id): readonly Row[] {
  const first = Math.floor(count * 0.4);
  return Array.from({ length: count }, (_, at) => {
    const isTie = at >= first && at < first + count / 6;
    const created = new Date(NEWEST - (isTie ? first : at) * MINUTE_MS).toISOString();
    return { id: id(count - at), created, name: `Row ${String(count - at)}` };
  });
}

/** @returns the rows of a style, unless options have others; and the names of its size and of its cursor or position. */
export const rowsOfStyle = (style: Style, count = STYLES[style].count): readonly Row[] =>
  rowsOf(count, STYLES[style].id);
export const sizeOfStyle = (style: Style): string => STYLES[style].size;
export const cursorOfStyle = (style: Style): string => STYLES[style].forward;

/** An id as JSON, so that 1 and "1" differ. */
const textOf = (id: Id): string => (typeof id === 'bigint' ? String(id) : JSON.stringify(id));
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);
const jsonOf = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? `#${String(value)}#` : value)).replaceAll(
    /"#(\d+)#"/g,
    '$1',
  );

const errorOf = (status: number, message: string): Reply => ({ status, headers: {}, body: { error: message } });
export const CRASH: Readonly<Reply> = errorOf(500, 'Internal error');

/** The request ends here. */
class Ended extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('ended');
    this.reply = reply;
  }
}

/** @returns what responds to requests. */
function createList(options: ListOptions): (req: IncomingMessage, posted: string) => Reply {
  const { style, rows = rowsOfStyle(style), sizes = SIZES, key, hasNoTotal = false } = options;
  const { first = style === 'page' ? 1 : 0 } = options;
  const names = STYLES[style];
  let requests = 0;

  const tokenOf = (row: Row, direction: string, call: Call): string => {
    const salt = options.isSalted === true ? [call.number] : [];
    const payload = Buffer.from(JSON.stringify([textOf(row.id), direction, ...salt])).toString('base64url');
    return `${payload}.${digest(payload)}`;
  };
  /** @returns the position before or after a row. */
  const positionOf = (row: Row | undefined, direction: 'next' | 'prev', call: Call): Position | undefined => {
    if (style === 'page') {
      const page = Math.floor(call.start / Math.max(call.size, 1)) + first;
      return { page: String(direction === 'next' ? page + 1 : page - 1) };
    }
    if (style === 'offset')
      return { offset: String(first + Math.max(0, call.start + (direction === 'next' ? call.size : -call.size))) };
    if (row === undefined) return undefined;
    if (style !== 'id') return { [names.forward]: tokenOf(row, direction, call) };
    return { [direction === 'next' ? names.forward : (names.backward ?? '')]: String(row.id) };
  };

  /** @returns the value of a parameter. @throws Ended, or returns the treatment, if it makes no sense. */
  const read = <T>(
    call: Call,
    name: string,
    part: 'size' | 'cursor' | 'number',
    parse: (value: string) => T | undefined,
  ): T | Extract<Treatment, number | Row> | undefined => {
    const values = call.query.getAll(name);
    const [value, second] = values;
    if (value === undefined) return undefined;
    const parsed = second === undefined ? parse(value) : undefined;
    if (parsed !== undefined) return parsed;
    const isDamaged = part === 'cursor' && style !== 'id' && (value.startsWith('Wy') || value.includes('.'));
    const treatment = options.bad?.(isDamaged ? 'damaged' : part, value) ?? 'reject';
    if (treatment === 'reject') throw new Ended(errorOf(400, `${name} is invalid`));
    if (treatment === 'crash') throw new Ended(CRASH);
    if (treatment !== 'empty') return treatment === 'ignore' ? undefined : treatment;
    throw new Ended(replyOf({ rows: [], next: undefined, previous: undefined, total: rows.length, left: 0 }, call));
  };
  const numberOf = (least: number) => (value: string) =>
    /^\d{1,30}$/.test(value) && Number(value) >= least ? Number(value) : undefined;
  const listOf = (call: Call): readonly Row[] => options.order?.(rows, call) ?? rows;
  const rowOf = (value: string, call: Call): Row | undefined => {
    const find = (test: (row: Row) => boolean): Row | undefined => listOf(call).find(test) ?? rows.find(test);
    if (style === 'id') return find((it) => String(it.id) === value);
    const [payload = '', sum] = value.split('.');
    if (sum !== digest(payload)) return undefined;
    const [id, direction] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string]; // Made here.
    call.isBackward = direction === 'prev';
    return find((it) => textOf(it.id) === id);
  };
  const readAll = (call: Call): void => {
    const asked = read(call, names.size, 'size', numberOf(1)) ?? sizes.default;
    if (typeof asked !== 'number') throw new TypeError('a size is a number');
    if (asked > sizes.max && sizes.rejects === true)
      throw new Ended(errorOf(400, `${names.size} is above the maximum`));
    call.size = options.size?.(asked, sizes.max) ?? (asked === Infinity ? asked : Math.min(asked, sizes.max));
    if (style === 'page' || style === 'offset') {
      const number = Number(read(call, names.forward, 'number', numberOf(first)) ?? first);
      call.start = (number - first) * (style === 'page' ? call.size : 1);
      return;
    }
    if (names.backward !== undefined && call.query.has(names.backward)) call.isBackward = true;
    const name = call.isBackward ? (names.backward ?? '') : names.forward;
    const anchor = read(call, name, 'cursor', (value) => rowOf(value, call));
    if (typeof anchor === 'number') throw new TypeError('a cursor is no number');
    call.anchor = anchor;
  };

  const pageOf = (call: Call): Page => {
    const { anchor, size } = call;
    const list = listOf(call);
    const total = list.length;
    const found = list.findIndex((it) => it.id === anchor?.id);
    const at =
      found >= 0 || anchor === undefined ? found : list.findIndex((it) => rows.indexOf(it) > rows.indexOf(anchor)) - 1;
    if (call.isBackward && anchor !== undefined) {
      const rest = options.preceding?.(anchor, list, call) ?? list.slice(0, at);
      const page = rest.slice(-size);
      const left = rest.length - page.length;
      const previous = left > 0 ? positionOf(page[0], 'prev', call) : undefined;
      return { rows: page, next: positionOf(page.at(-1), 'next', call), previous, total, left };
    }
    const start = options.start?.(call.start, list, call) ?? call.start;
    const rest =
      anchor === undefined ? list.slice(start) : (options.following?.(anchor, list, call) ?? list.slice(at + 1));
    const page = rest.slice(0, size);
    const left = rest.length - page.length;
    const hasPrevious = anchor !== undefined || start > 0;
    return {
      rows: page,
      next: left > 0 ? positionOf(page.at(-1), 'next', call) : undefined,
      previous: hasPrevious ? positionOf(page[0], 'prev', call) : undefined,
      total,
      left,
    };
  };

  const replyOf = (page: Page, call: Call): Reply => {
    const [next, previous] = (['next', 'prev'] as const).map((rel) => {
      const link = call.link(rel === 'next' ? page.next : page.previous);
      return link === undefined ? link : (options.link?.(link, rel, page, call) ?? link);
    });
    const total = hasNoTotal ? {} : { total: page.total };
    const bodies = {
      id: () => ({ data: page.rows, has_more: (call.isBackward ? page.previous : page.next) !== undefined }),
      token: () => ({ items: page.rows, next_cursor: page.next?.[names.forward] ?? null, ...total }),
      url: () => ({ ...total, next: next ?? null, previous: previous ?? null, results: page.rows }),
      link: () => page.rows,
      page: () => ({ items: page.rows, ...total }),
      offset: () => ({ items: page.rows, ...total }),
    };
    const links = Object.entries({ next, prev: previous }).flatMap(([rel, it]) =>
      it ? [`<${it}>; rel="${rel}"`] : [],
    );
    const headers: Record<string, string> = style === 'link' && links.length > 0 ? { link: links.join(', ') } : {};
    return { status: 200, headers, body: options.body?.(page, call) ?? bodies[style]() };
  };

  return (req, posted) => {
    requests += 1;
    const url = new URL(req.url ?? '', `http://${req.headers.host ?? ''}`);
    const method = options.posted === undefined ? 'GET' : 'POST';
    if (req.method === 'POST' && options.posted !== undefined)
      for (const [name, value] of postedIn(req, posted, options.posted)) url.searchParams.set(name, value);
    const call: Call = {
      number: requests,
      url,
      query: url.searchParams,
      req,
      size: 0,
      start: 0,
      anchor: undefined,
      isBackward: false,
      isMarked: false,
      to: (row) => positionOf(row, 'next', call) ?? {},
      link: (position) => {
        if (position === undefined) return undefined;
        const link = new URL(url);
        for (const name of [names.forward, names.backward ?? '']) link.searchParams.delete(name);
        for (const [name, value] of Object.entries(position)) link.searchParams.set(name, value);
        return link.href;
      },
    };
    const early = options.before?.(call);
    if (early !== undefined) return early;
    if (url.pathname !== PATH && url.pathname !== `${PATH}/`) return errorOf(404, 'Not found');
    if (req.method !== method) return errorOf(405, `Only ${method}`);
    const isKnown = key === undefined || req.headers.authorization === `Bearer ${key}`;
    if (!isKnown && options.isOpen?.(call) !== true) return errorOf(401, 'The key is missing');
    let reply: Reply;
    try {
      readAll(call);
      const page = pageOf(call);
      options.page?.(page, call);
      reply = replyOf(page, call);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      reply = error.reply;
    }
    const result = { ...reply };
    options.reply?.(result, call);
    return result;
  };
}

/** @returns the parameters of a body, as those of a query are. A number that is sent as a string, or a string as a number, is none of them. */
function postedIn({ headers }: IncomingMessage, body: string, kind: 'object' | 'deep' | 'form'): [string, string][] {
  const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  if (headers['content-type'] !== type) return [];
  if (kind === 'form') return [...new URLSearchParams(body)];
  const values = JSON.parse(body) as Record<string, Record<string, unknown> | undefined>; // What is sent.
  const isNumber = (name: string): boolean => /^(limit|per_page|size|page|offset)$/.test(name);
  return Object.entries((kind === 'deep' ? values['page'] : values) ?? {}).map(([name, value]) => [
    name,
    isNumber(name) === (typeof value === 'number') ? String(value) : JSON.stringify(value),
  ]);
}

async function send(
  res: ServerResponse,
  { status, headers, body }: Reply,
  transfer: ListOptions['transfer'],
): Promise<void> {
  const text = typeof body === 'string' ? body : jsonOf(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  res.writeHead(status, {
    'content-type': type,
    ...headers,
    ...(transfer === 'gzip' && { 'content-encoding': 'gzip' }),
  });
  if (transfer === 'chunks') {
    for (let at = 0; at < text.length; at += 700) {
      res.write(text.slice(at, at + 700));
      await setImmediate();
    }
    res.end();
  } else res.end(transfer === 'gzip' ? gzipSync(text) : text);
}

export interface ListServer extends AsyncDisposable {
  /** The address of the list. */
  readonly url: string;
  /** What went wrong in the server itself; no fault does that. */
  readonly errors: readonly unknown[];
}

/** Starts a server on a port of its own. */
export async function startList(options: ListOptions): Promise<ListServer> {
  const respond = createList(options);
  const errors: unknown[] = [];
  const respondTo = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let reply = CRASH;
    try {
      reply = respond(req, options.posted === undefined ? '' : await text(req));
    } catch (error) {
      errors.push(error);
    }
    await send(res, reply, options.transfer);
  };
  const server = createServer((req, res) => {
    void respondTo(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${PATH}`, // It listens on a port.
    errors,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
