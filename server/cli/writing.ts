/** Commands that write to a database: how long they wait while another process does, and what they say of that. */
import { Option } from 'commander';
import { StoreBusy } from '../store/store.ts';
import type { MaybePromise, Writer } from '../store/store.ts';
import type { Wait } from '../store/wait.ts';
import { databaseOf } from './database.ts';
import { wholeNumber } from './option-values.ts';
import { notify } from './output.ts';
import { Refusal } from './refusal.ts';

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 86_400;
const MS_PER_SECOND = 1000;

/** `--wait SECONDS`. */
export const waitOption = (): Option =>
  new Option('--wait <seconds>', 'how long to wait while another process writes to the database')
    .default(DEFAULT_SECONDS)
    .argParser(wholeNumber(0, MAX_SECONDS, 'seconds'));

export interface Waiting {
  /** The value of `--wait`. */
  readonly wait: number;
  /** What to say if nothing was done because another process was writing all the time. */
  readonly unchanged?: string;
}

export interface Writing extends Waiting {
  /** The address of the database. */
  readonly db: string;
  /** Reject a database that does not exist. */
  readonly mustExist?: boolean;
}

/** Opens a database for writing, works on it and closes it, waiting as `waiting` does. */
export const withWriter = <T>(
  { db, mustExist = false, ...options }: Writing,
  work: (writer: Writer) => MaybePromise<T>,
): Promise<T> =>
  waiting(options, async (wait) => {
    const writer = await databaseOf(db).openWriter(mustExist, wait);
    try {
      return await work(writer);
    } finally {
      await writer.close();
    }
  });

/**
 * Does work that waits while another process writes to the database; that it waits is said once.
 * @throws Refusal if another process wrote all the time.
 */
export async function waiting<T>(
  { wait, unchanged = 'Nothing was changed.' }: Waiting,
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  let isSaid = false;
  const began = (): void => {
    if (isSaid) return;
    isSaid = true;
    notify(
      `Another process is writing to the database. Waiting for up to ${wait.toLocaleString('en')} s; ` +
        'Ctrl-C ends that, and nothing is changed.',
    );
  };
  try {
    return await work({ ms: wait * MS_PER_SECOND, began });
  } catch (error) {
    if (error instanceof StoreBusy) throw new Refusal(`${error.message} ${unchanged}`);
    throw error;
  }
}
