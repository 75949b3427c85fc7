/** When keys were last used, for commands: that it cannot be read or changed is said, and stops none of them. */
import type { Database } from '../store/database.ts';
import { notify } from './output.ts';

/** @returns when keys were last used: ISO 8601, UTC, by the id of the key. */
export const usesOf = (database: Database): Promise<ReadonlyMap<string, string>> =>
  attempt('read', () => database.lastUses(), new Map());

/** Forgets when keys were last used. */
export const forgetUses = (database: Database, keys: readonly string[]): Promise<void> =>
  attempt('forgotten', () => database.forgetLastUses(keys), undefined);

/** Stores when keys were last used, by the id of the key. */
export const putUses = (database: Database, uses: ReadonlyMap<string, string>): Promise<void> =>
  attempt(
    'copied',
    () => database.putLastUses(new Map([...uses].map(([key, at]) => [key, Date.parse(at)]))),
    undefined,
  );

async function attempt<T>(done: string, work: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    notify(`When keys were last used cannot be ${done}: ${error instanceof Error ? error.message : String(error)}`);
    return otherwise;
  }
}
