/** Files with records or keys are for their owner alone, whatever the umask. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { schemaHashes } from '../../../contract/schema.ts';
import { openStore } from '../../../server/store/sqlite/open.ts';
import { automation } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { file, folder } from '../../support/own-folder.ts';

/** @returns the mode of every file of the folder, in octal, by its name. */
const modes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder.path('.')).map((it) => [it, (statSync(folder.path(it)).mode & 0o777).toString(8)]),
  );

test('a database, its log, a file of rejects, and what is beside the database while it is served', async () => {
  const umask = process.umask(0);
  afterTest(() => process.umask(umask));
  writeFileSync(folder.path('in'), `{}\n${JSON.stringify(automation())}`, { mode: 0o640 });
  const argv = ['import', 'automations', 'in', '--account', 'acme', '--skip-invalid', '--rejects', 'bad'];
  expect(await folder.call(argv)).toMatchObject({ code: 0 });
  const files = { in: '640', bad: '600', 'rollcall.db': '600' };
  expect(modes()).toEqual(files);
  const store = openStore(file, schemaHashes(contract));
  afterTest(() => store.close());
  expect(modes()).toEqual({ ...files, 'rollcall.db-shm': '600', 'rollcall.db-wal': '600' });
});
