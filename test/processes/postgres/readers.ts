/** Clients that page through a list over several servers, as behind a load balancer, and test every response. */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../../../server/contract/types.ts';
import { until } from '../../support/processes.ts';

type Import = Schemas['ContactImport'];

const READERS = 8;
const LIMIT = 20;
const PAUSE_MS = 20; // Before a request that failed with 503 is sent again.

/** What a list holds throughout. */
export interface Held {
  /** Those that keep their positions, in list order. */
  readonly kept: readonly Import[];
  /** Those that may have come, or not yet. */
  readonly added: readonly Import[];
}

export interface Figures {
  requests: number;
  /** 503s to requests for what was there all the time. */
  unavailable: number;
  /** Those to requests for what is unknown: a record, a key. */
  unavailableUnknown: number;
  longestMs: number;
  /** Complete traversals, from the head of the list to its end. */
  traversals: number;
  /** The most of the added that a traversal has seen. */
  added: number;
}

export interface Readers {
  /** The faults. */
  readonly wrong: readonly string[];
  /** @returns the figures since the last call. */
  readonly figures: () => Figures;
  /** Waits for more traversals that begin from now on. */
  readonly traversed: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Starts to send requests. @param key of the account that has the list. */
export function startReaders(urls: readonly string[], key: string, { kept, added }: Held): Readers {
  const none = (): Figures => ({
    ...{ requests: 0, unavailable: 0, unavailableUnknown: 0, longestMs: 0, traversals: 0, added: 0 },
  });
  const keptTexts = kept.map((it) => JSON.stringify(it));
  const addedTexts = new Set(added.map((it) => JSON.stringify(it)));
  const keptIds = new Set(kept.map((it) => it.id));
  const wrong: string[] = [];
  let [figures, turn, isOver, begun] = [none(), 0, false, 0];

  const requestOnce = async (path: string, as = key): Promise<{ status: number; body: unknown }> => {
    const url = urls[(turn += 1) % urls.length] ?? '';
    const started = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${as}` } });
    const body: unknown = await response.json();
    figures.requests += 1;
    figures.longestMs = Math.max(figures.longestMs, performance.now() - started);
    const isDeclared = response.headers.get('retry-after') === '1';
    if (response.status === 503 && !isDeclared) wrong.push(`503 without Retry-After: ${JSON.stringify(body)}`);
    return { status: response.status, body };
  };
  /** Requests what is there, until the response is a 200. */
  const request = async (path: string): Promise<unknown> => {
    for (;;) {
      const { status, body } = await requestOnce(path);
      if (status === 200) return body;
      if (status !== 503) throw new Error(`${path}: ${String(status)} ${JSON.stringify(body)}`);
      figures.unavailable += 1;
      if (isOver) return { data: [], has_more: false };
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const requestUnknown = async (path: string, expected: number, as?: string): Promise<void> => {
    const { status, body } = await requestOnce(path, as);
    if (status === 503) figures.unavailableUnknown += 1;
    else if (status !== expected) wrong.push(`${path}: ${String(status)} ${JSON.stringify(body)}`);
  };
  const traverse = async (): Promise<void> => {
    begun += 1;
    const own = begun;
    const seen: Import[] = [];
    for (let [after, isMore] = ['', true]; isMore && !isOver;) {
      const page = (await request(`/contacts/imports?limit=${String(LIMIT)}${after}`)) as Schemas['ContactImportList'];
      seen.push(...page.data);
      isMore = page.has_more;
      after = `&after=${String(seen.at(-1)?.id)}`;
    }
    if (isOver) return;
    const texts = seen.map((it) => JSON.stringify(it));
    const isKept = (text: string, at: number): boolean => keptIds.has(seen[at]?.id ?? text);
    if (texts.filter(isKept).join('\n') !== keptTexts.join('\n'))
      wrong.push(`traversal ${String(own)}: not what was kept`);
    const others = texts.filter((text, at) => !isKept(text, at));
    if (new Set(texts).size !== texts.length) wrong.push(`traversal ${String(own)}: a record came twice`);
    if (!others.every((it) => addedTexts.has(it)))
      wrong.push(`traversal ${String(own)}: a record that nobody has loaded`);
    figures.added = Math.max(figures.added, others.length);
    figures.traversals += 1;
    ended.push(own);
  };
  const ended: number[] = [];
  const getById = async (at: number): Promise<void> => {
    const it = kept[at % kept.length];
    const found = await request(`/contacts/imports/${String(it?.id)}`);
    if (!isOver && JSON.stringify(found) !== JSON.stringify(it)) wrong.push(`get by id: ${JSON.stringify(found)}`);
    await requestUnknown(`/contacts/imports/${randomUUID()}`, 404);
    await requestUnknown(`/contacts/imports?after=${randomUUID()}`, 404);
    await requestUnknown('/contacts/imports', 401, 'nonsense');
  };
  const all = Array.from({ length: READERS }, async (_, reader) => {
    for (let round = reader; !isOver; round += READERS) {
      await traverse();
      await getById(round);
    }
  });
  for (const reader of all) reader.catch((error: unknown) => wrong.push(String(error)));
  return {
    wrong,
    figures: () => {
      const now = figures;
      figures = none();
      return now;
    },
    traversed: async () => {
      const from = begun + READERS;
      await until(() => wrong.length > 0 || ended.filter((it) => it > from).length >= READERS);
    },
    end: async () => {
      isOver = true;
      await Promise.allSettled(all);
    },
  };
}
