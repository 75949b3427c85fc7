/** Commands that write while another process does: they wait for `--wait`, say so once, and give up without a change. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { automation } from '../../testkit/builders.ts';
import { connectTo } from '../store/postgres/rows.ts';
import { afterTest } from '../support/after-test.ts';
import type { CallOptions, Ran, Running } from '../support/cli.ts';
import { countedOf } from '../support/collections.ts';
import { create } from '../support/create-key.ts';
import { ENGINE } from '../support/engine.ts';
import { address, database, folder, held, load } from '../support/own-database.ts';
import { series } from '../support/series.ts';

const [first, second] = series(2, automation);
const waiting = (seconds: string): string =>
  `Another process is writing to the database. Waiting up to ${seconds} s; press Ctrl-C to stop without changes.\n`;
const NOTHING = 'Nothing was changed.';

/** A database with a record, and a key of the same account. @returns the id of the key. */
async function fill(): Promise<string> {
  await load('automations', [first ?? {}]);
  return (await create()).id;
}

// Reads go on, as beside an import.
const LOCK = `BEGIN; LOCK TABLE rollcall_accounts, rollcall_keys, rollcall_records, rollcall_collections
  IN SHARE ROW EXCLUSIVE MODE`;

/** Has another process write to a database, and go on until it is stopped. @returns what stops it, with a change or without. */
async function holdWrites(change = ''): Promise<() => Promise<void>> {
  const end = change === '' ? 'ROLLBACK' : `${change}; COMMIT`;
  if (ENGINE === 'postgres') {
    const client = await connectTo(address);
    await client.query(LOCK);
    return async () => {
      await client.query(end);
    };
  }
  const db = new Database(address);
  afterTest(() => db.close());
  db.exec('BEGIN IMMEDIATE');
  return () => {
    db.exec(end);
    return Promise.resolve();
  };
}

/** @returns all that commands could have changed. */
async function contents(): Promise<unknown> {
  const inspector = await database.openInspector();
  const all = [await inspector.accounts(), await inspector.keys()];
  await inspector.close();
  return [...all, await held('automations')];
}

/** Runs a command beside another process that writes until the command says something, which it does once before it is done. */
async function callBeside(argv: readonly string[], options: CallOptions = {}): Promise<Ran> {
  const release = await holdWrites();
  let released: Promise<void> | undefined;
  const notified = (): void => void (released ??= release());
  const ran = await folder.call(argv, { ...options, notified });
  await released;
  expect([ran.code, ran.stderr.split(waiting('600'))]).toEqual([0, ['', expect.not.stringContaining('Another')]]);
  return ran;
}

/** @returns what a command says first on standard error. */
async function firstLine({ process, ended }: Running): Promise<unknown> {
  return Promise.race([once(process.stderr, 'data').then(([text]) => text as unknown), ended]);
}

describe('while another process writes', () => {
  test.each<[string, (id: string) => string[], string]>([
    ['keys create', () => ['keys', 'create', '--account', 'new'], NOTHING],
    ['keys revoke', (id) => ['keys', 'revoke', id], 'Key % was not revoked and remains active.'],
    ['remove', () => ['remove', 'automations', String(first?.id), '--account', 'acme'], NOTHING],
    ['accounts delete', () => ['accounts', 'delete', 'acme', '--yes'], NOTHING],
    ['db upgrade', () => ['db', 'upgrade'], NOTHING],
  ])('`%s` gives up without a change, or is done once the other has ended', async (name, argvOf, outcome) => {
    const id = await fill();
    const before = await contents();
    const release = await holdWrites();
    expect(await folder.call([...argvOf(id), '--wait', '0'])).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `rollcall: Another process is writing to the database. Try again. ${outcome.replace('%', id)}\n`,
    });
    await release();
    expect(await contents()).toEqual(before);
    await callBeside(argvOf(id));
    if (name === 'db upgrade') expect(await contents()).toEqual(before);
    else expect(await contents()).not.toEqual(before);
  });

  test('an account that has changed meanwhile is not deleted', async () => {
    await fill();
    const prefix = ENGINE === 'postgres' ? 'rollcall_' : '';
    const release = await holdWrites(`UPDATE ${prefix}keys SET revoked_at = '2026-01-01T00:00:00.000Z'`);
    let released: Promise<void> | undefined;
    const ran = await folder.call(['accounts', 'delete', 'acme', '--yes'], {
      notified: () => void (released ??= release()),
    });
    await released;
    const now = `account "acme" with ${countedOf({ automations: 1 })}, and 0 active keys`;
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      1,
      '',
      `${waiting('600')}rollcall: Nothing was deleted: it would now delete ${now}. To delete that, run the command again.\n`,
    ]);
    expect(await contents()).toMatchObject([[{ name: 'acme', keys: 0 }], [{ account: 'acme' }], [expect.anything()]]);
  });

  test('Ctrl-C ends the wait, and nothing is changed', async () => {
    const id = await fill();
    const before = await contents();
    const release = await holdWrites();
    const running = folder.start(['keys', 'revoke', id]);
    expect(await firstLine(running)).toBe(waiting('600'));
    running.process.kill('SIGINT');
    expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
    await release();
    expect(await contents()).toEqual(before);
  });

  test('an import reads its input once, and loads it when the other has ended', async () => {
    await fill();
    await callBeside(['import', 'automations', '-', '--account', 'acme'], { input: JSON.stringify(second) });
    expect(await held('automations')).toHaveLength(2);
  });

  // On PostgreSQL that is tested where tables are created: `store/postgres/migration`.
  (ENGINE === 'sqlite' ? test : test.skip)('commands that are to create a database wait too', async () => {
    const release = await holdWrites(); // By a connection that has made an empty file.
    const serving = folder.start(['serve', '--create', '--port', '0']);
    expect(await firstLine(serving)).toBe(waiting('60'));
    await release();
    await serving.printed(/listens on/);
    expect(await folder.call(['db', 'check'])).toMatchObject({ code: 0, stderr: '' });
  });
});

test('an import gives up after --wait: what was loaded before stays, and what was not is named', async () => {
  await fill();
  writeFileSync(folder.path('first.ndjson'), JSON.stringify(second));
  writeFileSync(folder.path('third.ndjson'), JSON.stringify(automation()));
  const files = ['first.ndjson', '-', 'third.ndjson'];
  const running = folder.start(['import', 'automations', ...files, '--account', 'acme', '--wait', '1']);
  while ((await held('automations')).length < 2); // The first file is loaded.
  const release = await holdWrites();
  running.process.stdin.end(JSON.stringify(automation()));
  expect(await running.ended).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^1 automation loaded into account "acme" in \S+ s; it now has 2 \(previously 1\)\.\n$/,
    ) as unknown,
    stderr:
      `${waiting('1')}standard input, third.ndjson: Another process was still writing to the database after 1 s. ` +
      'Try again, or wait longer. Not loaded\nrollcall: Not all input was loaded. See above.\n',
  });
  await release();
  expect(await held('automations')).toHaveLength(2);
});
