/** Measures a work: every entry in a fresh process, verified, warmed, then asked in rounds whose order changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, demandSame } from './answers.ts';
import type { Answer } from './answers.ts';
import { COLD, ROLLCALL } from './contenders.ts';
import { cpuUs, memoryMb } from './processes.ts';
import type { Server } from './processes.ts';
import { median } from './rows.ts';
import type { Load, Row } from './rows.ts';
import { seed } from './seed.ts';
import type { Entry, Work } from './works.ts';
import { load, writeTargets } from './wrk.ts';

const VERIFIED_TARGETS = 25;

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** For files of the run. */
  readonly folder: string;
}

interface Runner {
  readonly entry: Entry;
  readonly server: Server;
  readonly file: string;
  /** Requests so far: the next ones are others, as long as there are others. */
  sent: number;
}
type Round = Load & { readonly cpuUs: number };

/** @returns a row for each entry. @throws Error if two entries answer the same target with other bytes. */
export async function measure(work: Work, { rounds, seconds, folder }: RoundOptions): Promise<readonly Row[]> {
  const runners: Runner[] = [];
  const measured = new Map<Runner, Round[]>();
  try {
    await startAll(work, folder, runners);
    for (const runner of runners) {
      await runRound(runner, work.connections, seconds); // Warms it.
      measured.set(runner, []);
    }
    for (let round = 0; round < rounds; round += 1) {
      const turn = round % runners.length;
      for (const runner of [...runners.slice(turn), ...runners.slice(0, turn)]) {
        measured.get(runner)?.push(await runRound(runner, work.connections, seconds));
      }
    }
  } finally {
    await Promise.all(runners.map((it) => it.server.stop()));
  }
  return rowsOf(work, new Map([...measured].map(([{ entry }, of]) => [entry.label, of])));
}

/** Starts Rollcall first: its answers are what the others repeat, and are compared with. */
async function startAll(work: Work, folder: string, runners: Runner[]): Promise<void> {
  const isOurs = ({ contender }: Entry): boolean => contender === ROLLCALL || contender === COLD;
  const answerFile = join(folder, 'answer.json');
  let expected: { readonly of: Entry['targets']; readonly answers: ReadonlyMap<string, Answer> } | undefined;
  for (const entry of work.entries.toSorted((a, b) => Number(isOurs(b)) - Number(isOurs(a)))) {
    const seeded = await seed(entry.records);
    const targets = entry.targets();
    const [target = ''] = targets;
    const file = join(folder, `targets-${String(runners.length)}.txt`);
    const server = await entry.contender.start({ seed: seeded, answerFile });
    runners.push({ entry, server, file, sent: 0 });

    const headers: Record<string, string> = { Authorization: `Bearer ${seeded.key}` };
    if (work.isConditional === true) {
      const { etag } = await ask(runners[0]?.server.url ?? server.url, target, headers);
      headers['If-None-Match'] = etag ?? '';
    }
    writeTargets(file, headers, targets);
    if (entry.contender.isForScale === true) continue;

    const step = Math.ceil(targets.length / VERIFIED_TARGETS);
    const answers = new Map<string, Answer>();
    for (const it of targets.filter((_, at) => at % step === 0)) answers.set(it, await ask(server.url, it, headers));
    expected ??= { of: entry.targets, answers };
    writeFileSync(answerFile, JSON.stringify(expected.answers.get(target)));
    if (expected.of !== entry.targets) continue;
    for (const [it, answer] of expected.answers) demandSame(it, entry.label, answer, answers.get(it));
  }
}

async function runRound(runner: Runner, connections: number, seconds: number): Promise<Round> {
  const { server, file, sent } = runner;
  const before = cpuUs(server.pid);
  const {
    requests,
    seconds: took,
    p50Ms,
    p99Ms,
  } = await load(server.url, file, { connections, seconds, offset: sent });
  const cpu = cpuUs(server.pid) - before;
  runner.sent += requests;
  const perSecond = { requestsPerSecond: requests / took, core: cpu / 1e6 / took };
  return { ...perSecond, p50Ms, p99Ms, memoryMb: memoryMb(server.pid), cpuUs: cpu / requests };
}

function rowsOf({ name, bound }: Work, rounds: ReadonlyMap<string, readonly Round[]>): readonly Row[] {
  const medianOf = (label: string, what: keyof Round): number => median(rounds.get(label)?.map((it) => it[what]) ?? []);
  return [...rounds.keys()].map((label) => ({
    work: name,
    contender: label,
    value: medianOf(label, 'cpuUs'),
    unit: 'µs',
    ratio: medianOf(label, 'cpuUs') / medianOf(bound.against, 'cpuUs'),
    ...(label === bound.of ? { atMost: { ratio: bound.atMost } } : {}),
    load: {
      requestsPerSecond: medianOf(label, 'requestsPerSecond'),
      p50Ms: medianOf(label, 'p50Ms'),
      p99Ms: medianOf(label, 'p99Ms'),
      memoryMb: medianOf(label, 'memoryMb'),
      core: medianOf(label, 'core'),
    },
    rounds: rounds.get(label)?.map((it) => it.cpuUs) ?? [],
  }));
}
