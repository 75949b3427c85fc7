/** The key of the demos in a folder: the first demo stores it, the next ones read it. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isKey, newKey } from '../store/keys.ts';
import { CliError, isSystemError, systemError } from './errors.ts';

const FOLDER = '.rollcall-demo';
const KEY = 'key';
/** The file with the key, below the current folder. */
export const KEY_FILE = join(FOLDER, KEY);

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OF_OTHERS = 0o077;
// More than a key and any line break.
const MAX_BYTES = 100;

export interface DemoKey {
  readonly key: string;
  /** Why the key could not be stored, if so: then the next demo in the folder has another. */
  readonly notStoredReason?: string;
}

/**
 * @param base the current folder.
 * @returns the key stored in it, created if there is none; a key that is not stored, if none can be.
 * @throws CliError if the file exists and has no key.
 */
export function demoKey(base: string): DemoKey {
  const folder = join(base, FOLDER);
  try {
    openFolder(folder);
    return { key: readKey(folder) ?? createKeyFile(folder) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (isSystemError(error)) return { key: newKey(), notStoredReason: systemError(error) };
    return { key: newKey(), notStoredReason: error instanceof Error ? error.message : String(error) };
  }
}

/** Opens a folder into which no other user can put a link or a known key. @throws Error if another user can. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const stats = lstatSync(folder);
  const user = process.geteuid?.(); // Windows has neither users nor modes.
  const isPrivate = user === undefined || (stats.uid === user && (stats.mode & OF_OTHERS) === 0);
  if (!stats.isDirectory() || !isPrivate)
    throw new Error(`${folder} is not a folder of this user alone. Delete it, and it is recreated.`);
}

/** @returns the key, if there is one. */
function readKey(folder: string): string | undefined {
  const file = join(folder, KEY);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8').trim() : '';
  if (!isKey(text))
    throw new CliError(`${file} is not a file with a key. Delete it, and a new key is made; or give one by --key.`);
  return text;
}

/** @returns a new key, or that of another demo that has just created one: a file is complete or does not exist. */
function createKeyFile(folder: string): string {
  const key = newKey();
  const file = join(folder, KEY);
  const complete = `${file}.${randomBytes(8).toString('hex')}`;
  unlessExists(() => {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' }); // So that it is not committed.
  });
  try {
    writeFileSync(complete, `${key}\n`, { flag: 'wx', mode: PRIVATE_FILE });
    unlessExists(() => {
      linkSync(complete, file);
    });
  } finally {
    rmSync(complete, { force: true });
  }
  return readKey(folder) ?? key;
}

function unlessExists(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Node throws nothing else.
  }
}
