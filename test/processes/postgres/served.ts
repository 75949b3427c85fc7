/** An application over a PostgreSQL database, with a record and a key, to see its responses while something fails. */
import type { RequestListener } from 'node:http';
import request from 'supertest';
import { databaseOf } from '../../../cli/database.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { automation } from '../../../testkit/builders.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { afterTest } from '../../support/after-test.ts';
import { until } from '../../support/processes.ts';
import { loadInto } from '../../support/store.ts';

const KEY = 'a-key';

export interface Asked {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | undefined;
}

/** A 503 as the contract has it. */
export const UNAVAILABLE = {
  status: 503,
  retryAfter: '1',
  body: {
    statusCode: 503,
    name: 'service_unavailable',
    message: 'The service is temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
  },
};

export interface Served {
  /** Asks for the list. */
  readonly ask: () => Promise<Asked>;
  /** @returns why `/readyz` says that it is not ready; `undefined` if it is. */
  readonly notReady: () => Promise<unknown>;
  /** Waits until its responses are as before; until then they are 503s. */
  readonly recovered: () => Promise<void>;
}

/**
 * @param direct the address to fill the database by.
 * @param address the address to serve it by.
 */
export async function serve(direct: string, address = direct): Promise<Served> {
  const writer = await databaseOf(direct).openWriter();
  const record = automation();
  await loadInto(writer, 'automations', [record], { contract, replace: true });
  await writer.createKey({ id: KEY, account: 'main', label: '', createdAt: '' }, keyHash(KEY));
  await writer.close();
  const store = await databaseOf(address).openStore(schemaHashes(contract));
  afterTest(() => store.close());
  const { app } = await openTestApp({}, store);
  const ask = (): Promise<Asked> => askOf(app);
  return {
    ask,
    notReady: async () => ((await failureOf(store.probe())) as Error | undefined)?.message,
    recovered: () =>
      until(async () => {
        const { status, body } = await ask();
        if (status !== 200 && status !== 503) throw new Error(JSON.stringify({ status, body }));
        return status === 200 && (body as { data: { id: string }[] }).data[0]?.id === record.id;
      }),
  };
}

async function askOf(app: RequestListener): Promise<Asked> {
  const response = await request(app).get('/automations').set('authorization', `Bearer ${KEY}`);
  const retryAfter = response.headers['retry-after'];
  return { status: response.status, body: response.body, retryAfter };
}

/** @returns what a work fails with; `undefined` if it does not. */
export const failureOf = (work: unknown): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );
