/** A server that a client is examined with. It serves one run at a time, so that every request belongs to that run, whatever key it has. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ResponseObject } from '../../contract/document.ts';
import { newKey } from '../../server/store/keys.ts';
import { startServer } from '../../server/compose.ts';
import type { Exchange } from '../../server/http/exchange.ts';
import { createServerState } from '../server-state.ts';
import { accountOf } from '../start.ts';
import type { TestAccount } from '../start.ts';
import { openElsewhere } from './elsewhere.ts';
import type { Stray } from './elsewhere.ts';
import { createLog } from './log.ts';
import type { Canned, Log } from './log.ts';
import type { Scenario } from './scenario.ts';

/** A scenario that is being served. */
export interface Serving {
  readonly url: string;
  /** The key that the client is given. */
  readonly key: string;
  readonly log: Log;
  /** The requests for another origin. */
  readonly strays: readonly Stray[];
  /** The server accepts no more requests of the scenario. */
  readonly end: () => Promise<void>;
}

export interface ExamServer {
  /** Creates the account of a scenario. The scenario before must have ended. */
  readonly serve: (scenario: Scenario) => Promise<Serving>;
  /** Internal errors of the server: bugs of Rollcall. */
  readonly errors: readonly unknown[];
  readonly close: () => Promise<void>;
}

interface Current {
  readonly scenario: Scenario;
  readonly log: Log;
}

export async function openExamServer(): Promise<ExamServer> {
  const state = createServerState();
  const { contract, store } = state;
  const elsewhere = await openElsewhere();
  const errors: unknown[] = [];
  let current: Current | undefined;
  /** The keys of runs that have ended. A client that has ended may have requests on the way. */
  const oldKeys = new Set<string>();

  const respond = (x: Exchange): boolean => {
    if (current === undefined) return false;
    const { scenario, log } = current;
    if (oldKeys.has(x.req.headers.authorization?.split(' ').at(-1) ?? '')) {
      x.res.destroy();
      return true;
    }
    const { request, responded } = log.add(x);
    x.sendBody = (res, body) => {
      responded(body);
      res.end(body);
    };
    for (const [name, value] of Object.entries(scenario.headers ?? {})) x.corsHeaders = [...x.corsHeaders, name, value];
    const canned = scenario.respond?.(request, log.requests.length, elsewhere.origin);
    if (canned === undefined) return false;
    responded(canned.body);
    const declared = x.operation && contract.operation(x.operation.id).responses.get(canned.status);
    send(x.res, canned, declared, acceptsGzip(x.req.headers['accept-encoding']?.toString()));
    return true;
  };
  const listener = await startServer({
    contract,
    store,
    intercept: (x) => (respond(x) ? undefined : state.intercept(x)),
    observer: { failed: ({ error }) => errors.push(error) },
    host: '127.0.0.1',
    port: 0,
    cacheBytes: 0, // Every run has its own records.
    pages: { console: false, reference: false },
  });
  return {
    errors,
    serve: async (scenario) => {
      const account = await state.createAccount({ records: scenario.records ?? {} });
      const testAccount: TestAccount = accountOf(state, account);
      scenario.prepare?.(testAccount);
      const log = createLog();
      current = { scenario, log };
      const key = scenario.hasUnknownKey === true ? newKey() : testAccount.apiKey;
      return {
        url: listener.url + (scenario.basePath ?? ''),
        key,
        log,
        strays: elsewhere.begin(),
        end: async () => {
          current = undefined;
          oldKeys.add(key);
          await testAccount.delete();
        },
      };
    },
    close: async () => {
      state.close();
      await elsewhere.close();
      await listener.stop(0);
    },
  };
}

/** Sends a response. If it is one of the contract, it has the headers that the contract requires: strict clients miss them. */
function send(
  res: ServerResponse,
  { status, headers, body, isCompressible = false, chunkBytes }: Canned,
  declared: ResponseObject | undefined,
  isGzipAccepted: boolean,
): void {
  const required = Object.entries(declared?.headers ?? {}).filter(([, it]) => it.required === true);
  const all = headers ?? {
    'Content-Type': 'application/json',
    ...Object.fromEntries(required.map(([name, { example = '' }]) => [name, example])),
  };
  const isCompressed = isCompressible && isGzipAccepted;
  const bytes = isCompressed ? gzipSync(body) : Buffer.from(body);
  const encoding = isCompressed && { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };
  const length = chunkBytes === undefined && { 'Content-Length': bytes.length };
  res.writeHead(status, { ...all, ...encoding, ...length });
  const size = chunkBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) res.write(bytes.subarray(at, at + size));
  res.end();
}

/** Whether a client accepts gzip, by its Accept-Encoding. Without the header it is not asked for. */
const acceptsGzip = (header = ''): boolean => /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
