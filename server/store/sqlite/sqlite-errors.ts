/** Translates errors of SQLite to store errors. Their messages describe the state of a file or disk, and suggest a fix. */
import { accessSync, constants } from 'node:fs';
import { damaged } from '../store-errors.ts';
import { StoreBusy, StoreError } from '../store.ts';

/** @param code the beginning of an error code. @returns whether an error comes from SQLite, with such a code. */
export function isSqlite(error: unknown, code: string): error is Error & { readonly code: string } {
  // By its code, because a native module throws the error class of the realm that loaded the module first. That realm
  // may be another one.
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith(code);
}

// A limit on the size of files counts too: the write then fails with a disk error.
const NO_ROOM = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_FSYNC'];
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ', 'SQLITE_IOERR_CORRUPTFS'];

/** @returns whether an error means that there is no room for a write. */
export const hasNoRoom = (error: unknown): boolean => NO_ROOM.some((code) => isSqlite(error, code));

/** @returns whether a file or folder is on a file system where nobody can write. */
export const isReadOnly = (path: string): boolean => denied(path, constants.W_OK) === 'EROFS';

/** @returns whether this user may read a file. */
export const isReadable = (file: string): boolean => denied(file, constants.R_OK) === undefined;

/** @returns whether this user may write a file. */
export const isWritable = (file: string): boolean => denied(file, constants.W_OK) === undefined;

function denied(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code; // File system calls throw no other errors.
  }
}

/** @returns the error to throw instead, with a message for people; the same error if the file is not at fault. */
export function translateError(error: unknown, file: string): unknown {
  const hasCode = (codes: readonly string[]): boolean => codes.some((code) => isSqlite(error, code));
  const options = { cause: error };
  const why = isSqlite(error, 'SQLITE_') ? error.message : '';
  if (hasCode(['SQLITE_BUSY'])) {
    return new StoreBusy('Another process is writing to the database. Try again.', options);
  }
  if (hasNoRoom(error)) return noRoom(file, why, options);
  if (hasCode(['SQLITE_READONLY'])) return notWritable(file, why, options);
  if (hasCode(DAMAGED)) return damaged(file, why, options);
  if (hasCode(['SQLITE_IOERR'])) {
    return new StoreError(`Reading or writing ${file} failed (${why}). Check the disk.`, options);
  }
  return error;
}

function noRoom(file: string, why: string, options?: ErrorOptions): StoreError {
  return new StoreError(
    `No space left to write ${file}, or temporary files in SQLITE_TMPDIR, TMPDIR or /var/tmp (${why}). ` +
      'Unfinished changes were rolled back. Free up space and try again.',
    options,
  );
}

/** @returns the error of a database that cannot be written; `why` is a phrase. */
export function notWritable(file: string, why: string, options?: ErrorOptions): StoreError {
  const hint = isReadOnly(file)
    ? 'Its file system is read-only.'
    : 'Grant this user write access to the file and its folder, and try again.';
  return new StoreError(`${file} cannot be written (${why}). ${hint}`, options);
}

// A limit on the size of files, too.
const NO_ROOM_FOR_FILES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** @param cause the error of the file system. @returns the error of a database next to which no file can be created. */
export function noFileNextTo(file: string, cause: unknown): StoreError {
  const { code = '' } = cause as NodeJS.ErrnoException; // File system calls throw no other errors.
  const create = NO_ROOM_FOR_FILES.includes(code) ? noRoom : notWritable;
  return create(file, 'no file can be created next to it', { cause });
}

/** Does work on a store, and translates the errors of SQLite. */
export function translatingErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateError(error, file);
  }
}
