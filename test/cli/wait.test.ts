/** Commands that write while another process does: they wait for `--wait`, say so once, and give up without a change. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { automation } from '../../server/testing/builders.ts';
import type { Running } from '../support/cli.ts';
import { create } from '../support/create-key.ts';
import { ENGINE } from '../support/engine.ts';
import { placeFixture } from '../support/fixtures.ts';
import { holdWrites } from '../support/hold.ts';
import { address, database, folder, held, load } from '../support/own-database.ts';
import { series } from '../support/series.ts';

const [first, second] = series(2, automation);
const input = JSON.stringify(second);
const waiting = (seconds: string): string =>
  `Another process is writing to the database. Waiting for up to ${seconds} s; Ctrl-C ends that, and nothing is changed.\n`;
const gaveUp = (what: string): string =>
  `rollcall: Another process was still writing to the database after 1 s. Try again, or wait longer. ${what}\n`;
const NOTHING = 'Nothing was changed.';

/** A database with a record, and a key of the same account. @returns the id of the key. */
async function fill(): Promise<string> {
  await load('automations', [first ?? {}]);
  return (await create()).id;
}

/** @returns all that commands could have changed. */
async function contents(): Promise<unknown> {
  const inspector = await database.openInspector();
  const all = [await inspector.accounts(), await inspector.keys()];
  await inspector.close();
  return [...all, await held('automations')];
}

/** @returns what a command says first on standard error. */
async function firstLine({ process, ended }: Running): Promise<unknown> {
  return Promise.race([once(process.stderr, 'data').then(([text]) => text as unknown), ended]);
}

const COMMANDS: readonly (readonly [string, (id: string) => string[], string])[] = [
  ['keys create', () => ['keys', 'create', '--account', 'new'], NOTHING],
  ['keys revoke', (id) => ['keys', 'revoke', id], 'Key % is not revoked: it is still live.'],
  ['remove', () => ['remove', 'automations', String(first?.id), '--account', 'acme'], NOTHING],
  ['accounts delete', () => ['accounts', 'delete', 'acme', '--yes'], NOTHING],
  ['upgrade', () => ['upgrade'], NOTHING],
];

describe('while another process writes', () => {
  test.each(COMMANDS)('`%s` gives up after --wait, and changes nothing', async (_, argvOf, outcome) => {
    const id = await fill();
    const before = await contents();
    const release = await holdWrites(address);
    const ran = await folder.call([...argvOf(id), '--wait', '1']);
    expect(ran).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: waiting('1') + gaveUp(outcome.replace('%', id)),
    });
    await release();
    expect(await contents()).toEqual(before);
  });

  test.each(COMMANDS)('`%s` waits, and is done once the other has ended', async (_, argvOf) => {
    const id = await fill();
    const before = await contents();
    const release = await holdWrites(address);
    const running = folder.start(argvOf(id));
    expect(await firstLine(running)).toBe(waiting('600'));
    await release();
    const ran = await running.ended;
    expect(ran.code).toBe(0);
    expect(ran.stderr.split('Another process')).toHaveLength(2);
    if (argvOf(id)[0] !== 'upgrade') expect(await contents()).not.toEqual(before);
  });

  test('Ctrl-C ends the wait, and nothing is changed', async () => {
    const id = await fill();
    const before = await contents();
    const release = await holdWrites(address);
    for (const argv of [
      ['keys', 'revoke', id],
      ['remove', 'automations', String(first?.id), '--account', 'acme'],
    ]) {
      const running = folder.start(argv);
      expect(await firstLine(running)).toBe(waiting('600'));
      running.process.kill('SIGINT');
      expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
    }
    await release();
    expect(await contents()).toEqual(before);
  });

  test('`upgrade` of an older database waits too', async () => {
    await placeFixture(1, address);
    const release = await holdWrites(address);
    const running = folder.start(['upgrade']);
    expect(await firstLine(running)).toBe(waiting('600'));
    await release();
    expect(await running.ended).toMatchObject({ code: 0, stderr: waiting('600') });
    expect(await folder.call(['check'])).toMatchObject({ code: 0, stderr: '' });
  });

  // On PostgreSQL that is tested where tables are created: `store/postgres/migration`.
  (ENGINE === 'sqlite' ? test : test.skip).each([
    [['keys', 'create', '--account', 'acme'], '600'],
    [['serve', '--create', '--port', '0'], '60'],
  ])('%j, which is to create a database, waits too', async (argv, seconds) => {
    const release = await holdWrites(address); // By a connection that has made an empty file.
    const running = folder.start(argv);
    expect(await firstLine(running)).toBe(waiting(seconds));
    await release();
    await running.printed(/^rollcall_|listens on/);
    expect(await folder.call(['check'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('with --wait 0 nobody waits', async () => {
    const id = await fill();
    const release = await holdWrites(address);
    expect(await folder.call(['keys', 'revoke', id, '--wait', '0'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `rollcall: Another process is writing to the database. Try again. Key ${id} is not revoked: it is still live.\n`,
    });
    await release();
  });
});

describe('an import beside another process that writes', () => {
  const argv = ['import', 'automations', '-', '--account', 'acme'];

  test('reads its input once, and loads it when the other has ended', async () => {
    await fill();
    const release = await holdWrites(address);
    const running = folder.start(argv);
    running.process.stdin.end(input);
    expect(await firstLine(running)).toBe(waiting('600'));
    await release();
    expect(await running.ended).toMatchObject({ code: 0, stderr: waiting('600') });
    expect(await held('automations')).toHaveLength(2);
  });

  test('gives up after --wait: what was loaded before stays, and what was not is named', async () => {
    await fill();
    writeFileSync(folder.path('first.ndjson'), input);
    writeFileSync(folder.path('third.ndjson'), JSON.stringify(automation()));
    const files = ['first.ndjson', '-', 'third.ndjson'];
    const running = folder.start(['import', 'automations', ...files, '--account', 'acme', '--wait', '1']);
    while ((await held('automations')).length < 2); // The first file is loaded.
    const release = await holdWrites(address);
    running.process.stdin.end(JSON.stringify(automation()));
    expect(await running.ended).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^1 automation loaded into account "acme" in \S+ s; it holds 2 now, 1 before\.\n$/,
      ) as unknown,
      stderr:
        `${waiting('1')}standard input, third.ndjson: Another process was still writing to the database after 1 s. ` +
        'Try again, or wait longer. Nothing of it was loaded\nrollcall: Not everything was loaded, see above.\n',
    });
    await release();
    expect(await held('automations')).toHaveLength(2);
  });
});

test.each(['x', '-1', '1.5', '86401'])('--wait %s is rejected', async (value) => {
  expect(await folder.call(['keys', 'create', '--account', 'acme', '--wait', value])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('It must be a whole number of seconds from 0 to 86400.') as unknown,
  });
});
