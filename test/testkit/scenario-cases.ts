/** For each scenario: the records, what our client does, and a client with a mistake that the scenario is about. */
import { ApiError } from '../../client/index.ts';
import type { Automation, RollcallClient } from '../../client/index.ts';
import { createBuilders } from '../../testkit/index.ts';
import type { Records, ScenarioName } from '../../testkit/index.ts';

const { automation, contactImport } = createBuilders({ seed: 'scenarios' });
export const LIMIT = 2;
export const AUTOMATIONS = Array.from('ABCDEF', (name) => automation({ name }));
const ENABLED_AND_OTHERS = Array.from('AxBCyDEF', (name) =>
  automation({ name, status: name < 'a' ? 'enabled' : 'disabled' }),
);
const IMPORT = contactImport({ status: 'queued' });
/** B, C and D have one `created_at` in `ties-across-pages`: of these the one with the greatest id comes first. */
export const TIES = AUTOMATIONS.slice(1, 4).toSorted((a, b) => (a.id < b.id ? 1 : -1));

/** A client that sends what it is told to, and does not retry. */
export type Get = (
  path: string,
  headers?: Record<string, string>,
) => Promise<{ readonly status: number; readonly etag: string; readonly body: Partial<Page> | undefined }>;
export interface Page {
  readonly data: readonly Automation[];
  readonly has_more: boolean;
  readonly name: string;
}

export interface Case {
  readonly records: Records;
  /** @returns what our client returns. Default: the names of the automations. */
  readonly ours?: (client: RollcallClient) => Promise<string>;
  readonly expected: string;
  /** The statuses of its requests, each with the cue that fired at it. */
  readonly log: string;
  /** The pauses before its retries, in milliseconds. */
  readonly pauses?: readonly number[];
  /** A client with the mistake, and its result. */
  readonly wrong: (get: Get) => Promise<string>;
  readonly found: string;
  /** How often the cue fires with our client and with the other one. */
  readonly fires: readonly [ours: number, other: number];
  /** What an empty account does not have. */
  readonly needs: string;
}

export const names = (all: readonly { name: string }[]): string => all.map((it) => it.name).join(' ');
const ALL = 'A B C D E F';

/** @returns the names of the automations, and then that of the error, if there is one. */
export async function listed(client: RollcallClient, filter: { status?: 'enabled' } = {}): Promise<string> {
  const seen: { name: string }[] = [];
  try {
    for await (const it of client.automations.list({ limit: LIMIT, ...filter })) seen.push(it);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    seen.push(error);
  }
  return names(seen);
}

/** Counts how many it has, as if the list did not change. */
const byOffset =
  (filter = '') =>
  async (get: Get): Promise<string> => {
    const seen: Automation[] = [];
    for (let hasMore = true; hasMore;) {
      const { body } = await get(`/automations?limit=${String(seen.length + LIMIT)}${filter}`);
      seen.push(...(body?.data ?? []).slice(seen.length));
      hasMore = body?.has_more === true;
    }
    return names(seen);
  };

interface Mistakes {
  /** What to do after an error. */
  readonly onError: 'restart' | 'end';
  /** Which of the records of a page to take. */
  readonly take?: (page: readonly Automation[], last: Automation | undefined) => readonly Automation[];
  /** Whether to take a full page as a sign that there is another. */
  readonly countsRecords?: boolean;
}
const byCursor =
  ({ onError, take = (page) => page, countsRecords = false }: Mistakes) =>
  async (get: Get): Promise<string> => {
    const seen: { name: string }[] = [];
    for (let cursor = ''; ;) {
      const { body } = await get(`/automations?limit=${String(LIMIT)}${cursor}`).catch(() => ({ body: undefined }));
      if (body?.data === undefined) {
        if (onError === 'end') return names(seen);
        cursor = '';
        continue;
      }
      const { data, has_more: hasMore } = body;
      seen.push(...take(data, seen.at(-1) as Automation | undefined)); // It takes automations alone.
      if (countsRecords ? data.length < LIMIT : hasMore !== true) return names(seen);
      cursor = `&after=${String(data.at(-1)?.id)}`;
    }
  };

