/** The key of a folder's demos: made by the first of them, and found again by the next. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isKey, newKey } from '../store/keys.ts';
import { notify } from './output.ts';
import { Refusal } from './refusal.ts';

const FOLDER = '.rollcall-demo';
/** Where the key is, below the current folder. */
export const KEY_FILE = join(FOLDER, 'key');

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OF_OTHERS = 0o077;
// More than a key and the end of its line, however an editor wrote it.
const MAX_BYTES = 100;

export interface DemoKey {
  readonly key: string;
  /** Whether the next demo of the folder will have it too. */
  readonly isKept: boolean;
}

/**
 * @returns the key that is kept in the current folder, made if there is none; one that is not kept, where none can be.
 * @throws Refusal if what is there is no key.
 */
export function demoKey(): DemoKey {
  try {
    openFolder();
    return { key: readKey() ?? makeKey(), isKept: true };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = error instanceof Error ? error.message : String(error);
    notify(`The key cannot be kept in ${KEY_FILE}, so the next demo will have another one: ${why}`);
    return { key: newKey(), isKept: false };
  }
}

/** Nobody else may be able to put a link, or a key that he knows, into the folder. @throws Error if somebody can. */
function openFolder(): void {
  mkdirSync(FOLDER, { recursive: true, mode: PRIVATE_FOLDER });
  const stats = lstatSync(FOLDER);
  const user = process.geteuid?.(); // Windows has neither users nor modes.
  const isPrivate = user === undefined || (stats.uid === user && (stats.mode & OF_OTHERS) === 0);
  if (!stats.isDirectory() || !isPrivate)
    throw new Error(`${FOLDER} is not a folder of this user alone. Delete it, and it is made anew.`);
}

/** @returns the key, if there is one. */
function readKey(): string | undefined {
  const stats = lstatSync(KEY_FILE, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(KEY_FILE, 'utf8').trim() : '';
  if (!isKey(text))
    throw new Refusal(`${KEY_FILE} is not a file with a key. Delete it, and a new key is made; or give one by --key.`);
  return text;
}

/** @returns a new key, or that of another demo that has just made one: each file is there whole or not at all. */
function makeKey(): string {
  const key = newKey();
  const whole = `${KEY_FILE}.${randomBytes(8).toString('hex')}`;
  unlessThere(() => {
    writeFileSync(join(FOLDER, '.gitignore'), '*\n', { flag: 'wx' }); // So that nobody commits it.
  });
  try {
    writeFileSync(whole, `${key}\n`, { flag: 'wx', mode: PRIVATE_FILE });
    unlessThere(() => {
      linkSync(whole, KEY_FILE);
    });
  } finally {
    rmSync(whole, { force: true });
  }
  return readKey() ?? key;
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
