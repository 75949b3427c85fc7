/** The key of a folder's demos: made by the first of them, and found again by the next. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isKey, newKey } from '../store/keys.ts';
import { Refusal, isSystemError, systemError } from './errors.ts';

const FOLDER = '.rollcall-demo';
const KEY = 'key';
/** Where the key is, below the current folder. */
export const KEY_FILE = join(FOLDER, KEY);

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OF_OTHERS = 0o077;
// More than a key and the end of its line, however an editor wrote it.
const MAX_BYTES = 100;

export interface DemoKey {
  readonly key: string;
  /** Why the next demo of the folder will have another one, if it will. */
  readonly whyNotKept?: string;
}

/**
 * @param base the current folder.
 * @returns the key that is kept in it, made if there is none; one that is not kept, where none can be.
 * @throws Refusal if what is there is no key.
 */
export function demoKey(base: string): DemoKey {
  const folder = join(base, FOLDER);
  try {
    openFolder(folder);
    return { key: readKey(folder) ?? makeKey(folder) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (isSystemError(error)) return { key: newKey(), whyNotKept: systemError(error) };
    return { key: newKey(), whyNotKept: error instanceof Error ? error.message : String(error) };
  }
}

/** Nobody else may be able to put a link, or a key that he knows, into the folder. @throws Error if somebody can. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const stats = lstatSync(folder);
  const user = process.geteuid?.(); // Windows has neither users nor modes.
  const isPrivate = user === undefined || (stats.uid === user && (stats.mode & OF_OTHERS) === 0);
  if (!stats.isDirectory() || !isPrivate)
    throw new Error(`${folder} is not a folder of this user alone. Delete it, and it is made anew.`);
}

/** @returns the key, if there is one. */
function readKey(folder: string): string | undefined {
  const file = join(folder, KEY);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8').trim() : '';
  if (!isKey(text))
    throw new Refusal(`${file} is not a file with a key. Delete it, and a new key is made; or give one by --key.`);
  return text;
}

/** @returns a new key, or that of another demo that has just made one: each file is there whole or not at all. */
function makeKey(folder: string): string {
  const key = newKey();
  const file = join(folder, KEY);
  const whole = `${file}.${randomBytes(8).toString('hex')}`;
  unlessThere(() => {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' }); // So that nobody commits it.
  });
  try {
    writeFileSync(whole, `${key}\n`, { flag: 'wx', mode: PRIVATE_FILE });
    unlessThere(() => {
      linkSync(whole, file);
    });
  } finally {
    rmSync(whole, { force: true });
  }
  return readKey(folder) ?? key;
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Node throws nothing else.
  }
}
