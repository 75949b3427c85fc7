/** Small profiles of each kind, and a client over raw sockets' HTTP that is told the way. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { startFake } from '../../../audit/fake/start.ts';
import type { Fake, FakeOptions } from '../../../audit/fake/types.ts';
import { valueAt } from '../../../audit/lists/json.ts';
import type { Way } from '../../../audit/lists/profile.ts';
import { afterTest } from '../../support/after-test.ts';
import { nextOf } from '../next.ts';

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
    const items = itemsOf(response.body);
    const found = { ...response, items, lastId: idOf(items.at(-1)) };
    url = response.status === 200 && response.isWhole ? nextOf(way, url, found) : undefined;
  }
  return { pages, urls, ids: pages.flatMap(({ body }) => itemsOf(body).map(idOf)) };
}
const MAX_PAGES = 300;
