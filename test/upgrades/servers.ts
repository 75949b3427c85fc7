/** What servers of two releases serve, by plain requests. */
import { equal } from 'node:assert/strict';
import { COLLECTIONS, filterOf, operationsOf, pathOf } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import type { Folder, Ran, Running } from '../support/cli.ts';

const contract = loadContract();
const RESPONSE_MS = 10_000;
const END_MS = 60_000; // Of a command, and of a server that is stopped.

export interface Server {
  readonly url: string;
  readonly running: Running;
  /** Stops it. @throws AssertionError if it does not end well, or has logged anything. */
  readonly stop: (log?: RegExp) => Promise<void>;
}

/** Runs a command to its end. A command that does not end is killed, which fails the suite. */
export async function ran(folder: Folder, argv: readonly string[]): Promise<Ran> {
  return endOf(folder.start(argv));
}

async function endOf({ process: child, ended }: Running): Promise<Ran> {
  child.stdin.on('error', () => undefined); // It may end first.
  child.stdin.end();
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  try {
    return await ended;
  } finally {
    clearTimeout(late);
  }
}

/** Starts `serve` as either release has it, on a free port unless its settings have one. */
export async function serve(folder: Folder, argv: readonly string[], env?: Record<string, string>): Promise<Server> {
  const running = folder.start(['serve', ...argv], env);
  const [, url = ''] = await running.printed(/Rollcall listens on (http\S+)\n/);
  return {
    url,
    running,
    stop: async (log = /^$/) => {
      running.process.kill('SIGTERM');
      const { code, stderr } = await endOf(running);
      equal(code, 0, `serve ended with ${String(code)}: ${stderr}`);
      equal(log.test(stderr), true, `serve logged: ${stderr}`);
    },
  };
}

/** @returns status and body of a request. */
export async function get(url: string, key?: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(RESPONSE_MS),
  });
  return { status: response.status, text: await response.text() };
}

export interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

/** The bodies that a server has sent, by request target. */
export type Bodies = ReadonlyMap<string, string>;

/** Reads every list: by default, in pages of the largest size in both directions, by each filter; and records by id. @returns each body as sent. */
export async function readAll(url: string, key: string): Promise<Bodies> {
  const bodies = new Map<string, string>();
  const read = async (target: string): Promise<Page> => {
    const { status, text } = await get(`${url}${target}`, key);
    equal(status, 200, `${target}: ${text}`);
    bodies.set(target, text);
    return JSON.parse(text) as Page;
  };
  for (const collection of COLLECTIONS) {
    const path = pathOf(collection);
    const { list, get: getOperation } = operationsOf(collection);
    const parameter = (name: string) => contract.operation(list).parameters.find((it) => it.name === name)?.schema; // prettier-ignore
    const limit = `limit=${String(parameter('limit')?.maximum)}`;
    const filter = filterOf(collection);
    await read(path);
    let page = await read(`${path}?${limit}`);
    const pages = [page];
    while (page.has_more) {
      page = await read(`${path}?${limit}&after=${String(page.data.at(-1)?.id)}`);
      pages.push(page);
    }
    await read(`${path}?${limit}&before=${String(page.data.at(-1)?.id)}`);
    const values = filter === undefined ? [] : (parameter(filter)?.enum ?? []);
    for (const value of values) await read(`${path}?${limit}&${String(filter)}=${value}`);
    if (getOperation !== undefined) for (const { data } of pages) await read(`${path}/${String(data[0]?.id)}`);
  }
  return bodies;
}

/** @returns every item of every list, from what `readAll` has read. */
export function itemsIn(bodies: Bodies): Readonly<Record<string, readonly unknown[]>> {
  const items = COLLECTIONS.map((collection) => {
    const path = pathOf(collection);
    const pages = [...bodies].filter(([target]) => new RegExp(`^${path}\\?limit=\\d+(&after=[^&]+)?$`).test(target));
    return [collection, pages.flatMap(([, text]) => (JSON.parse(text) as Page).data)] as const;
  });
  return Object.fromEntries(items);
}
