/** Scenarios: the records, the faults and the task of one run of a client. */
import type { Collection, Resources } from '../../contract/collections.ts';
import type { Schemas } from '../../contract/types.ts';
import { createBuilders } from '../builders.ts';
import type { Records } from '../account.ts';
import type { TestAccount } from '../start.ts';
import type { Canned, LoggedRequest } from './log.ts';
import type { Task } from './task.ts';

/** What a client is given to do, and what happens meanwhile. A scenario is run once, however many rules judge it. */
export interface Scenario {
  readonly task: Task;
  /** The task of a client that does not support `task`. */
  readonly alternative?: Task | undefined;
  /** The records of the account. None by default. */
  readonly records?: Records | undefined;
  /** Adds the faults and cues. */
  readonly prepare?: ((account: TestAccount) => void) | undefined;
  /** Whether the client is given a key that belongs to no account. */
  readonly hasUnknownKey?: boolean | undefined;
  /** More headers of every response of Rollcall. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The path of the base URL that the client is given. None by default. */
  readonly basePath?: string | undefined;
  /**
   * @returns a response in place of Rollcall's.
   * @param nth 1 for the first request of the run.
   * @param elsewhere another origin.
   */
  readonly respond?: ((request: LoggedRequest, nth: number, elsewhere: string) => Canned | undefined) | undefined;
}

/** The ids of records, in the order of their list. */
export const idsOf = (records: readonly { readonly id: string }[]): readonly string[] => records.map((it) => it.id);

/** @returns records in the order of their list. Always the same. */
export function recordsOf<C extends Collection>(
  collection: C,
  count: number,
  overrides: (index: number) => Partial<Resources[C]> = () => ({}),
): readonly Resources[C][] {
  const build = createBuilders({ seed: 'examine' }).build[collection] as (overrides: object) => Resources[C]; // It builds the records of its collection.
  return Array.from({ length: count }, (_, index) => build(overrides(index)));
}

/** @returns automations in the order of their list, of which every other one is disabled. */
export const automations = (count: number): readonly Schemas['Automation'][] =>
  recordsOf('automations', count, (index) => ({
    status: index % 2 === 0 ? ('enabled' as const) : ('disabled' as const),
  }));

/** @returns the ids of the automations with a status. */
export const idsWithStatus = (records: readonly Schemas['Automation'][], status: string): readonly string[] =>
  idsOf(records.filter((it) => it.status === status));

/** @returns a page as a response. */
export const pageOf = (data: readonly unknown[], hasMore: boolean): Canned => ({
  status: 200,
  body: JSON.stringify({ object: 'list', has_more: hasMore, data }),
});

/** @returns a list whose pages have one item, two, and the others, from the end where the task begins. */
export const shortPages =
  (items: readonly { readonly id: string }[]) =>
  ({ query: { after, before } }: LoggedRequest): Canned => {
    const all = before === undefined ? items : items.toReversed();
    const start = 1 + all.findIndex(({ id }) => id === String(after ?? before).toLowerCase());
    // A task with `--before` begins before the last item.
    const first = before === undefined ? 0 : 1;
    const end = start === first ? start + 1 : start === first + 1 ? start + 2 : all.length;
    const data = all.slice(start, end);
    return pageOf(before === undefined ? data : data.toReversed(), end < all.length);
  };

/** A path of a base URL. */
export const BASE_PATH = '/Gateway/rollcall/v1';

/** The page of a proxy that does not reach the API. */
export const proxyPage = (status: number): Canned => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: `<html>\n<head><title>${String(status)}</title></head>\n<body><h1>${String(status)}</h1></body>\n</html>\n`,
});
