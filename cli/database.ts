/** Opens the database of a command by its address, to read it or to write to it. Writing waits while another process writes. */
import { existsSync } from 'node:fs';
import { Option } from 'commander';
import { realName } from '../command/paths.ts';
import type { NamedFile } from '../command/paths.ts';
import { isFilePath, isPostgres, shellWord, shownAddress } from '../server/store/address.ts';
import type { Database } from '../server/store/database.ts';
import type { Inspector } from '../server/store/inspector.ts';
import { sideFilesOf } from '../server/store/sqlite/names.ts';
import { sqliteDatabase } from '../server/store/sqlite/open.ts';
import { StoreBusy, StoreError } from '../server/store/store.ts';
import type { CheckedRecord, MaybePromise, Writer } from '../server/store/store.ts';
import type { Wait } from '../server/store/wait.ts';
import { CliError } from '../command/command-errors.ts';
import { wholeNumber } from '../command/options.ts';
import { notify } from '../command/output.ts';
import { printable } from '../audit/rules/text.ts';

/**
 * @param address a path, or a URL of PostgreSQL.
 * @param warn called with what makes reading it unreliable.
 * @returns the database at the address. Its methods open it.
 * @throws StoreError for any other URL, which would be used as the path of a file, and may contain a password.
 */
export function databaseOf(address: string, warn = warning): Database {
  if (isPostgres(address)) return lazily(address);
  if (isFilePath(address)) return sqliteDatabase(address, warn);
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(address) ?? [];
  const what =
    scheme === undefined ? 'This address is neither a file nor a URL' : `${scheme}:// addresses are not supported`;
  throw new StoreError(`${what}. Use a file, or a URL such as postgres://user@host/database.`);
}

/** @returns the error of an account that a database lacks. */
export const unknownAccount = (db: string, name: string): CliError =>
  new CliError(`Account "${name}" does not exist. To list the accounts, run: ${commandFor(db, 'accounts list')}`);

/** @returns a command that a message suggests, with the database that it needs. */
export const commandFor = (db: string, words: string): string =>
  `rollcall ${words} --db ${shellWord(shownAddress(db))}`;

const warning = (line: string): void => {
  notify(`WARNING: ${line}`);
};

/** For commands that read a database before they write to it or serve it: what is a warning elsewhere is an error. */
export const reject = (line: string): never => {
  throw new StoreError(line);
};

/** Opens a database for inspection, calls `read`, and closes the database. For `warn`, see `databaseOf`. */
export async function inspect<T>(
  db: string,
  read: (inspector: Inspector) => MaybePromise<T>,
  warn?: (line: string) => void,
): Promise<T> {
  const inspector = await databaseOf(db, warn).openInspector();
  try {
    return await read(inspector);
  } finally {
    await inspector.close();
  }
}

/** Loads the code for PostgreSQL on first use. Installations that only use SQLite do not need its driver, or the time to load it. */
function lazily(address: string): Database {
  const open = async (): Promise<Database> =>
    (await import('../server/store/postgres/open.ts')).postgresDatabase(address);
  return {
    openStore: async (hashes, replicas) => (await open()).openStore(hashes, replicas),
    openWriter: async (mustExist, wait) => (await open()).openWriter(mustExist, wait),
    openInspector: async () => (await open()).openInspector(),
    upgrade: async (hashes, recheck, options) => (await open()).upgrade(hashes, recheck, options),
    backUp: async (to) => (await open()).backUp(to),
    usage: async () => (await open()).usage(),
  };
}

const DEFAULT_SECONDS = 600;
const MAX_SECONDS = 86_400;
const MS_PER_SECOND = 1000;

/** `--wait SECONDS`. */
export const waitOption = (): Option =>
  new Option('--wait <seconds>', 'maximum wait while another process writes to the database')
    .default(DEFAULT_SECONDS)
    .argParser(wholeNumber(0, MAX_SECONDS, 'seconds'));

interface Waiting {
  /** The value of `--wait`. */
  readonly wait: number;
  /** The second sentence of the error if the wait times out. */
  readonly unchanged?: string;
}

export interface Writing extends Waiting {
  /** The address of the database. */
  readonly db: string;
  /** Whether to reject a database that does not exist, instead of creating it. */
  readonly mustExist?: boolean;
}

/** Opens a database for writing, calls `work`, and closes the database. Waits like `waiting`. */
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

/** @returns whether writing to a database creates its file. */
export const isNewFile = (db: string): boolean => isFilePath(db) && !existsSync(db);

/** Names a file that has been created: the path may be a typing error. */
export const notifyCreated = (db: string): void => {
  notify(`Created the database ${printable(db)}.`);
};

export type Loader = Pick<Writer, 'load'>;
type Batch = readonly CheckedRecord[];

// A few megabytes. Few files have their first invalid record after more.
const READ_FIRST = 10_000;

/**
 * Opens a database for loads, like `withWriter`. A file that does not exist is created when the first records of a load have been read, so
 * that a load that fails before leaves no file. It is not removed later: another process may have opened it.
 */
export const withLoader = <T>(options: Writing, work: (loader: Loader) => Promise<T>): Promise<T> => {
  const { db, ...waits } = options;
  if (!isNewFile(db)) return withWriter(options, work);
  return waiting(waits, async (wait) => {
    let writer: Writer | undefined;
    let wasNew: boolean | undefined;
    try {
      return await work({
        load: async (account, collection, batches, how) => {
          if (writer !== undefined) return writer.load(account, collection, batches, how);
          const source = batches[Symbol.asyncIterator]();
          try {
            const first = await readFirst(source);
            wasNew = isNewFile(db); // Another process may have created it meanwhile.
            writer = await databaseOf(db).openWriter(false, wait);
            return await writer.load(account, collection, joined(first, source), how);
          } finally {
            await source.return?.(); // Otherwise an input would stay open if the database cannot be opened.
          }
        },
      });
    } finally {
      await writer?.close();
      if (wasNew === true && !isNewFile(db)) notifyCreated(db);
    }
  });
};

async function readFirst(source: AsyncIterator<Batch>): Promise<readonly Batch[]> {
  const first: Batch[] = [];
  for (let count = 0; count < READ_FIRST;) {
    const next = await source.next();
    if (next.done === true) break;
    first.push(next.value);
    count += next.value.length;
  }
  return first;
}

async function* joined(first: readonly Batch[], source: AsyncIterator<Batch>): AsyncGenerator<Batch> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => source };
}

/**
 * Calls `work`, which waits while another process writes to the database. Prints a message when the first wait begins.
 * @throws CliError if the other process still writes when the time is over.
 */
export async function waiting<T>(
  { wait, unchanged = 'Nothing was changed.' }: Waiting,
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  let isPrinted = false;
  const began = (): void => {
    if (isPrinted) return;
    isPrinted = true;
    notify(
      `Another process is writing to the database. Waiting up to ${wait.toLocaleString('en')} s; ` +
        'press Ctrl-C to stop without changes.',
    );
  };
  try {
    return await work({ ms: wait * MS_PER_SECOND, began });
  } catch (error) {
    if (error instanceof StoreBusy) throw new CliError(`${error.message} ${unchanged}`);
    throw error;
  }
}

/** @returns the files of a database: none on a server. SQLite names the side files after the real path. */
export const databaseFiles = (address: string): readonly NamedFile[] =>
  isPostgres(address)
    ? []
    : [
        { what: 'the database', path: address },
        ...sideFilesOf(realName(address)).map((path) => ({ what: 'a file that belongs to the database', path })),
      ];
