/** Small databases beside that of the records: for what is written while that is not, or must not change it. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreRefused } from '../store.ts';
import type { Db } from './busy.ts';
import { makePrivate } from './database.ts';
import { isSqlite, told } from './faults.ts';

export interface SideFile {
  /** What its name has after that of the database. */
  readonly end: string;
  /** The statement that makes its table where there is none. */
  readonly table: string;
  /** Whether a write waits for the disk. Without it, the file may be damaged by a power cut. */
  readonly isDurable: boolean;
  /** What is lost with it: "it holds nothing but ...". */
  readonly holds: string;
}

// A server answers nobody while it waits; it comes again.
const BUSY_MS = 50;

/** @param db the file of the records. */
export const sideFileOf = (db: string, { end }: SideFile): string => db + end;

/**
 * Works on a side file in one transaction; makes it where there is none.
 * @param db the file of the records.
 * @throws StoreRefused, StoreUnavailable, and errors of SQLite.
 */
export function writeSideFile<T>(db: string, side: SideFile, work: (file: Db) => T): T {
  makePrivate(sideFileOf(db, side));
  return inSideFile(db, side, work);
}

/** The same, where there is one. @returns `undefined` where there is none. */
export function useSideFile<T>(db: string, side: SideFile, work: (file: Db) => T): T | undefined {
  return existsSync(sideFileOf(db, side)) ? inSideFile(db, side, work) : undefined;
}

/** @returns a connection that waits for nobody, and that writes only what a killed process has left unfinished. */
export function openSideFile(db: string, side: SideFile): Db {
  const file = new Database(sideFileOf(db, side), { timeout: 0, fileMustExist: true });
  file.pragma('query_only = ON');
  return file;
}

/** @returns what SQLite fails with on a side file, with a message for people. */
export function toldOfSideFile(error: unknown, db: string, side: SideFile): unknown {
  const name = sideFileOf(db, side);
  if (!['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((it) => isSqlite(error, it))) return told(error, name);
  return new StoreRefused(`${name} is damaged. Remove it: it holds nothing but ${side.holds}.`, { cause: error });
}

function inSideFile<T>(db: string, side: SideFile, work: (file: Db) => T): T {
  let file: Db | undefined;
  try {
    file = new Database(sideFileOf(db, side), { timeout: BUSY_MS, fileMustExist: true });
    if (!side.isDurable) file.pragma('synchronous = OFF');
    return file
      .transaction((it: Db) => {
        it.exec(side.table);
        return work(it);
      })
      .immediate(file);
  } catch (error) {
    throw toldOfSideFile(error, db, side);
  } finally {
    file?.close();
  }
}
