/** An application on a database of its own, with the records a test wants. */
import type { RequestListener } from 'node:http';
import { COLLECTIONS } from '../../server/contract/collections.ts';
import type { Collection, Resources } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import { schemaHashes } from '../../server/contract/schema.ts';
import { createPipeline } from '../../server/http/pipeline.ts';
import type { Intercept, Parts } from '../../server/http/pipeline.ts';
import type { Observer } from '../../server/http/events.ts';
import { createChecks } from '../../server/import/check.ts';
import { keyHash, newKey } from '../../server/store/keys.ts';
import type { Store, Writer } from '../../server/store/store.ts';
import { afterTest } from './after-test.ts';
import type { After } from './after-test.ts';
import { takeSides } from './engine.ts';

// The suite passes both ways.
const cacheBytes = process.env['ROLLCALL_CACHE'] === '0' ? 0 : 1_000_000;
// Neither changes once made.
export const contract = loadContract();
const checks = createChecks(contract);
const hashes = schemaHashes(contract);

export type Records = { readonly [C in Collection]?: readonly Resources[C][] };

export interface TestApp {
  readonly app: RequestListener;
  /** A key of the account `main`, which has the records. Its id is `key-1`, that of the next `key-2`. */
  readonly key: string;
  readonly store: Store;
  readonly writer: Writer;
  /** What was reported as the server's own fault. */
  readonly reported: { error: unknown; requestId: string | undefined }[];
  /** Loads records into an account. */
  put(records: Records, options?: { account?: string; replace?: boolean }): Promise<void>;
  /** @returns a new key of an account. */
  keyOf(account: string): Promise<string>;
}

/**
 * @param overrides stands in for parts of the store, to make it fail.
 * @param intercept sees every request first.
 * @param settings of the server, where they are not the defaults; `after` when the application is not used any more.
 */
export async function openTestApp(
  records: Records = {},
  overrides: Partial<Store> = {},
  intercept: Intercept = () => undefined,
  { observer = {}, after = afterTest, ...settings }: Partial<Parts> & { readonly after?: After } = {},
): Promise<TestApp> {
  const opened = await takeSides(hashes, after);
  // What reads for one key would go past the parts that are stood in for.
  const isWhole = Object.keys(overrides).length === 0;
  const store = { ...opened.store, ...(isWhole ? {} : { readerOf: undefined }), ...overrides };
  const { writer } = opened;
  const reported: TestApp['reported'] = [];
  const failed: Observer['failed'] = ({ error, id }) => {
    reported.push({ error, requestId: id });
  };
  const app = createPipeline({
    ...{ contract, store, intercept, cacheBytes, ...settings },
    observer: { failed, ...observer },
  });

  const put: TestApp['put'] = async (some, { account = 'main', replace = false } = {}) => {
    for (const collection of COLLECTIONS) {
      const wanted = some[collection];
      if (wanted === undefined) continue;
      const checked = wanted.map((value) => {
        const { record, violations } = checks[collection](value);
        if (record === undefined) throw new Error(`A test's record is not valid: ${JSON.stringify(violations)}`);
        return record;
      });
      await writer.load(account, collection, oneBatch(checked), { replace, schemaHash: hashes[collection] });
    }
  };
  let keys = 0;
  const keyOf: TestApp['keyOf'] = async (account) => {
    const key = newKey();
    keys += 1;
    await writer.createKey(
      { id: `key-${String(keys)}`, account, label: '', createdAt: new Date(0).toISOString() },
      keyHash(key),
    );
    return key;
  };
  await put(records);
  return { app, key: await keyOf('main'), store, writer, reported, put, keyOf };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
async function* oneBatch<T>(batch: readonly T[]): AsyncGenerator<readonly T[]> {
  yield batch;
}
