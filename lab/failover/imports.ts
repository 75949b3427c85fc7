/** Imports while the database fails: whole or not at all, and never lost once they have been reported. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Schemas } from '../../contract/types.ts';
import { contactImport } from '../../testkit/builders.ts';
import type { Folder, Ran } from '../../test/support/cli.ts';
import { ndjson, series } from '../../test/support/series.ts';
import type { Request } from './load.ts';

const PAUSE_MS = 500; // Between two imports.
const RECORDS = 20;
const IMPORT = ['import', 'contact-imports', '-', '--account'];

export interface Versions {
  /** How many imports were reported as done, and how many as failed. */
  readonly done: () => number;
  readonly failed: () => number;
  /** A response has one version in all records: at least the last one that was reported, or seen, before the request. */
  readonly expect: Request['expect'];
  readonly end: () => Promise<void>;
}

/** Replaces the records of an account over and over: each time by those of the next version, which is in each record. */
export async function startVersions(folder: Folder, account: string): Promise<Versions> {
  const records = series(RECORDS, contactImport);
  let [version, atLeast, done, failed, isOver] = [0, 0, 0, 0, false];
  const importNext = async (): Promise<Ran> => {
    version += 1;
    const counts = { total: version, created: version, updated: 0, skipped: 0, failed: 0 };
    const next = version;
    const input = ndjson(records.map((it) => ({ ...it, counts })));
    const ran = await folder.run([...IMPORT, account, '--replace'], { input });
    if (ran.code === 0) [atLeast, done] = [Math.max(atLeast, next), done + 1];
    else failed += 1;
    return ran;
  };
  const first = await importNext();
  if (first.code !== 0) throw new Error(first.stderr);
  const loop = (async (): Promise<void> => {
    while (!isOver) {
      await pause(PAUSE_MS);
      await importNext();
    }
  })();
  return {
    done: () => done,
    failed: () => failed,
    expect: () => {
      const from = atLeast;
      return (status, text) => {
        const { data } = JSON.parse(text) as Partial<Schemas['ContactImportList']>;
        const seen = new Set(data?.map((it) => it.counts.total));
        const [only = 0] = seen;
        atLeast = Math.max(atLeast, only);
        const isRight = status === 200 && seen.size === 1 && data?.length === RECORDS && only >= from;
        return isRight ? undefined : `versions ${[...seen].join(', ')} after ${String(from)}`;
      };
    },
    end: async () => {
      isOver = true;
      await loop;
    },
  };
}

/**
 * Starts an import, and reads half of its records into it.
 * @returns what gives it the rest, and waits for its end.
 */
export async function startImport(
  folder: Folder,
  account: string,
  records: readonly object[],
  ms: number,
): Promise<() => Promise<Ran>> {
  const { process: child, ended } = folder.start([...IMPORT, account]);
  child.stdin.on('error', () => undefined); // It ends when it has lost its connection.
  const half = Math.floor(records.length / 2);
  const text = ndjson(records.slice(0, half));
  // The pipe holds much less than this: once it is written, the import has read nearly all of it.
  if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain'), ended]);
  return async () => {
    child.stdin.end(ndjson(records.slice(half)));
    const late = setTimeout(() => child.kill('SIGKILL'), ms);
    const ran = await ended;
    clearTimeout(late);
    return ran;
  };
}
