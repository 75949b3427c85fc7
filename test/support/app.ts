/** An application on a database of its own, with the records a test wants. */
import type { Express, RequestHandler } from 'express';
import { createApp } from '../../server/app.ts';
import { keyHash, newKey } from '../../server/keys.ts';
import { createHandlers } from '../../server/operations/handlers.ts';
import { createChecks } from '../../server/records/check.ts';
import { COLLECTIONS } from '../../server/records/collections.ts';
import { loadSpec } from '../../server/spec.ts';
import { openForWriting } from '../../server/store/sqlite/database.ts';
import { createSqliteStore } from '../../server/store/sqlite/reader.ts';
import { createSqliteWriter } from '../../server/store/sqlite/writer.ts';
import type { Collection, Resources, Store, Writer } from '../../server/store/store.ts';
import { createValidator } from '../../server/validator.ts';
import { record } from './recorder.ts';

// Neither changes once made.
export const spec = await loadSpec();
const validator = createValidator(spec);
const checks = createChecks(spec);

export type Records = { readonly [C in Collection]?: readonly Resources[C][] };

export interface TestApp {
  readonly app: Express;
  /** A key of the account `main`, which has the records. */
  readonly key: string;
  readonly store: Store;
  readonly writer: Writer;
  /** What was reported as the server's own fault. */
  readonly reported: { error: unknown; requestId: string }[];
  /** Loads records into an account. */
  put(records: Records, options?: { account?: string; replace?: boolean }): Promise<void>;
  /** @returns a new key of an account. */
  keyOf(account: string): Promise<string>;
}

/**
 * @param overrides stands in for parts of the store, to make it fail.
 * @param intercept sees every request first.
 */
export async function openTestApp(
  records: Records = {},
  overrides: Partial<Store> = {},
  intercept: RequestHandler = record,
): Promise<TestApp> {
  const db = openForWriting(':memory:');
  const store = { ...createSqliteStore(db), ...overrides };
  const writer = createSqliteWriter(db);
  const reported: TestApp['reported'] = [];
  const app = createApp({
    spec,
    validator,
    store,
    handlers: createHandlers(store),
    intercept,
    report: (error, requestId) => reported.push({ error, requestId }),
  });

  const put: TestApp['put'] = async (some, { account = 'main', replace = false } = {}) => {
    for (const collection of COLLECTIONS) {
      const wanted = some[collection];
      if (wanted === undefined) continue;
      const checked = wanted.map((value) => {
        const { record, faults } = checks[collection](value);
        if (record === undefined) throw new Error(`A test's record is not valid: ${JSON.stringify(faults)}`);
        return record;
      });
      await writer.load(account, collection, oneBatch(checked), { replace });
    }
  };
  const keyOf: TestApp['keyOf'] = async (account) => {
    const key = newKey();
    await writer.createKey({ id: key, account, label: '', createdAt: new Date(0).toISOString() }, keyHash(key));
    return key;
  };
  await put(records);
  const key = await keyOf('main');
  return {
    app,
    key,
    store,
    writer,
    reported,
    put,
    keyOf,
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
async function* oneBatch<T>(batch: readonly T[]): AsyncGenerator<readonly T[]> {
  yield batch;
}
