/** The recipes of `docs/` that need more than Node: `npm run test:e2e -- recipes`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup } from './backup.ts';
import { checkPostgres } from './postgres.ts';
import { checkUnits } from './units.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-recipes-'));
try {
  checkUnits(scratch);
  await restoreBackup();
  await checkPostgres(scratch);
} finally {
  rmSync(scratch, { recursive: true });
}
