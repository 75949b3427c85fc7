/** Looks for damage before a file is served, as far as that takes no time to speak of. */
import type { Db } from './sql.ts';
import { damaged } from '../errors.ts';

// It reads every page: a tenth of a second for this size. The tables of keys and accounts are looked through whatever the size.
const WHOLE_UP_TO_BYTES = 64 * 1024 * 1024;
const SMALL_TABLES = ['accounts', 'keys', 'collections'];

/** @throws StoreRefused if the structure of a file is damaged: all of it, or that of the small tables in a large file. */
export function demandSound(db: Db): void {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isSmall = number('page_count') * number('page_size') <= WHOLE_UP_TO_BYTES;
  for (const what of isSmall ? ['1'] : SMALL_TABLES) {
    const found = String(db.pragma(`quick_check(${what})`, { simple: true }));
    if (found !== 'ok') throw damaged(db.name, found);
  }
}
