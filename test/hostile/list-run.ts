/** Many hostile servers of lists, in several processes: most of the time they wait, and one that hangs is ended. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { SeedReport } from './list-process.ts';

export interface ListRun {
  /** The first seed. */
  readonly seed: number;
  readonly count: number;
  readonly processes: number;
  /** How long a command may take beyond its time limit, when it is tried again alone; only what hangs is a fault if undefined. */
  readonly lateMs?: number;
}
export interface ListReport {
  /** How often the commands ended with each exit code. */
  readonly codes: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly faults: readonly string[];
}

const MAX_FAULTS = 20;
/** For what hangs. */
const HANGS_MS = 300_000;

/** Runs the servers of so many seeds. */
export async function runLists({ seed: first, count, processes, lateMs = Infinity }: ListRun): Promise<ListReport> {
  const codes: Record<string, number> = {};
  const faults: string[] = [];
  const late: number[] = [];
  const share = Math.ceil(count / processes);
  const blame = ({ seed, what }: SeedReport, fault: string): void => {
    faults.push(`seed ${String(seed)}, ${what}: ${fault}`);
  };
  const read = (report: SeedReport): void => {
    codes[String(report.code)] = (codes[String(report.code)] ?? 0) + 1;
    for (const fault of report.faults) blame(report, fault);
    if (report.lateMs > lateMs) late.push(report.seed);
  };
  const starts = Array.from({ length: processes }, (_, at) => first + at * share).filter((it) => it < first + count);
  const ended = starts.map((from) => runProcess(from, Math.min(share, first + count - from), read));
  faults.push(...(await Promise.all(ended)).flat());
  const readAgain = (report: SeedReport): void => {
    if (report.lateMs > lateMs) blame(report, `it took ${String(report.lateMs)} ms more than its time limit, twice`);
  };
  for (const seed of late.slice(0, MAX_FAULTS)) faults.push(...(await runProcess(seed, 1, readAgain))); // Alone.
  return { codes, faults: faults.slice(0, MAX_FAULTS) };
}

/** @returns what is wrong if it does not come to its end. */
async function runProcess(from: number, count: number, read: (report: SeedReport) => void): Promise<readonly string[]> {
  const argv = [join(import.meta.dirname, 'list-process.ts'), String(from), String(count)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [next, stderr] = [from, ''];
  const watchdog = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  createInterface(child.stdout).on('line', (line) => {
    watchdog.refresh();
    next += 1;
    read(JSON.parse(line) as SeedReport); // As it prints them.
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code, signal] = await new Promise<readonly unknown[]>((resolve) => {
    child.on('close', (...how) => {
      resolve(how);
    });
  });
  clearTimeout(watchdog);
  if (code === 0 && next === from + count) return [];
  return [`seed ${String(next)} ended its process with ${String(code ?? signal)}: ${stderr.slice(-1000)}`];
}
