/** Work without the rights of root, whom no permission of a file binds. */
import process from 'node:process';

/** As a child process is started; without properties, the user of this process. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65_534;

export const isRoot = process.geteuid?.() === 0;

/** A user whom permissions bind: where the tests run as root, one without any; otherwise, their own. */
export const ORDINARY: User = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Does work as this user. */
export function withoutRoot<T>(work: () => T): T {
  if (!isRoot) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
