/** A server with two accounts that `conform` is tried on, behind a change: in memory, or on a port. */
import { hash } from 'node:crypto';
import { conform } from '../../../audit/conform/conform.ts';
import type { Options, Result } from '../../../audit/conform/conform.ts';
import type { Known } from '../../../audit/conform/model.ts';
import type { Clock, Transport } from '../../../audit/session/session.ts';
import { loadContract } from '../../../contract/document.ts';
import { startRollcall } from '../../../testkit/index.ts';
import type { Records } from '../../../testkit/index.ts';
import { createModelServer } from '../../support/model-server.ts';
import { recordsOf, seeded } from '../conform/records.ts';
import { inMemory } from './memory.ts';
import { AUTOMATIONS, IMPORTS, PROPERTIES } from './mutant.ts';
import { instantOf, isTie } from './pages.ts';
import { startProxy } from './proxy.ts';
import type { Change, Item, Lists } from './proxy.ts';

// The machine may be busy.
const REQUEST_MS = 60_000;

const contract = loadContract();

/** Starts a server with two accounts, or makes one in memory. */
export async function openServer(isServed = false): Promise<Opened> {
  const [records, others] = [seeded(recordsOf('own'), contract), recordsOf('other', 30)];
  const lists = [listsOf(records), listsOf(others)] as const;
  if (!isServed) {
    const keys = [keyOf('own'), keyOf('other')] as const;
    const accounts = keys.map((key, at) => [key, knownOf(lists[at] ?? new Map())] as const);
    const model = createModelServer(contract, new Map(accounts));
    const transportOf: Opened['through'] = (change) => {
      const transport = inMemory(model, keys, lists, change);
      return Promise.resolve({ url: 'http://localhost', transport, [Symbol.asyncDispose]: () => Promise.resolve() });
    };
    return { keys, through: transportOf, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const server = await startRollcall(records);
  const keys = [server.apiKey, (await server.account(others)).apiKey] as const;
  return {
    keys,
    through: (change) => startProxy(server.url, keys, lists, change),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (server.errors.length > 0) throw new Error(`the server failed: ${server.errors.map(String).join(', ')}`);
    },
  };
}

/** A server with two accounts. */
export interface Opened extends AsyncDisposable {
  readonly keys: readonly [string, string];
  /** @returns how it is reached through a change. */
  readonly through: (
    change: Change,
  ) => Promise<{ readonly url: string; readonly transport?: Transport } & AsyncDisposable>;
}

/** @returns a key in the form of those that Rollcall creates. */
const keyOf = (account: string): string => `rollcall_${hash('sha1', account)}`;
const knownOf = (lists: Lists): ReadonlyMap<string, Known> =>
  new Map([...lists].map(([path, items]) => [path, { items, isWhole: true }]));

/** @returns the results of a run on a server behind a change. */
export async function* judged(server: Opened, change: Change, options: Options): AsyncGenerator<Result> {
  await using reached = await server.through(change);
  const { url, transport } = reached;
  const [key, otherKey] = server.keys;
  const ofMemory = transport && { transport, clock: jumpingClock() };
  yield* conform(contract, { url, key, otherKey }, { isSeeded: true, requestMs: REQUEST_MS, ...ofMemory, ...options });
}

/** @returns a clock on which a pause takes no time. */
function jumpingClock(): Clock {
  let ms = 0;
  const pause = (length: number): Promise<void> => {
    ms += length;
    return Promise.resolve();
  };
  return { now: () => ms, pause };
}

const listsOf = (records: Records): Lists =>
  new Map([
    [AUTOMATIONS, inOrder(records.automations)],
    [PROPERTIES, inOrder(records.contactProperties)],
    [IMPORTS, inOrder(records.contactImports)],
  ]);

/** As the contract orders them. */
function inOrder(records: readonly { readonly id: string; readonly created_at: string }[] = []): readonly Item[] {
  const isOlder = (a: Item, b: Item): boolean => (isTie(a, b) ? a.id < b.id : instantOf(a) < instantOf(b));
  return records.map((it): Item => ({ ...it })).sort((a, b) => (isOlder(a, b) ? 1 : -1));
}
