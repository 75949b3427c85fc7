/** Runs inside a measured process, before its program (`--import`): counts what the process allocates, holds and asks its database. */
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import Database from 'better-sqlite3';

/** `begin` and `end` surround what is counted. `held` collects garbage first. */
export type Question = 'begin' | 'end' | 'held';
export interface Counts {
  /**
   * On the heap and in buffers. For `end`, what a request allocated: the median, because what the program does once a second happens in more
   * requests on a machine that is busy, but never in half of them. For `held`, what is still in use.
   */
  readonly bytes: number;
  /** Executed since `begin`. */
  readonly statements: number;
  /** If there was a collection between `begin` and `end`, the bytes mean nothing. */
  readonly collections: number;
  readonly openFiles: number;
}

const READING = ['run', 'get', 'all', 'iterate'];
let statements = 0;
/** Allocated before it is used, so that it does not count itself. */
const samples = new Float64Array(100_000);
let taken = 0;
let profiler = new GCProfiler();

/** Counts the calls of a method. */
function count(prototype: object, method: string): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown; // As better-sqlite3 declares it.
  const counting = function (this: unknown, ...args: unknown[]): unknown {
    statements += 1;
    return original.apply(this, args);
  };
  Object.defineProperty(prototype, method, { value: counting });
}
const memory = new Database(':memory:');
const statement = Object.getPrototypeOf(memory.prepare('SELECT 1')) as object; // It has methods.
memory.close();
for (const method of READING) count(statement, method);
count(Database.prototype, 'exec');

function inUse(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}

/** Reads what is in use at the start of a request. */
export function sample(): void {
  samples[taken] = inUse();
  taken += 1;
}
subscribe('http.server.request.start', sample);

/** @returns the median of what was allocated from one sample to the next. */
function perRequest(): number {
  const allocated = samples.subarray(1, taken).map((bytes, n) => bytes - (samples[n] ?? NaN));
  return allocated.sort()[allocated.length >> 1] ?? NaN;
}

/** Twice: the first time, finalizers let go of what the second one collects. */
async function collect(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
}

async function answer(question: Question): Promise<Counts> {
  if (question !== 'end') await collect();
  if (question === 'begin') {
    statements = 0;
    profiler = new GCProfiler();
    profiler.start();
    taken = 0;
  }
  const bytes = question === 'end' ? perRequest() : inUse();
  const collections = question === 'end' ? profiler.stop().statistics.length : 0;
  return { bytes, statements, collections, openFiles: readdirSync('/proc/self/fd').length };
}

process.on('message', (question) => {
  if (typeof question === 'string') void answer(question as Question).then((counts) => process.send?.(counts)); // Of run.ts.
});
process.once('disconnect', () => process.exit()); // Also if run.ts was killed.
