/** Two servers on a primary and a standby, under load, while both fail: no wrong response, none late, a 503 only where neither can respond. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import type { Schemas } from '../../contract/types.ts';
import type { ReplicaEvent } from '../../server/store/database.ts';
import { contactImport } from '../../testkit/builders.ts';
import { afterTest } from '../../test/support/after-test.ts';
import { startProxy } from '../../test/support/faulty-proxy.ts';
import { folder } from '../../test/support/own-folder.ts';
import { createDatabase } from '../../test/support/postgres-database.ts';
import { PASSWORD } from '../../test/support/postgres.ts';
import { until } from '../../test/support/processes.ts';
import { ndjson, series } from '../../test/support/series.ts';
import { caughtUp, pauseReplay, resumeReplay, startPair, valueOf } from '../../test/processes/postgres/replicated.ts';

/** The bound of every request, also if a connection or a response never comes. */
const BOUND_MS = 4000;
const TEST_MS = 240_000;
const READERS = 8;
const PAUSE_MS = 20; // Before the next attempt after a 503.

// Each added record lies between two constant ones; they are added in three parts.
const all = series(600, contactImport);
const constant = all.filter((_, at) => at % 2 === 0);
const added = all.filter((_, at) => at % 2 === 1);
const parts = [0, 1, 2].map((nth) => added.filter((_, at) => at % 3 === nth));
const [constantIds, addedTexts] = [
  new Set(constant.map((it) => it.id)),
  new Set(added.map((it) => JSON.stringify(it))),
];

interface Figures {
  requests: number;
  /** 503s for records that were there all the time. */
  unavailable: number;
  longestMs: number;
  /** The most added records that a traversal of the list has seen. */
  added: number;
}
interface Readers {
  /** Errors: each is a bug. */
  readonly wrong: readonly string[];
  /** Waits for a traversal of each reader that begins from now on. @returns the figures since the last call. */
  readonly step: () => Promise<Figures>;
  readonly end: () => Promise<void>;
}

