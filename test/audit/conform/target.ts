/** Targets of `conform`: applications with records for every rule. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { conform } from '../../../audit/conform/conform.ts';
import type { Options, Result } from '../../../audit/conform/conform.ts';
import { LIMITS } from '../../../server/http/connections.ts';
import { listen } from '../../../server/http/listener.ts';
import { startProxy } from '../mutants/proxy.ts';
import type { InterceptedRequest } from '../mutants/proxy.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract, openTestApp } from '../../support/app.ts';
import type { TestApp } from '../../support/app.ts';
import { recordsOf, seeded } from './records.ts';

/** Enough records of each collection for every rule. */
export const RECORDS = seeded(recordsOf('own'), contract);

export interface Server {
  readonly url: string;
  readonly key: string;
  readonly otherKey?: string;
}

/** Starts a server until the test has ended. @returns its address and key. */
export async function open(t: Pick<TestApp, 'app' | 'key'>): Promise<Server> {
  const parts = { contract, observer: {}, limits: LIMITS, corsOrigins: [] };
  const listener = await listen(t.app, parts, { host: '127.0.0.1', port: 0 });
  afterTest(() => listener.stop());
  return { url: listener.url, key: t.key };
}

/** Sees each request first: changes it, or responds to it. */
export type Change = (req: IncomingMessage, res: ServerResponse, t: TestApp) => unknown;

/** Starts a server with all records, whose requests are changed first, or answered. */
export async function openBehind(change: Change, records = RECORDS): Promise<Server> {
  const t = await openTestApp(records);
  const app: TestApp['app'] = (req, res) => {
    void Promise.resolve(change(req, res, t)).then(() => {
      if (!res.writableEnded) t.app(req, res);
    });
  };
  return open({ ...t, app });
}

/** Starts a server with all records, and passes the body of each 200 through `rewrite`. */
export async function openRewritten(
  rewrite: (body: string, request: InterceptedRequest) => string,
  records = RECORDS,
): Promise<Server> {
  const { url, key } = await open(await openTestApp(records));
  const proxy = await startProxy(url, [key, key], [new Map(), new Map()], {
    reply: (reply, request) => {
      if (reply.status === 200 && reply.body !== '') reply.body = rewrite(reply.body, request);
    },
  });
  afterTest(() => proxy[Symbol.asyncDispose]());
  return { url: proxy.url, key };
}

/** @returns the results of every rule. */
export async function results(server: Server, options?: Options): Promise<Result[]> {
  const all: Result[] = [];
  for await (const result of conform(contract, server, options)) all.push(result);
  return all;
}

export const rulesOf = (all: readonly Result[], outcome: Result['outcome']): Set<string> =>
  new Set(all.filter((it) => it.outcome === outcome).map((it) => it.rule));
