/** A server of a scenario, with or without a cache, whose reads of the store can be counted and held back. */
import { compose } from '../../server/compose.ts';
import { createPipeline } from '../../server/http/pipeline.ts';
import { listen } from '../../server/http/listener.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { databaseOf } from '../../cli/database.ts';
import { whenReady } from '../../server/store/store.ts';
import type { Records, AuthenticatedCaller, Store } from '../../server/store/store.ts';
import { contract } from '../support/app.ts';
import { exchange } from '../support/raw.ts';

/** How often a server has read its store. */
export interface Calls {
  keys: number;
  records: number;
}

export interface Server {
  readonly calls: Calls;
  /** Sends requests as one text. @returns the responses, byte for byte, but for dates and new request ids. */
  readonly send: (text: string) => Promise<string>;
  /**
   * Sends requests, and holds back the store's result of the first read of a kind.
   * @returns once that has been read, or there was no such read: a function that releases it, and returns the responses.
   */
  readonly sendHeld: (what: keyof Calls, text: string) => Promise<() => Promise<string>>;
  readonly stop: () => Promise<void>;
}

interface Hold {
  readonly what: keyof Calls;
  readonly isRead: PromiseWithResolvers<undefined>;
  readonly isReleased: PromiseWithResolvers<undefined>;
}

const hashes = schemaHashes(contract);

export interface Settings {
  /** How much of the responses is cached; 0 for nothing. */
  readonly cacheBytes: number;
  /** Requests in a window; no limit unless given. */
  readonly limit?: number | undefined;
  readonly corsOrigins?: readonly string[];
}
/** A window: the clock of a test that has a limit passes it. */
const WINDOW_S = 45;

/** @param address what `--db` takes. */
export async function startServer(address: string, { cacheBytes, limit, corsOrigins = [] }: Settings): Promise<Server> {
  const opened = await databaseOf(address).openStore(hashes);
  const calls: Calls = { keys: 0, records: 0 };
  let hold: Hold | undefined;

  // A store's results may be promises, so that requests and changes can be made to meet at this point.
  const read = <T>(what: keyof Calls, work: () => T | Promise<T>): T | Promise<T> => {
    calls[what] += 1;
    if (hold?.what !== what) return work();
    const { isRead, isReleased } = hold;
    hold = undefined;
    const readAndWait = async (): Promise<T> => {
      try {
        return await work();
      } finally {
        isRead.resolve(undefined);
        await isReleased.promise;
      }
    };
    return readAndWait();
  };
  const recordsOf = (records: Records): Records => ({
    list: (account, collection, query) => read('records', () => records.list(account, collection, query)),
    get: (account, collection, id) => read('records', () => records.get(account, collection, id)),
  });
  const store: Store = {
    ...opened,
    ...recordsOf(opened),
    authenticate: (hash) => {
      const begun = opened.authenticate(hash);
      const counted = (session: AuthenticatedCaller | undefined): AuthenticatedCaller | undefined =>
        session && { ...session, records: recordsOf(session.records) };
      // A session that is to be confirmed later has begun without a read.
      if (!(begun instanceof Promise) && begun?.confirm !== undefined) return counted(begun);
      return whenReady(
        read('keys', () => begun),
        counted,
      );
    },
  };
  const rateLimits = limit === undefined ? undefined : createRateLimits({ requests: limit, seconds: WINDOW_S });
  const parts = compose({ contract, store, cacheBytes, rateLimits, corsOrigins, observer: {} });
  const listener = await listen(createPipeline(parts), parts, { host: '127.0.0.1', port: 0 });
  const send = async (text: string): Promise<string> => comparable(await exchange(listener.url, text, 'latin1'));
  return {
    calls,
    send,
    sendHeld: async (what, text) => {
      const [isRead, isReleased] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      hold = { what, isRead, isReleased };
      const responses = send(text);
      await Promise.race([isRead.promise, responses]);
      hold = undefined;
      return () => {
        isReleased.resolve(undefined);
        return responses;
      };
    },
    stop: async () => {
      await listener.stop();
      await opened.close();
    },
  };
}

const NEW_ID = /(?<=^X-Request-Id: )[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?=\r$)/gm;

/** No request here has a UUID as its id, so one in a response is the server's own. */
function comparable(responses: string): string {
  return responses.replace(/(?<=^Date: ).+(?=\r$)/gm, '(now)').replace(NEW_ID, '(new)');
}
