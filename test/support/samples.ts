/** The sample records, in a database of a test's own. */
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ROOT } from './project.ts';
import type { Folder } from './cli.ts';

/**
 * Imports every sample into an account.
 * @param db the path of the database, if it is not the default.
 * @throws Error if one is rejected.
 */
export async function importSamples(folder: Folder, account: string, db = folder.path('rollcall.db')): Promise<void> {
  const samples = join(ROOT, 'server/samples');
  for (const file of readdirSync(samples)) {
    const ran = await folder.run(['import', parse(file).name, join(samples, file), '--account', account, '--db', db]);
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
}
