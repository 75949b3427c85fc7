/** The client that is examined: its command, which is run once for each scenario, on several servers side by side. */
import { NotChecked } from '../../audit/rules/rule.ts';
import { own, say } from '../../audit/rules/text.ts';
import type { Stray } from './elsewhere.ts';
import { runChild } from '../../audit/child.ts';
import type { LoggedRequest } from './log.ts';
import { openExamServer } from './server.ts';
import type { ExamServer } from './server.ts';
import type { Scenario } from './scenario.ts';
import { argumentsOf, isPrintedId, parsePrinted, pathOfTask } from './task.ts';
import type { Printed } from './task.ts';

/** A run that has ended: all that a client is judged by. */
export interface Run {
  readonly scenario: Scenario;
  readonly printed: Printed;
  readonly requests: readonly LoggedRequest[];
  /** The requests for another origin, to which the client was redirected. */
  readonly strays: readonly Stray[];
  /** The key that the client was given. */
  readonly key: string;
  readonly ms: number;
}

export interface ClientOptions {
  readonly command: readonly string[];
  /** Runs the command; as a process by default. A test runs hundreds of clients without one. */
  readonly runCommand?: typeof runChild;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeLimitMs: number;
  /** How many runs there are at a time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
}

export interface Client {
  /** Runs the client, or returns the run of the same scenario. @throws NotChecked if the client does not support the task. */
  readonly run: (scenario: Scenario) => Promise<Run>;
  /** Like `run`, also if the client does not support the task. */
  readonly probe: (scenario: Scenario) => Promise<Run>;
  /** The runs that have ended, of tasks that the client supports. */
  readonly ended: () => Promise<readonly Run[]>;
  /** How often the command was run so far. */
  readonly runs: number;
  /** Stops the servers. No run may be in progress. */
  readonly close: () => Promise<void>;
}

export function openClient({
  command,
  runCommand = runChild,
  env,
  timeLimitMs,
  parallel,
  signal,
}: ClientOptions): Client {
  const runs = new Map<Scenario, Promise<Run>>();
  let started = 0;
  const servers = createPool(parallel, openExamServer);

  const runOnce = async (scenario: Scenario): Promise<Run> => {
    const { alternative } = scenario;
    const run = await runTask(scenario);
    return run.printed.isUnsupported && alternative !== undefined ? runTask({ ...scenario, task: alternative }) : run;
  };
  const runTask = async (scenario: Scenario): Promise<Run> => {
    const server = await servers.take();
    let hasExited = false;
    try {
      const { url, key, log, strays, end } = await server.serve(scenario);
      try {
        const ofRun = { ...withoutProxy(env), ROLLCALL_BASE_URL: url, ROLLCALL_API_KEY: key };
        started += 1;
        const words = [...command, ...argumentsOf(scenario.task)];
        const ran = await runCommand(words, { env: ofRun, timeLimitMs, signal });
        hasExited = ran.ending.kind === 'exited';
        return { scenario, printed: parsePrinted(ran, timeLimitMs), requests: log.requests, strays, key, ms: ran.ms };
      } finally {
        await end();
      }
    } finally {
      if (server.errors.length > 0) throw server.errors[0];
      // Of a command that was killed, requests may still arrive: they must not be taken for those of the next run.
      if (hasExited) servers.giveBack(server);
      else servers.replace();
    }
  };
  const probe = (scenario: Scenario): Promise<Run> => {
    const pending = runs.get(scenario) ?? runOnce(scenario);
    runs.set(scenario, pending);
    return pending;
  };
  return {
    probe,
    run: async (scenario) => {
      const run = await probe(scenario);
      if (isUnsupported(run)) throw new NotChecked(say`the client does not support ${own(taskName(scenario))}`);
      return run;
    },
    ended: async () => {
      const all = await Promise.allSettled(runs.values());
      return all.flatMap((it) => (it.status === 'rejected' || isUnsupported(it.value) ? [] : [it.value]));
    },
    get runs() {
      return started;
    },
    close: async () => {
      await Promise.allSettled(runs.values());
      await servers.close();
    },
  };
}

/**
 * Whether the client cannot do its task. A driver that was written before a task was added to the protocol may not say so: it requests
 * something else or nothing, or takes the task for another list, whose ids it prints.
 */
const isUnsupported = ({ printed, requests, scenario: { task, basePath = '' } }: Run): boolean =>
  printed.isUnsupported ||
  (task.do === 'records' &&
    (!requests.some(({ path }) =>
      [basePath, ''].some((base) => path.replace(/^\/+/, '/') === base + pathOfTask(task)),
    ) ||
      (printed.lines.length > 0 && printed.lines.every((it) => isPrintedId(it)))));

const taskName = ({ task }: Scenario): string =>
  argumentsOf(task)
    .slice(0, task.do === 'get' ? 1 : 2)
    .join(' ');

// Requests to this machine must not go to a proxy.
function withoutProxy(env: ClientOptions['env']): ClientOptions['env'] {
  const hosts = [env['NO_PROXY'] ?? env['no_proxy'] ?? '', '127.0.0.1'].filter((it) => it !== '').join(',');
  return { ...env, NO_PROXY: hosts, no_proxy: hosts };
}

interface Pool {
  readonly take: () => Promise<ExamServer>;
  readonly giveBack: (server: ExamServer) => void;
  /** Instead of giving a server back: it serves no other run. */
  readonly replace: () => void;
  readonly close: () => Promise<void>;
}

/** @returns a pool of servers, which are opened when they are needed. */
function createPool(size: number, open: () => Promise<ExamServer>): Pool {
  const all: Promise<ExamServer>[] = [];
  const free: ExamServer[] = [];
  const waiting: ((server: ExamServer | Promise<ExamServer>) => void)[] = [];
  let count = 0;
  const openAnother = (): Promise<ExamServer> => {
    const opened = open();
    all.push(opened);
    return opened;
  };
  return {
    take: () => {
      const server = free.pop();
      if (server !== undefined) return Promise.resolve(server);
      if (count === size) return new Promise((resolve) => waiting.push(resolve));
      count += 1;
      return openAnother();
    },
    giveBack: (server) => {
      const next = waiting.shift();
      if (next === undefined) free.push(server);
      else next(server);
    },
    replace: () => {
      const next = waiting.shift();
      if (next === undefined) count -= 1;
      else next(openAnother());
    },
    close: async () => {
      for (const it of await Promise.all(all)) await it.close();
    },
  };
}
