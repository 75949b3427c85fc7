/** `rollcall export`: the records as they are served, to the byte, in bounded memory. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { COLLECTIONS, commandName } from '../../server/contract/collections.ts';
import { automation, build } from '../../server/testing/builders.ts';
import { COMMAND_NAMES } from '../support/collections.ts';
import { address, folder, load } from '../support/own-database.ts';
import { series } from '../support/series.ts';

const ndjson = (records: readonly object[]): string => records.map((it) => `${JSON.stringify(it)}\n`).join('');

test.each(COLLECTIONS)('%s come newest first, and go back to the byte', async (collection) => {
  const records = series<object>(300, build[collection]);
  await load(collection, records.toReversed());
  await load(collection, [build[collection]()], { account: 'other' });
  const [name, argv] = [commandName(collection), ['--account', 'acme']];
  const first = await folder.call(['export', name, ...argv]);
  expect(first).toEqual({ code: 0, signal: null, stdout: ndjson(records), stderr: '' });
  await folder.call(['import', name, ...argv, '--db', 'two.db'], { input: first.stdout });
  expect(await folder.call(['export', name, ...argv, '--db', 'two.db'])).toEqual(first);
});

test('texts of any language, and what could steer a terminal, are as they are served', async () => {
  const records = [automation({ name: 'é 👋 \u202e\u2028\u009b "\\ \u001b[31m' })];
  await load('automations', records);
  expect((await folder.call(['export', 'automations', '--account', 'acme'])).stdout).toBe(ndjson(records));
});

test('an empty collection is nothing; an unknown account is an error', async () => {
  await load('automations', [automation()]);
  expect(await folder.call(['export', 'contact-imports', '--account', 'acme'])).toMatchObject({ code: 0, stdout: '' });
  expect(await folder.call(['export', 'automations', '--account', 'nope'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rollcall: There is no account "nope". See: rollcall accounts list\n',
  });
  expect(await folder.call(['export', 'things', '--account', 'acme'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`It must be one of ${COMMAND_NAMES}.`) as unknown,
  });
});

test('a pipe that is closed ends it quietly', async () => {
  await load('automations', series(20_000, automation)); // More than a pipe holds.
  const { process, ended } = folder.start(['export', 'automations', '--account', 'acme']);
  process.stdout.once('data', () => process.stdout.destroy());
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

(existsSync('/dev/full') ? test : test.skip)('a disk that is full makes it fail', async () => {
  await load('automations', series(10, automation));
  const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
  const command = '"$0" "$1" export automations --account acme --db "$2" > /dev/full';
  const ran = spawnSync('sh', ['-c', command, process.execPath, main, address], { encoding: 'utf8' });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toBe(
    'rollcall: Not all could be printed: no space left on device. Make room, or print to another place.\n',
  );
});
