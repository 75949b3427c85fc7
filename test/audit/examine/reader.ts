/**
 * A client of a list, for each way to the next page: right, or with the fault that FAULT names. `run.ts` starts it as a user's command. WAY is
 * the kind of the way.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const { ROLLCALL_URL = '', ROLLCALL_API_KEY = '', ROLLCALL_PARAMS = '', ROLLCALL_ITEM, WAY = '', FAULT } = process.env;
const has = (...faults: readonly string[]): boolean => FAULT !== undefined && faults.includes(FAULT);

const SIZE = 5;
const MAX_TRIES = 3;
const OK = 200;
const TOO_MANY = 429;

interface Body {
  readonly items?: readonly ({ readonly id: string | number } | null)[] | null;
  readonly more?: boolean;
  readonly next?: string | null;
  readonly tokens?: Readonly<Record<string, string | null>> | null;
  readonly error?: unknown;
}
interface Loaded {
  readonly body: Body;
  readonly link: string;
  readonly header: string | null;
}

/** A response that is no page. */
class Failed extends Error {}

let requests = 0;
async function request(url: string, isFirst: boolean): Promise<Response> {
  const isKept = !(has('loses the key') && !isFirst);
  const headers = isKept ? { authorization: `Bearer ${ROLLCALL_API_KEY}` } : {};
  const isOwn = new URL(url).host === new URL(ROLLCALL_URL).host;
  if (!isOwn && !has('sends the key to the host of a link', 'sends the key by a redirect'))
    throw new Failed(`a link leads to ${new URL(url).host}`);
  const response = await fetch(url, { headers, redirect: 'manual' });
  const to = response.headers.get('location');
  if (to === null) return response;
  if (has('takes a redirect for the end')) return new Response('{}');
  if (has('sends the key by a redirect')) return request(new URL(to, url).href, isFirst);
  throw new Failed('a redirect');
}

/** @returns a page. @throws Failed, or an error of fetch */
async function load(url: string, isFirst: boolean): Promise<Loaded> {
  for (let tries = 1; ; tries += 1) {
    requests += 1;
    const response = await request(url, isFirst);
    const { status, headers } = response;
    const isTransient = status === TOO_MANY || status === 503;
    if (isTransient && (tries < MAX_TRIES || has('retries for ever'))) {
      const after = headers.get('retry-after') ?? '1';
      const isDate = /\D/.test(after);
      const waitMs = isDate ? Date.parse(after) - Date.now() : Number(after) * 1000;
      if (!has('retries at once') && !(isDate && has('cannot read a date'))) await sleep(Math.max(0, waitMs));
      continue;
    }
    if (status === 401 && has('retries 401 for ever')) continue;
    if (status !== OK && status !== 204 && !has('takes an error for the end', 'takes an error for the item'))
      throw new Failed(String(status));
    const text = await textOf(response);
    const link = headers.get('link') ?? '';
    return { body: bodyOf(text), link, header: headers.get('x-next') };
  }
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  return has('reads 64 KiB') ? text.slice(0, 65_536) : text;
}

function bodyOf(text: string): Body {
  try {
    const body = JSON.parse(text === '' ? 'null' : text) as Body | null; // What the fake sends.
    if (body === null && !has('takes no body for the end')) throw new Failed('no body');
    if (
      body?.error !== undefined &&
      !has('takes an error with 200 for the end', 'takes an error for the end', 'takes an error for the item')
    )
      throw new Failed('an error');
    return body ?? {};
  } catch (error) {
    if (!(error instanceof SyntaxError) || !has('takes HTML for the end', 'takes HTML for the item', 'reads 64 KiB'))
      throw error;
    return {};
  }
}

