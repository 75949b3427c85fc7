/** Runs inside a measured process, before its program (`--import`): counts what the process allocates, holds and asks its database. */
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { GCProfiler } from 'node:v8';
import Database from 'better-sqlite3';

/** `begin` and `end` surround what is counted. `held` collects garbage first. */
export type Question = 'begin' | 'end' | 'held';
export interface Counts {
  /** On the heap and in buffers: allocated since `begin`; for `held`, still in use. */
  readonly bytes: number;
  /** Executed since `begin`. */
  readonly statements: number;
  /** If there was a collection between `begin` and `end`, the bytes mean nothing. */
  readonly collections: number;
  readonly openFiles: number;
}

const READING = ['run', 'get', 'all', 'iterate'];
// What the program does once a second or so is not to count: a busy machine has more seconds.
Object.defineProperty(performance, 'now', { value: () => 0 });
let statements = 0;
let before = 0;
let profiler = new GCProfiler();

/** Counts the calls of a method. Not those on the file with the times of last use, which is written once a minute. */
function count(prototype: object, method: string): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown; // As better-sqlite3 declares it.
  const counting = function (this: Database.Statement | Database.Database, ...args: unknown[]): unknown {
    const { name } = 'database' in this ? this.database : this;
    if (!name.endsWith('-last-used')) statements += 1;
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
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
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
    before = inUse();
  }
  const bytes = inUse() - (question === 'end' ? before : 0);
  const collections = question === 'end' ? profiler.stop().statistics.length : 0;
  return { bytes, statements, collections, openFiles: readdirSync('/proc/self/fd').length };
}

process.on('message', (question) => {
  if (typeof question === 'string') void answer(question as Question).then((counts) => process.send?.(counts)); // Of run.ts.
});
process.once('disconnect', () => process.exit()); // Also if run.ts was killed.
