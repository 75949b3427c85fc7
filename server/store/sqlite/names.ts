/**
 * The names of a database file. SQLite names the log and the locks of a database after its path (a symbolic link is
 * resolved first). A file with two names has two logs, and what is committed in one is lost for the other.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../store.ts';

const SIDES = ['-wal', '-shm', '-journal'];

/** @returns the paths of the files that SQLite may put next to a database. */
export const sideFilesOf = (file: string): readonly string[] => SIDES.map((suffix) => file + suffix);

// SQLite opens no longer path. File systems have no longer names.
const MAX_PATH_BYTES = 511;
const MAX_NAME_BYTES = 255;
const LONGEST_SIDE = '-journal';

/** @throws StoreError if a path is too long for SQLite or for the side files. Creates nothing. */
export function requireShortPath(file: string): void {
  const folder = dirname(file);
  const path = join(existsSync(folder) ? realpathSync(folder) : resolve(folder), basename(file));
  const isTooLong = Buffer.byteLength(path + LONGEST_SIDE) > MAX_PATH_BYTES;
  if (isTooLong || Buffer.byteLength(basename(file) + LONGEST_SIDE) > MAX_NAME_BYTES) {
    throw new StoreError(`${file} is too long a path for a database and the files next to it. Choose a shorter one.`);
  }
}

/** @throws StoreError if a file has a second name, or may have one. */
export function requireOneName(file: string): void {
  const fault = secondName(file);
  if (fault !== undefined) throw new StoreError(fault);
}

/** @returns why a file has a second name, or may have one, and what to do; `undefined` if it has one name. */
export function secondName(file: string): string | undefined {
  const stats = statOf(file);
  if (stats?.isFile() !== true) return undefined;
  const why = 'SQLite keeps a log for each name, so changes under one are lost under the other';
  if (stats.nlink > 1) {
    return (
      `${file} has ${String(stats.nlink)} names (hard links). ${why}. ` +
      'Stop all processes that use it, copy it (cp), and use the copy.'
    );
  }
  if (!mountPoints().has(realpathSync(file))) return undefined;
  return `${file} is a mount point, and has another name where it is mounted from. ${why}. Mount its folder, never the file.`;
}

/**
 * @returns `undefined` if there is no such file; `null` if that cannot be determined: SQLite then reports the reason.
 */
export function statOf(file: string): Stats | null | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

/** @returns the mount points of this process; none where the system does not list them. */
function mountPoints(): ReadonlySet<string> {
  try {
    return mountPointsIn(readFileSync('/proc/self/mountinfo', 'latin1'));
  } catch {
    return new Set();
  }
}

/**
 * @param mountinfo the content of `/proc/self/mountinfo`, one character per byte: the fifth field of each line is the
 *   mount point, with blanks, tabs, line feeds and backslashes in octal (`\040`).
 */
export const mountPointsIn = (mountinfo: string): ReadonlySet<string> =>
  new Set(
    mountinfo.split('\n').map((line) => {
      const [, , , , point = ''] = line.split(' ');
      const bytes = point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      );
      return Buffer.from(bytes, 'latin1').toString();
    }),
  );