function nextIn({ body, link, header }: Loaded, at: URL, page: number, offset: number): string | undefined {
  const url = new URL(at);
  const withParams = (params: Readonly<Record<string, string>>): string => {
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    if (has('loses a parameter')) url.searchParams.delete('status');
    if (has('loses the size')) url.searchParams.delete('limit');
    return url.href;
  };
  const items = body.items ?? [];
  const isEmpty = items.length === 0;
  if (has('reads one page')) return undefined;
  if (has('stops at an empty page') && isEmpty) return undefined;
  if (has('stops at a short page') && items.length < SIZE) return undefined;
  switch (WAY) {
    case 'token': {
      const token = tokenOf(body.next);
      if (token === undefined) return undefined;
      if (!has('does not encode the cursor')) return withParams({ cursor: token });
      url.searchParams.delete('cursor');
      return `${url.href}&cursor=${token.replaceAll(' ', '%20')}`;
    }
    case 'tokens': {
      const all = Object.entries(body.tokens ?? {}).filter(
        (token): token is [string, string] => typeof token[1] === 'string' && token[1] !== '',
      );
      if (all.length === 0) return undefined;
      url.searchParams.delete('b'); // Those that are there.
      return withParams(Object.fromEntries(has('sends one token of two') ? all.slice(0, 1) : all));
    }
    case 'url': {
      const url = body.next ?? '';
      if (url === '') return undefined;
      return has('decodes the link') ? decodeURIComponent(url) : url;
    }
    case 'link':
      return linkIn(link);
    case 'header':
      return header === null || header === '' ? undefined : header;
    case 'id': {
      const last = items.at(has('takes the item before the last for the cursor') ? -2 : -1)?.id;
      if (body.more !== true) return undefined;
      if (last === undefined) throw new Failed('an empty page, and more');
      if (!has('does not encode the cursor')) return withParams({ after: String(last) });
      url.searchParams.delete('after');
      return `${url.href}&after=${String(last).replaceAll(' ', '%20')}`;
    }
    case 'page':
      return isEmpty && !has('never stops')
        ? undefined
        : withParams({ page: String(page + (has('skips a page') && page > 1 ? 2 : 1)) });
    default:
      return isEmpty
        ? undefined
        : withParams({
            offset: String(has('adds the size') ? page * SIZE : has('begins one item early') ? offset - 1 : offset),
          });
  }
}

function tokenOf(next: string | null | undefined): string | undefined {
  if (next === undefined || next === null || (next === '' && !has('follows an empty token'))) return undefined;
  if (has('writes the cursor in lower case')) return next.toLowerCase();
  if (has('cuts the cursor')) return next.slice(0, 255);
  return has('converts the cursor to a number') && /^\d+$/.test(next) ? String(Number(next)) : next;
}

function linkIn(header: string): string | undefined {
  if (has('splits links at commas')) {
    const link = header.split(',').find((part) => /rel="?next"?/i.test(part));
    return /<([^>]*)>/.exec(link ?? '')?.[1];
  }
  if (has('takes the first link')) return header.includes('next') ? /<([^>]*)>/.exec(header)?.[1] : undefined;
  for (const [, url, attributes = ''] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g,
  ))
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next[\s"]?/i.test(attributes)) return url;
  return undefined;
}

const printed: string[] = [];
const print = (id: string | number): void => {
  const text = String(id);
  if (has('drops ids that differ in case') && printed.some((other) => other.toLowerCase() === text.toLowerCase()))
    return;
  const isDigits = /^\d+$/.test(text);
  printed.push(text);
  process.stdout.write(
    `${has('converts ids to numbers') && isDigits ? String(Number(text)) : has('cuts ids to 32 bits') && isDigits ? String(Number(text) | 0) : text}\n`,
  );
};

async function readItem(id: string): Promise<void> {
  const { body } = await load(`${ROLLCALL_URL}/${has('does not encode the id') ? id : encodeURIComponent(id)}`, true);
  if (!('id' in body || has('takes an error for the item', 'takes HTML for the item'))) throw new Failed('no item');
  print(id);
  if (has('prints the item twice')) print(id);
}

async function read(): Promise<void> {
  const start = new URL(ROLLCALL_URL);
  if (!has('sends no parameter'))
    for (const [name, value] of new URLSearchParams(ROLLCALL_PARAMS)) start.searchParams.set(name, value);
  start.searchParams.set('limit', String(SIZE));
  let next: string | undefined = start.href;
  const seen = new Set<string>();
  for (let [page, offset] = [1, 0]; next !== undefined; page += 1) {
    // A right client ends where a list goes round.
    if (seen.has(next) && !has('never stops')) throw new Failed('the list goes round');
    seen.add(next);
    if (has('reads 100 pages') && page > 100) return;
    const loaded: Loaded = await load(next, page === 1);
    const items = loaded.body.items ?? [];
    for (const item of items) if (item !== null) print(item.id);
    if (has('prints a page again') && page === 2) for (const item of items) if (item !== null) print(item.id);
    offset += items.length;
    next = nextIn(loaded, start, page, offset);
  }
}

for (let tries = 1; ; tries += 1) {
  try {
    await (ROLLCALL_ITEM === undefined ? read() : readItem(ROLLCALL_ITEM));
    break;
  } catch (error) {
    if (has('takes a closed connection for the end') && error instanceof TypeError) break;
    if (has('starts again') && tries === 1) continue;
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)} after ${String(requests)} requests\n`,
    );
    process.exitCode = 1;
    break;
  }
}