export const CASES: Readonly<Record<ScenarioName, Case>> = {
  'insert-at-head-while-paginating': {
    records: { automations: AUTOMATIONS },
    ours: async (client) => `${await listed(client)}, then ${await listed(client)}`,
    expected: `${ALL}, then New ${ALL}`,
    log: '200, 200 cue 1, 200, 200, 200, 200, 200',
    wrong: byOffset(),
    found: 'A B B C D E F',
    fires: [1, 1],
    needs: '3 automations',
  },
  'cursor-removed': {
    records: { automations: AUTOMATIONS },
    expected: ALL,
    log: '200, 404 cue 1, 200, 200',
    wrong: byCursor({ onError: 'restart' }),
    found: 'A B A C D E F',
    fires: [1, 1],
    needs: '3 automations',
  },
  'status-changes-out-of-filter': {
    records: { automations: ENABLED_AND_OTHERS },
    ours: (client) => listed(client, { status: 'enabled' }),
    expected: ALL,
    log: '200, 200 cue 1, 200',
    wrong: byOffset('&status=enabled'),
    found: 'A B D E F',
    fires: [1, 1],
    needs: '3 automations that are enabled',
  },
  'import-progresses-per-poll': {
    records: { contactImports: [IMPORT] },
    ours: async (client) => {
      const seen: string[] = [];
      const onProgress = ({ status, counts }: typeof IMPORT): number => seen.push(`${status} ${String(counts.total)}`);
      await client.contactImports.waitUntilEnded(IMPORT.id, { pollMs: 0, onProgress });
      return seen.join(', ');
    },
    expected: 'queued 0, in_progress 100, completed 100',
    log: '200, 304, 200 cue 1, 200 cue 1',
    // Takes whatever is no 200 as the end.
    wrong: async (get) => {
      const path = `/contacts/imports/${IMPORT.id}`;
      const seen: unknown[] = [];
      for (let last = await get(path); last.status === 200; last = await get(path, { 'if-none-match': last.etag })) {
        seen.push((last.body as { status?: unknown } | undefined)?.status);
      }
      return seen.join(', ');
    },
    found: 'queued',
    fires: [2, 0],
    needs: 'a contact import that is queued',
  },
  'rate-limited-midway': {
    records: { automations: AUTOMATIONS },
    expected: ALL,
    log: '200, 429 cue 1, 200, 200',
    pauses: [1000],
    wrong: byCursor({ onError: 'end' }),
    found: 'A B',
    fires: [1, 1],
    needs: '3 automations',
  },
  'outage-and-recovery': {
    records: { automations: AUTOMATIONS },
    expected: ALL,
    log: '200 cue 1, 503, none, 500, 200, 200',
    pauses: [1000, 500, 1000],
    wrong: byCursor({ onError: 'restart' }),
    found: `A B ${ALL}`,
    fires: [1, 1],
    needs: '3 automations',
  },
  'last-page-full': {
    records: { automations: AUTOMATIONS },
    expected: ALL,
    log: '200, 200, 200',
    wrong: async (get) => {
      const errors: string[] = [];
      const seen = await byCursor({ onError: 'end', countsRecords: true })(async (path) => {
        const response = await get(path);
        if (response.status !== 200) errors.push(`, ${String(response.body?.name)}`);
        return response;
      });
      return seen + errors.join('');
    },
    found: `${ALL}, validation_error`,
    fires: [0, 1],
    needs: 'automations whose number is a multiple of 2',
  },
  'ties-across-pages': {
    records: { automations: AUTOMATIONS },
    expected: `A ${names(TIES)} E F`,
    log: '200 cue 1, 200, 200',
    // Takes the time of the last record as the place in the list.
    wrong: byCursor({
      onError: 'end',
      take: (page, last) => page.filter((it) => last === undefined || it.created_at < last.created_at),
    }),
    found: `A ${names(TIES.slice(0, 1))} E F`,
    fires: [1, 1],
    needs: '4 automations',
  },
  'key-revoked-midway': {
    records: { automations: AUTOMATIONS },
    expected: 'A B invalid_api_key',
    log: '200, 401 cue 1',
    wrong: byCursor({ onError: 'end' }),
    found: 'A B',
    fires: [1, 1],
    needs: '3 automations',
  },
};
