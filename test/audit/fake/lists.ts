/** Small profiles of each kind, and a client over raw sockets' HTTP that is told the way. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { startFake } from '../../../audit/fake/start.ts';
import type { Fake, FakeOptions } from '../../../audit/fake/types.ts';
import { pathOf, valueAt } from '../../../audit/lists/json.ts';
import type { Way } from '../../../audit/lists/profile.ts';
import { linksOf } from '../../../audit/lists/target.ts';
import { afterTest } from '../../support/after-test.ts';

export const WAYS: Readonly<Record<string, Way>> = {
  id: { id: 'after', more: 'has_more' },
  'id without a flag': { id: 'since' },
  token: { token: 'cursor', from: 'meta.next' },
  'token with an end': { token: 'cursor', from: 'next', end: '-' },
  'token, the same at the end': { token: 'mark', from: 'next', end: 'same' },
  tokens: { tokens: { a: 'continue.a', b: 'continue.b' } },
  url: { url: 'links.next' },
  'url of an array': { url: 'links[rel=next].href' },
  'url behind a base': { url: '_links.next', base: '_links.base' },
  link: { link: 'next' },
  'link with an end': { link: 'next', until: 'results="false"' },
  header: { header: 'next-page' },
  page: { page: 'page' },
  'page from 0': { page: 'page', first: 0 },
  offset: { offset: 'offset' },
  'offset from 1': { offset: 'start', first: 1 },
};

/** @returns a profile of a list with a key, sizes and a mark of errors. @param id that of a sample. */
export function profileOf(way: Way, id?: string | number): string {
  const sample = { total: 9, data: [{ id, name: 'Anna', at: '2026-01-02T03:04:05Z' }] };
  return [
    'url: https://api.example.com/v1/orders',
    "headers: { Authorization: 'Bearer ${KEY}' }",
    'items: data',
    'id: id',
    'size: { param: limit, max: 50, default: 4 }',
    `next: ${JSON.stringify(way)}`,
    'error: { failed: true }',
    ...(id === undefined ? ['total: exact'] : [`sample: ${JSON.stringify(sample)}`]),
  ].join('\n');
}

export async function start(profile: string, options?: FakeOptions): Promise<Fake> {
  const fake = await startFake(profile, options);
  afterTest(() => fake.close());
  return fake;
}

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The names and values of the headers as they were sent. */
  readonly raw: readonly string[];
  readonly chunks: readonly Buffer[];
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body: unknown;
  /** Whether the body was whole. */
  readonly isWhole: boolean;
}

/** @returns the response; `undefined` if there is none. */
export async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response | undefined> {
  const sent = request(url, { headers, agent: false });
  sent.end();
  let response: IncomingMessage;
  try {
    [response] = (await once(sent, 'response')) as [IncomingMessage]; // What the event has.
  } catch {
    return undefined;
  }
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.on('close', resolve)); // `once` would throw the error of a body that is cut.
  const text = Buffer.concat(chunks).toString();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // It is no JSON.
  }
  const { statusCode: status = 0, rawHeaders: raw, complete } = response;
  return { status, headers: response.headers, raw, chunks, text, body, isWhole: complete };
}

const text = (header: string | string[] | undefined): string | undefined =>
  header === undefined || header === '' ? undefined : String(header);
const isText = (value: unknown): value is string | number =>
  value !== null && value !== undefined && value !== '' && value !== false;

/** @returns the URL that a page leads to; `undefined` at the end. */
function nextOf(way: Way, url: string, { body, headers }: Response): string | undefined {
  const items = itemsOf(body);
  const to = new URL(url);
  if (way.more !== undefined && valueAt(body, pathOf(way.more)) !== true) return undefined;
  const set = (name: string, value: unknown): string => {
    to.searchParams.set(name, String(value));
    return to.href;
  };
  if ('url' in way) {
    const link = valueAt(body, pathOf(way.url));
    const base = way.base === undefined || !String(link).startsWith('/') ? '' : String(valueAt(body, pathOf(way.base)));
    return isText(link) ? new URL(base + String(link), url).href : undefined;
  }
  if ('header' in way) {
    const link = text(headers[way.header]);
    return link && new URL(link, url).href;
  }
  if ('link' in way) {
    const found = linksOf(text(headers['link'])).get(way.link);
    const isEnd = found === undefined || (way.until !== undefined && found.attributes.includes(way.until));
    return isEnd ? undefined : new URL(found.url, url).href;
  }
  if ('token' in way) {
    const token = valueAt(body, pathOf(way.from));
    const end = way.end === 'same' ? to.searchParams.get(way.token) : way.end;
    return isText(token) && token !== end ? set(way.token, token) : undefined;
  }
  if ('tokens' in way) {
    const all = Object.entries(way.tokens).map(([name, from]) => [name, valueAt(body, pathOf(from))] as const);
    if (!all.some(([, token]) => isText(token))) return undefined;
    for (const [name, token] of all)
      if (isText(token)) set(name, token);
      else to.searchParams.delete(name);
    return to.href;
  }
  if (items.length === 0) return undefined;
  const at = (name: string, first: number): number => Number(to.searchParams.get(name) ?? first);
  if ('id' in way) return set(way.id, idOf(items.at(-1)));
  if ('page' in way) return set(way.page, at(way.page, way.first ?? 1) + 1);
  return set(way.offset, at(way.offset, way.first ?? 0) + items.length);
}

export function itemsOf(body: unknown): readonly unknown[] {
  const found = valueAt(body, ['data']);
  return Array.isArray(found) ? found : [];
}
const idOf = (item: unknown): string => String(valueAt(item, ['id']));

export interface Read {
  readonly pages: readonly Response[];
  readonly urls: readonly string[];
  readonly ids: readonly string[];
}

/** Reads a list until it ends, until a response is no page, or has too many pages. */
export async function read(
  fake: Fake,
  way: Way,
  size: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Read> {
  const key = { authorization: `Bearer ${fake.key}`, ...headers };
  const first = new URL(fake.url);
  first.searchParams.set('limit', String(size));
  if ('page' in way && way.first === 0) first.searchParams.set(way.page, '0');
  const pages: Response[] = [];
  const urls: string[] = [];
  let url: string | undefined = first.href;
  while (url !== undefined && pages.length < MAX_PAGES) {
    const response: Response | undefined = await get(url, key);
    if (response === undefined) break;
    urls.push(url);
    pages.push(response);
    url = response.status === 200 && response.isWhole ? nextOf(way, url, response) : undefined;
  }
  return { pages, urls, ids: pages.flatMap(({ body }) => itemsOf(body).map(idOf)) };
}
const MAX_PAGES = 300;
