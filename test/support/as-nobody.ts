/** Work without the rights of root, whom no permission of a file binds. */
import process from 'node:process';

const NOBODY = 65_534;

/** Does work as a user without rights, where the tests run as root; as their own user otherwise. */
export function withoutRoot<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
