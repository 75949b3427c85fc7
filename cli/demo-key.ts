/** The key of the demos in a folder: the first demo stores it, the next ones read it. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKey, newKey } from '../server/store/keys.ts';
import { CliError, isSystemError, systemError } from '../command/errors.ts';
import { createPrivateFolder } from './private-folder.ts';

const FOLDER = '.rollcall-demo';
const KEY = 'key';
/** The file with the key, below the current folder. */
export const KEY_FILE = join(FOLDER, KEY);

const PRIVATE_FILE = 0o600;
// A file with a key and a line break is shorter.
const MAX_BYTES = 100;

export interface DemoKey {
  readonly key: string;
  /** Why the key could not be stored. If it is set, the next demo in the folder has another key. */
  readonly notStoredReason?: string;
}

/**
 * @param base the current folder.
 * @returns the key that is stored in the folder. If no key is stored: a new key, which is stored if possible.
 * @throws CliError if the key file exists but does not contain a key.
 */
export function demoKey(base: string): DemoKey {
  const folder = join(base, FOLDER);
  try {
    createPrivateFolder(folder);
    return { key: readKey(folder) ?? createKeyFile(folder) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (isSystemError(error)) return { key: newKey(), notStoredReason: systemError(error) };
    return { key: newKey(), notStoredReason: error instanceof Error ? error.message : String(error) };
  }
}

/** @returns the stored key; `undefined` if there is no key file. */
function readKey(folder: string): string | undefined {
  const file = join(folder, KEY);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8').trim() : '';
  if (!isKey(text))
    throw new CliError(`${file} does not contain a key. Delete it to create a new key, or set one with --key.`);
  return text;
}

/**
 * Stores a new key: writes it to a temporary file and then links that, so that a key file is always complete.
 * @returns the stored key, which is another one if another demo has just stored its own.
 */
function createKeyFile(folder: string): string {
  const key = newKey();
  const file = join(folder, KEY);
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  unlessExists(() => {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' }); // Keeps Git from committing the key.
  });
  try {
    writeFileSync(temporary, `${key}\n`, { flag: 'wx', mode: PRIVATE_FILE });
    unlessExists(() => {
      linkSync(temporary, file);
    });
  } finally {
    rmSync(temporary, { force: true });
  }
  return readKey(folder) ?? key;
}

/** Calls `create`, and ignores its error if the file exists already. */
function unlessExists(create: () => void): void {
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // File functions of Node throw only this type.
  }
}
