/** The columns of CSV, for tests that read inputs. */
import type { Collection } from '../../contract/collections.ts';
import { columnsOf } from '../../server/import/csv.ts';
import type { Columns } from '../../server/import/csv.ts';
import { contract } from './app.ts';

/** @param renamed the names of columns by the path of their property. */
export function columns(
  collection: Collection,
  renamed: Readonly<Record<string, string>> = {},
  note: Columns['note'] = () => undefined,
): Columns {
  return columnsOf(contract, collection, new Map(Object.entries(renamed)), note);
}
