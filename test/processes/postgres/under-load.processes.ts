/** Two servers on a primary and a standby, under load, while both fail: no wrong response, none late, a 503 only where neither can respond. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import type { Schemas } from '../../../server/contract/types.ts';
import type { ReplicaEvent } from '../../../server/store/database.ts';
import { contactImport } from '../../../server/testing/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';
import { folder } from '../../support/own-folder.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { PASSWORD } from '../../support/postgres.ts';
import { series } from '../../support/series.ts';
import { caughtUp, pauseReplay, resumeReplay, startPair, valueOf } from './replicated.ts';
import type { Pair } from './replicated.ts';
import { BOUND_MS } from './served.ts';
import { startReaders } from './readers.ts';
import type { Figures, Readers } from './readers.ts';

const TEST_MS = 120_000;

// Each added record lies between two constant ones.
const all = series(600, contactImport);
const constant = all.filter((_, at) => at % 2 === 0);
const added = all.filter((_, at) => at % 2 === 1);
const half = added.filter((_, at) => at % 2 === 1);

interface Scene extends Pair {
  readonly readers: Readers;
  /** Imports records, by the command line. */
  readonly load: (records: readonly Schemas['ContactImport'][]) => Promise<void>;
  /** Stops the servers. @returns what their logs say of replicas, one list for each. */
  readonly stop: () => Promise<readonly (readonly ReplicaEvent[])[]>;
  /** Takes steps without a 503 until the logs of both servers say that the standby is available, or unavailable. @returns the last step. */
  readonly untilLogged: (state: ReplicaEvent['state']) => Promise<Figures>;
  /** Holds the figures since the last step against the bounds, and prints them. */
  readonly step: (name: string) => Promise<Figures>;
}

/** @param db makes what `--db` is of the address of the primary. */
async function open(db: (address: string, pair: Pair) => Promise<string>): Promise<Scene> {
  const pair = await startPair(afterTest);
  const { address } = await createDatabase(pair.primary.address());
  const env = {
    ROLLCALL_DB: await db(address, pair),
    ROLLCALL_DB_READ: pair.standby.address(new URL(address).pathname.slice(1)),
  };
  const load: Scene['load'] = async (records) => {
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
    { constant, added },
  );
  afterTest(() => readers.end());
  const step: Scene['step'] = async (name) => {
    await readers.traversed();
    const figures = readers.figures();
    expect({ name, wrong: readers.wrong }).toEqual({ name, wrong: [] });
    expect(figures.longestMs).toBeLessThan(BOUND_MS);
    const { requests, traversals, unavailable, unavailableUnknown, longestMs } = figures;
    process.stdout.write(
      `${name}: ${String(requests)} requests, ${String(traversals)} traversals, ${String(unavailable)} 503s, ` +
        `${String(unavailableUnknown)} for what is unknown; longest ${longestMs.toFixed(0)} ms\n`,
    );
    return figures;
  };
  return {
    ...pair,
    readers,
    load,
    stop: async () => {
      await readers.end();
      return Promise.all(
        servers.map(async (it) => {
          it.process.kill('SIGTERM');
          const { code, stderr } = await it.ended;
          expect(code).toBe(0);
          expect(stderr).not.toContain(PASSWORD);
          return eventsIn(stderr);
        }),
      );
    },
    step,
    untilLogged: async (state) => {
      for (;;) {
        const isLogged = logs.every(({ text }) => eventsIn(text).at(-1)?.state === state);
        const figures = await step(`until both servers log that the standby is ${state}`);
        expect(figures).toMatchObject(NO_503);
        if (isLogged) return figures; // The whole step was in this state.
      }
    },
  };
}
/** @returns what the whole lines of a log say of replicas. */
function eventsIn(log: string): readonly ReplicaEvent[] {
  const lines = log.split('\n').slice(0, -1);
  return lines.filter((it) => it.includes('"event":"replica"')).map((it) => JSON.parse(it) as ReplicaEvent);
}
const NO_503 = { unavailable: 0, unavailableUnknown: 0 };

test(
  'the standby is killed, a load comes, the primary is restarted, both are down',
  async () => {
    const scene = await open((address) => Promise.resolve(address));
    const { primary, standby, step, load } = scene;
    expect(await step('calm')).toMatchObject(NO_503);

    await standby.stop('immediate');
    expect(await step('the standby is down')).toMatchObject({ ...NO_503, added: 0 });
    await load(half);
    expect(await step('a load comes, which the standby misses')).toMatchObject({ ...NO_503, added: half.length });
    await standby.start();
    expect(await step('the standby is back')).toMatchObject(NO_503);
    await scene.untilLogged('available');

    await pauseReplay(scene);
    await load(added);
    expect(await scene.untilLogged('unavailable')).toMatchObject({ added: added.length });
    await resumeReplay(standby);
    await caughtUp(scene);
    // A server that has not polled the standby since then has nobody to ask once the primary is down.
    expect(await scene.untilLogged('available')).toMatchObject({ added: added.length });

    await primary.stop('fast');
    expect(await step('the primary is down')).toMatchObject({ unavailable: 0, added: added.length });
    await primary.start();
    await step('the primary is coming back');
    expect(await step('the primary is back')).toMatchObject({ ...NO_503, added: added.length });

    await Promise.all([primary.stop('fast'), standby.stop('fast')]);
    await Promise.all([primary.start(), standby.start()]);
    await step('both were down');
    expect(await step('both are back')).toMatchObject({ ...NO_503, added: added.length });
    await scene.untilLogged('available');
    for (const events of await scene.stop()) {
      const states = events.map((it) => it.state);
      expect(states[0]).toBe('unavailable');
      expect(states.at(-1)).toBe('available');
      expect(states.filter((it) => it === 'available').length).toBeGreaterThan(1); // Twice it was gone.
    }
  },
  TEST_MS,
);

test(
  'the primary is killed, the standby is promoted, and the address leads to it',
  async () => {
    let proxy: FaultyProxy | undefined;
    const { primary, standby, step, load, stop } = await open(async (address) => {
      const started = (proxy = await startProxy(Number(new URL(address).port)));
      afterTest(() => started.close());
      return started.through(address);
    });
    expect(await step('calm')).toMatchObject(NO_503);
    await primary.stop('immediate');
    expect(await step('the primary is dead')).toMatchObject({ unavailable: 0 });
    await valueOf(standby.address(), 'SELECT pg_promote()');
    expect(await step('the standby is promoted')).toMatchObject({ unavailable: 0 });
    proxy?.lead(standby.port);
    await load(added);
    await step('the address leads to it');
    expect(await step('after the failover')).toMatchObject({ ...NO_503, added: added.length });
    await stop();
  },
  TEST_MS,
);
