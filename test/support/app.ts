/** An application on a database of its own, with the records a test wants. */
import type { RequestListener } from 'node:http';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection, Resources } from '../../contract/collections.ts';
import { loadContract } from '../../contract/document.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { compose } from '../../server/compose.ts';
import { createPipeline } from '../../server/http/pipeline.ts';
import type { Intercept, Parts } from '../../server/http/pipeline.ts';
import type { Observer } from '../../server/http/events.ts';
import { keyHash, newKey } from '../../server/store/keys.ts';
import { whenReady } from '../../server/store/store.ts';
import type { Store, Writer } from '../../server/store/store.ts';
import { afterTest } from './after-test.ts';
import type { After } from './after-test.ts';
import { takeSides } from './engine.ts';
import { loadInto } from './store.ts';

// The suite passes both ways.
const cacheBytes = process.env['ROLLCALL_CACHE'] === '0' ? 0 : 1_000_000;
export const contract = loadContract();
const hashes = schemaHashes(contract);

export type Records = { readonly [C in Collection]?: readonly Resources[C][] | undefined };

export interface TestApp {
  readonly app: RequestListener;
  readonly parts: Parts;
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
  const { list, get } = overrides;
  const authenticate: Store['authenticate'] = (hash) =>
    whenReady(
      opened.store.authenticate(hash),
      (caller) => caller && { ...caller, records: { ...caller.records, ...(list && { list }), ...(get && { get }) } },
    );
  const store = { ...opened.store, authenticate, ...overrides };
  const { writer } = opened;
  const reported: TestApp['reported'] = [];
  const failed: Observer['failed'] = ({ error, id }) => {
    reported.push({ error, requestId: id });
  };
  const parts = compose({
    ...{ contract, store, intercept, cacheBytes, ...settings },
    observer: { failed, ...observer },
  });

  const put: TestApp['put'] = async (some, { account = 'main', replace = false } = {}) => {
    for (const collection of COLLECTIONS) {
      const wanted = some[collection];
      if (wanted === undefined) continue;
      await loadInto(writer, collection, wanted, { contract, account, replace });
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
  return { app: createPipeline(parts), parts, key: await keyOf('main'), store, writer, reported, put, keyOf };
}
