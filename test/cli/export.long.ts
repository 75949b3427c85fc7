/** `rollcall export`: the records as they are served, to the byte, in bounded memory. */
import { expect, test } from '@jest/globals';
import { shellWord } from '../../server/store/address.ts';
import { COLLECTIONS, commandName } from '../../contract/collections.ts';
import { automation, build } from '../../testkit/builders.ts';
import { folder, load, shown } from '../support/own-database.ts';
import { ndjson, series } from '../support/series.ts';

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

test('on a terminal, control characters are escaped, as JSON allows', async () => {
  const record = automation({ name: 'é \u202e\u2028\u009b' });
  await load('automations', [record]);
  const env = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
  const { stdout } = await folder.run(['export', 'automations', '--account', 'acme'], { env });
  expect(stdout).toContain(String.raw`"é \u202e\u2028\u009b"`);
  expect(JSON.parse(stdout)).toEqual(record);
});

test('an empty collection is nothing; an unknown account is an error', async () => {
  await load('automations', [automation()]);
  expect(await folder.call(['export', 'contact-imports', '--account', 'acme'])).toMatchObject({ code: 0, stdout: '' });
  expect(await folder.call(['export', 'automations', '--account', 'nope'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'rollcall: Account "nope" does not exist. To list the accounts, run: rollcall accounts list --db ' +
      shellWord(shown) +
      '\n',
  });
});

test('a pipe that is closed ends it quietly', async () => {
  await load('automations', series(20_000, automation)); // More than a pipe holds.
  const { process, ended } = folder.start(['export', 'automations', '--account', 'acme']);
  process.stdout.once('data', () => process.stdout.destroy());
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});