/** Starts readers that page through the list over several servers, as behind a load balancer, and check every response. */
function startReaders(urls: readonly string[], key: string): Readers {
  const none = (): Figures => ({ requests: 0, unavailable: 0, longestMs: 0, added: 0 });
  const wrong: string[] = [];
  const ended: number[] = [];
  let [figures, isOver, begun] = [none(), false, 0];

  const send = async (path: string, as = key): Promise<{ status: number; body: unknown }> => {
    figures.requests += 1;
    const url = urls[figures.requests % urls.length] ?? '';
    const started = performance.now();
    const response = await fetch(`${url}/contacts/imports${path}`, { headers: { authorization: `Bearer ${as}` } });
    const body: unknown = await response.json();
    figures.longestMs = Math.max(figures.longestMs, performance.now() - started);
    const isDeclared = response.status !== 503 || response.headers.get('retry-after') === '1';
    if (!isDeclared) wrong.push(`503 without Retry-After: ${JSON.stringify(body)}`);
    return { status: response.status, body };
  };
  /** @returns what exists, however often it takes. */
  const read = async (path: string): Promise<unknown> => {
    for (;;) {
      const { status, body } = await send(path);
      if (status === 200) return body;
      if (status !== 503) throw new Error(`${path}: ${String(status)} ${JSON.stringify(body)}`);
      figures.unavailable += 1;
      if (isOver) return { data: [], has_more: false };
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const readUnknown = async (path: string, expected: number, as?: string): Promise<void> => {
    const { status, body } = await send(path, as);
    if (status !== 503 && status !== expected) wrong.push(`${path}: ${String(status)} ${JSON.stringify(body)}`);
  };
  const traverse = async (): Promise<void> => {
    const own = (begun += 1);
    const seen: Schemas['ContactImport'][] = [];
    for (let [after, isMore] = ['', true]; isMore && !isOver;) {
      const page = (await read(`?limit=20${after}`)) as Schemas['ContactImportList'];
      seen.push(...page.data);
      isMore = page.has_more;
      after = `&after=${String(seen.at(-1)?.id)}`;
    }
    if (isOver) return;
    const others = seen.filter((it) => !constantIds.has(it.id));
    const isWhole = ndjson(seen.filter((it) => constantIds.has(it.id))) === ndjson(constant);
    if (!isWhole) wrong.push(`traversal ${String(own)}: the constant records differ`);
    if (new Set(seen.map((it) => it.id)).size !== seen.length) wrong.push(`traversal ${String(own)}: one came twice`);
    if (!others.every((it) => addedTexts.has(JSON.stringify(it))))
      wrong.push(`traversal ${String(own)}: one is unknown`);
    figures.added = Math.max(figures.added, others.length);
    ended.push(own);
  };
  const get = async (record?: Schemas['ContactImport']): Promise<void> => {
    const found = await read(`/${String(record?.id)}`);
    if (!isOver && JSON.stringify(found) !== JSON.stringify(record)) wrong.push(`get: ${JSON.stringify(found)}`);
  };
  const clients = Array.from({ length: READERS }, async (_, reader) => {
    for (let round = reader; !isOver; round += READERS) {
      await traverse();
      await get(constant[round % constant.length]);
      await readUnknown(`/${randomUUID()}`, 404);
      await readUnknown(`?after=${randomUUID()}`, 404);
      await readUnknown('', 401, 'nonsense');
    }
  });
  for (const it of clients) it.catch((error: unknown) => wrong.push(String(error)));
  return {
    wrong,
    step: async () => {
      const from = begun + READERS;
      await until(() => wrong.length > 0 || ended.filter((it) => it > from).length >= READERS);
      const now = figures;
      figures = none();
      return now;
    },
    end: async () => {
      isOver = true;
      await Promise.allSettled(clients);
    },
  };
}

/** @returns what the whole lines of a log say of replicas. */
function eventsIn(log: string): readonly ReplicaEvent[] {
  const lines = log.split('\n').slice(0, -1);
  return lines.filter((it) => it.includes('"event":"replica"')).map((it) => JSON.parse(it) as ReplicaEvent);
}

test(
  'the standby fails and lags, the primary is restarted, both are down, the standby is promoted and the address leads to it',
  async () => {
    const pair = await startPair(afterTest);
    const { primary, standby } = pair;
    const { address } = await createDatabase(primary.address());
    const proxy = await startProxy(primary.port);
    afterTest(() => proxy.close());
    const env = {
      ROLLCALL_DB: proxy.through(address),
      ROLLCALL_DB_READ: standby.address(new URL(address).pathname.slice(1)),
    };
    const load = async (records: readonly object[] = []): Promise<void> => {
      writeFileSync(folder.path('records.json'), JSON.stringify(records));
      const ran = await folder.run(['import', 'contact-imports', 'records.json', '--account', 'acme'], { env });
      expect(ran).toMatchObject({ code: 0 });
    };
    await load(constant);
    const key = (await folder.run(['keys', 'create', '--account', 'acme'], { env })).stdout.trim();
    await caughtUp(pair);
    const servers = [1, 2].map(() => folder.start(['serve', '--port', '0'], env));
    const logs = servers.map(({ process: { stderr } }) => {
      const log = { text: '' };
      stderr.on('data', (text: string) => (log.text += text));
      return log;
    });
    const urls = await Promise.all(servers.map((it) => it.printed(/Rollcall listens on (http\S+)\n/)));
    const readers = startReaders(
      urls.map(([, url = '']) => url),
      key,
    );
    afterTest(() => readers.end());

    /** Prints the figures of a step, and holds them against the bounds. @param atLeast how many added records are seen. */
    const step = async (name: string, atLeast = 0, unavailable: unknown = 0): Promise<void> => {
      const figures = await readers.step();
      process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
      expect({ name, wrong: readers.wrong }).toEqual({ name, wrong: [] });
      expect(figures.longestMs).toBeLessThan(BOUND_MS);
      expect(figures.unavailable).toEqual(unavailable);
      expect(figures.added).toBeGreaterThanOrEqual(atLeast);
    };
    /** Takes steps until both servers have logged that the standby is available, or not; the last is in this state throughout. */
    const untilLogged = async (state: ReplicaEvent['state'], atLeast: number): Promise<void> => {
      while (!logs.every(({ text }) => eventsIn(text).at(-1)?.state === state)) await step(`until ${state}`);
      await step(state, atLeast);
    };
    const any = expect.any(Number);
    const [third, two] = [added.length / 3, (added.length * 2) / 3];

    await step('baseline');
    await standby.stop('immediate');
    await step('the standby is down');
    await load(parts[0]);
    await step('an import runs while the standby is down', third);
    await standby.start();
    await step('the standby is back');
    await untilLogged('available', third);

    await pauseReplay(pair);
    await load(parts[1]);
    await untilLogged('unavailable', two);
    await resumeReplay(standby);
    await caughtUp(pair);
    // A server that has not polled the standby since then has nobody to ask once the primary is down.
    await untilLogged('available', two);

    await primary.stop('fast');
    await step('the primary is down', two);
    await primary.start();
    await step('the primary is starting', two, any);
    await step('the primary is back', two);

    await Promise.all([primary.stop('fast'), standby.stop('fast')]);
    await Promise.all([primary.start(), standby.start()]);
    await step('both are restarted', 0, any);
    await step('both are back', two);
    await untilLogged('available', two);

    await primary.stop('immediate');
    await step('the primary is killed', two);
    await valueOf(standby.address(), 'SELECT pg_promote()');
    await step('the standby is promoted', two);
    proxy.lead(standby.port);
    await load(parts[2]);
    await step('the URL points at the promoted standby', two, any);
    await step('after the failover', added.length);

    await readers.end();
    for (const it of servers) {
      it.process.kill('SIGTERM');
      const { code, stderr } = await it.ended;
      expect(code).toBe(0);
      expect(stderr).not.toContain(PASSWORD);
      const states = eventsIn(stderr).map(({ state }) => state);
      expect(states[0]).toBe('unavailable');
      expect(states.filter((state) => state === 'available').length).toBeGreaterThan(1); // Twice it was gone.
    }
  },
  TEST_MS,
);
