/** Measures a work: every contender in a fresh process, verified, warmed, then asked in rounds whose order changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, assertSame } from './answers.ts';
import type { Answer } from './answers.ts';
import { COLD, ROLLCALL } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { Server } from './processes.ts';
import { cpuNs, median } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';
import type { Work } from './works.ts';
import { load, writeTargets } from './wrk.ts';
import type { Load } from './wrk.ts';

const VERIFIED_TARGETS = 25;
const WARM_UP_REQUESTS = 20_000;
const WARM_UP_ROUNDS = 4;
/** A machine so busy that a round takes more loads than this cannot measure it. */
const LOADS = 60;

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Of each round: one with fewer is continued. A busy machine answers too few in its time for a figure that holds. */
  readonly requests?: number;
  /** For files of the run. */
  readonly folder: string;
}

interface Runner {
  readonly contender: Contender;
  readonly server: Server;
  readonly file: string;
  /** Requests so far: the next ones are others, as long as there are others. */
  sent: number;
  rounds: Round[];
}
interface Round {
  readonly cpuUs: number;
  readonly core: number;
}

/** @returns a row for each contender. @throws Error if two of them answer the same target with other bytes. */
export async function measure(work: Work, options: RoundOptions): Promise<readonly Row[]> {
  const runners: Runner[] = [];
  try {
    await startAll(work, options.folder, runners);
    for (const runner of runners) await warmUp(runner, work.connections, options);
    for (let round = 0; round < options.rounds; round += 1) {
      const turn = round % runners.length;
      for (const runner of [...runners.slice(turn), ...runners.slice(0, turn)]) {
        await runRound(runner, work.connections, options);
      }
    }
  } finally {
    await Promise.all(runners.map((it) => it.server.stop()));
  }
  return rowsOf(work, runners);
}

/** Starts Rollcall first: its answers are what the others repeat, and are compared with. */
async function startAll(work: Work, folder: string, runners: Runner[]): Promise<void> {
  const isOurs = (contender: Contender): boolean => contender === ROLLCALL || contender === COLD;
  const responseFile = join(folder, 'answer.json');
  const seeded = await seed(work.records);
  const targets = work.targets();
  const [first = ''] = targets;
  const step = Math.ceil(targets.length / VERIFIED_TARGETS);
  let expected: ReadonlyMap<string, Answer> | undefined;
  for (const contender of work.contenders.toSorted((a, b) => Number(isOurs(b)) - Number(isOurs(a)))) {
    const file = join(folder, `targets-${String(runners.length)}.txt`);
    const server = await contender.start({ seed: seeded, responseFile });
    runners.push({ contender, server, file, sent: 0, rounds: [] });

    const headers: Record<string, string> = { Authorization: `Bearer ${seeded.key}` };
    if (work.isConditional) {
      const { etag = '' } = await ask(runners[0]?.server.url ?? server.url, first, headers);
      headers['If-None-Match'] = etag;
    }
    writeTargets(file, headers, targets);

    const responses = new Map<string, Answer>();
    for (const it of targets.filter((_, at) => at % step === 0)) responses.set(it, await ask(server.url, it, headers));
    if (expected === undefined) writeFileSync(responseFile, JSON.stringify(responses.get(first)));
    expected ??= responses;
    for (const [it, response] of expected) assertSame(it, contender.name, response, responses.get(it));
  }
}

/** Rounds that do not count, until the code is surely compiled: where requests are slow, one is not enough. */
async function warmUp(runner: Runner, connections: number, options: RoundOptions): Promise<void> {
  do await runRound(runner, connections, options);
  while (runner.sent < WARM_UP_REQUESTS && runner.rounds.length < WARM_UP_ROUNDS);
  runner.rounds = [];
}

async function runRound(runner: Runner, connections: number, { seconds, requests = 0 }: RoundOptions): Promise<void> {
  const { server, file } = runner;
  const before = cpuNs(server.pid);
  const loads: Load[] = [];
  const sent = (): number => loads.reduce((sum, it) => sum + it.requests, 0);
  do {
    const offset = runner.sent + sent();
    loads.push(await load(server.url, file, { connections, seconds, offset }));
  } while (sent() < requests && loads.length < LOADS);
  const cpu = (cpuNs(server.pid) - before) / 1000;
  const took = loads.reduce((sum, it) => sum + it.seconds, 0);
  runner.sent += sent();
  runner.rounds.push({ cpuUs: cpu / sent(), core: cpu / 1e6 / took });
}

function rowsOf({ name, against, contenders, connections }: Work, runners: readonly Runner[]): readonly Row[] {
  const roundsOf = (of: Contender): readonly Round[] => runners.find((it) => it.contender === of)?.rounds ?? [];
  const base = roundsOf(against);
  return contenders.map((contender) => {
    const rounds = roundsOf(contender);
    const of = (what: keyof Round): number => median(rounds.map((it) => it[what]));
    return {
      work: name,
      contender: contender.name,
      value: of('cpuUs'),
      unit: 'µs',
      // By round, because what else the machine does changes from one to the next.
      ratio: median(rounds.map((it, at) => it.cpuUs / (base[at]?.cpuUs ?? NaN))),
      ...(connections > 1 && { core: of('core') }), // One connection alone keeps no server busy.
    };
  });
}
