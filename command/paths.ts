/** Keeps a command from writing its output over what it reads: over an input, another output, or a database. */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from './command-errors.ts';

/** A file of a command. `what` is a phrase for messages, such as `the --junit file`. */
export interface NamedFile {
  readonly what: string;
  readonly path: string | undefined;
}

const NAMED = 'Name a file, or ./- for one that is called so.';

/**
 * @param outputs files that a command writes. A file without a path is not used.
 * @param others its other files, which may be the same file. `-` is a standard stream.
 * @throws CliError if an output is a standard stream, another output or one of the others: by its name, which need not exist, or by its inode.
 */
export function requireSeparate(outputs: readonly NamedFile[], others: readonly NamedFile[]): void {
  const all = [...outputs, ...others];
  for (const [index, { what, path }] of outputs.entries()) {
    if (path === '-')
      throw new CliError(
        `${what.replace(/^./, (character) => character.toUpperCase())} cannot be -, a standard stream. ${NAMED}`,
      );
    const same = all.slice(index + 1).find((other) => isSame(path, other.path));
    if (same !== undefined)
      throw new CliError(`${String(path)} is both ${what} and ${same.what}. Choose another file.`);
  }
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || b === '-') return false;
  // In any case: whether a folder distinguishes it is unknown before the file exists.
  if (realName(a).toLowerCase() === realName(b).toLowerCase()) return true;
  const [one, other] = [inodeOf(a), inodeOf(b)];
  return one !== undefined && one === other;
}

/** @returns the path of a file without symbolic links, even if the file, or the target of a link, does not exist. */
export function realName(path: string, links = 40): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    const name = folder === path ? path : join(realName(folder, links), basename(path));
    try {
      return links === 0 ? name : realName(resolve(dirname(name), readlinkSync(name)), links - 1);
    } catch {
      return resolve(name);
    }
  }
}

/** @returns the device and the inode of a regular file; `undefined` if there is none: devices may be shared. */
function inodeOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? `${String(stats.dev)}:${String(stats.ino)}` : undefined;
  } catch {
    return undefined;
  }
}
