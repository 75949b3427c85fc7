/** The folder for compiled code, which belongs to one user: nobody else can put code into it. */
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';

const PRIVATE = 0o700;
const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Creates a folder if it does not exist.
 * @throws Error if another user owns it or has access to it, or if it is a link.
 */
function createPrivateFolder(folder: string): void {
  makeFolder(folder);
  const stats = lstatSync(folder);
  const user = process.geteuid?.(); // Windows has neither users nor modes.
  const isPrivate = user === undefined || (stats.uid === user && (stats.mode & GROUP_AND_OTHERS) === 0);
  if (!stats.isDirectory() || !isPrivate)
    throw new Error(`${folder} is not a private folder of this user. Delete it, and the next start recreates it.`);
}

/** Creates a folder and those above it, one by one: with `recursive`, Node never returns from a folder below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, PRIVATE);
  } catch (error) {
    if (!existsSync(folder)) throw error; // Another process has created it.
  }
}

/**
 * @returns the folder for code that Node has compiled, in the user's own cache. `undefined` if it cannot be created, or
 *   if another user could replace it: Node runs what is in it, and does not check who put it there.
 */
export function compileCacheFolder(): string | undefined {
  try {
    const { XDG_CACHE_HOME: cache = '' } = process.env;
    const folder = join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'rollcall', 'compiled');
    createPrivateFolder(folder);
    const real = realpathSync(folder);
    for (let path = dirname(real); ; path = dirname(path)) {
      if (!isSafeParent(lstatSync(path))) return undefined;
      if (path === dirname(path)) return real;
    }
  } catch {
    return undefined;
  }
}

/** @returns whether only this user and root can rename or replace what is in a folder. */
function isSafeParent({ uid, mode }: Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || ([user, 0].includes(uid) && ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0));
}
