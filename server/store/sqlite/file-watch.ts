/** Notices that a file which is open is no longer the one of its name: SQLite reads on from what nobody else sees. */
import { statSync } from 'node:fs';

const LOOK_EVERY_MS = 1000;

/**
 * @param file what is open now.
 * @returns tells whether it is still in its place; it looks once a second at most.
 */
export function watchFile(file: string): () => boolean {
  const opened = identityOf(file);
  let [isInPlace, lookedAt] = [true, performance.now()];
  return () => {
    const now = performance.now();
    if (now - lookedAt >= LOOK_EVERY_MS) [isInPlace, lookedAt] = [identityOf(file) === opened, now];
    return isInPlace;
  };
}

function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch {
    return undefined; // It is not there, or its folder may not be read any more.
  }
}
