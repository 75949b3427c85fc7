/** Errors of SQLite, translated to errors of a store: the state of a file or of a disk, and what to do about it. */
import { damaged } from '../errors.ts';
import { StoreBusy, StoreError } from '../store.ts';

/** @returns whether an error is SQLite's, with a code that begins like this. */
export function isSqlite(error: unknown, code: string): error is Error & { readonly code: string } {
  // Not by its class: a native module throws that of the realm that loaded it first, which need not be this one.
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith(code);
}

// A limit on the size of files is one too: there the write fails with an error of the disk.
const NO_ROOM = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_FSYNC'];
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ', 'SQLITE_IOERR_CORRUPTFS'];

/** @returns whether a disk has no room for what was to be written. */
export const hasNoRoom = (error: unknown): boolean => NO_ROOM.some((code) => isSqlite(error, code));

/** @returns an error to throw instead, with a message for people; the same one where it is no fault of a file. */
export function translateError(error: unknown, file: string): unknown {
  const is = (codes: readonly string[]): boolean => codes.some((code) => isSqlite(error, code));
  const options = { cause: error };
  const why = isSqlite(error, 'SQLITE_') ? error.message : '';
  if (is(['SQLITE_BUSY'])) {
    return new StoreBusy('Another process is writing to the database. Try again.', options);
  }
  if (hasNoRoom(error)) {
    return new StoreError(
      `There is no room to write ${file}, or temporary files in the folder of SQLITE_TMPDIR, TMPDIR or /var/tmp (${why}). ` +
        'What was not finished has not been done. Make room, and try again.',
      options,
    );
  }
  if (is(['SQLITE_READONLY'])) {
    return new StoreError(
      `${file} cannot be written (${why}). Let this user write to the file and to its folder, and try again.`,
      options,
    );
  }
  if (is(DAMAGED)) return damaged(file, why, options);
  if (is(['SQLITE_IOERR'])) {
    return new StoreError(`The disk fails to read or write ${file} (${why}). Check the disk.`, options);
  }
  return error;
}

/** Does work on a store, and translates the errors of SQLite. */
export function translatingErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateError(error, file);
  }
}
