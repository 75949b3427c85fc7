/** How commands treat a database that is older, incomplete or missing: `upgrade` alone migrates, and few commands create one. */
import { closeSync, copyFileSync, openSync, readdirSync, truncateSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { createProgram } from '../../cli/run.ts';
import { COLLECTIONS, noun } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { keyHash } from '../../server/store/keys.ts';
import { schemaWith } from '../../server/store/postgres/schema.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { SCHEMA } from '../../server/store/sqlite/schema.ts';
import { StoreError } from '../../server/store/store.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { alter } from '../support/alter.ts';
import { contract } from '../support/app.ts';
import { countedOf } from '../support/collections.ts';
import { create } from '../support/create-key.ts';
import { ENGINE } from '../support/engine.ts';
import { dropTables, stateOf } from '../support/state.ts';
import { address, database, folder, load, shown } from '../support/own-database.ts';
import { execute } from '../support/postgres-database.ts';
import { series } from '../support/series.ts';
import { COMMANDS } from './commands.ts';

const { length: version } = ENGINE === 'sqlite' ? SCHEMA : schemaWith('');
const hashes = schemaHashes(contract);
const state = (): Promise<unknown> => stateOf(address, folder.path('.'));

const [AUTOMATIONS, IMPORTS] = [series(2, automation), series(2, contactImport)];
/** Makes a database with records and a key. @returns the key. */
async function fill(): Promise<string> {
  await load('automations', AUTOMATIONS);
  await load('automations', [automation()], { account: 'other' });
  await load('contactImports', IMPORTS);
  return (await create('--label', 'nightly job')).key;
}
const anAutomation = `${JSON.stringify(automation())}\n`;

const run = (name: string): ReturnType<typeof folder.run> => folder.call(COMMANDS[name] ?? [], { input: anAutomation });

test('every command that takes a database is among those that are tried', async () => {
  const names = (await createProgram('')).commands.flatMap((it) =>
    it.commands.length === 0 ? [it.name()] : it.commands.map((child) => `${it.name()} ${child.name()}`),
  );
  const tried = [...Object.values(COMMANDS).map((it) => it.join(' ')), 'db copy'];
  const isTried = (name: string): boolean => tried.some((it) => it === name || it.startsWith(`${name} `));
  expect(names.filter((it) => !isTried(it))).toEqual(['demo', 'audit', 'examine', 'fake', 'conform']);
});

/** How a database comes to lack a collection, as after an update of Rollcall. The tables of an older version: `store/older-version`. */
const OLDER: readonly (readonly [string, () => Promise<void> | void])[] = [
  ['without a collection', () => undefined],
  ...(ENGINE === 'sqlite'
    ? [['without a collection, with the log of a process that was killed', leaveLog] as const]
    : []),
];

function leaveLog(): void {
  const db = new Database(address);
  db.exec("INSERT INTO accounts (name) VALUES ('in the log')");
  for (const end of ['', '-wal', '-shm']) copyFileSync(address + end, `${folder.path('left')}${end}`);
  db.close();
  for (const end of ['', '-wal', '-shm']) {
    copyFileSync(`${folder.path('left')}${end}`, address + end);
    truncateSync(`${folder.path('left')}${end}`);
  }
}

describe.each(OLDER)('a database %s', (_, leave) => {
  let key: string;
  beforeEach(async () => {
    key = await fill();
    await alter('DELETE FROM collections WHERE id = 2'); // Without records.
    await leave();
  });

  const older = (): string =>
    `${shown} was written by an older version of Rollcall. Back it up, then run: rollcall db upgrade --db ${shown}`;

  test('is rejected by every other command, and stays as it was', async () => {
    await openWriter(folder.path('other.db')).close();
    const before = await state();
    const own = ENGINE === 'sqlite' ? './rollcall.db' : address;
    const { upgrade: _, backup: __, ...rejecting } = COMMANDS;
    for (const argv of [
      ...Object.values(rejecting),
      ['db', 'copy', own, 'other.db'],
      ['db', 'copy', 'other.db', own],
    ]) {
      const ran = await folder.call(argv, { input: anAutomation });
      expect([argv, ran]).toMatchObject([argv, { code: 1, stdout: '', stderr: `rollcall: ${older()}\n` }]);
    }
    expect(await state()).toEqual(before);
  });

  test('is upgraded and then served as it was before, but not by half where one record cannot be upgraded', async () => {
    expect(await database.upgrade(hashes, () => undefined)).toBe(false);
    expect((await run('check')).stderr).toBe(`rollcall: ${older()}\n`);
    const checked = countedOf({ automations: 3, contactImports: 2 });
    expect(await run('upgrade')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^${checked} checked in \\d+\\.\\d s; 0 records changed\\.\\n$`),
      ) as unknown,
      stderr: '',
    });
    const store = await database.openStore(hashes);
    afterTest(() => store.close());
    const account = (await store.authenticate(keyHash(key)))?.account;
    if (account === undefined) throw new Error('The key does not work.');
    const page = await store.list(account, 'automations', { limit: 10 });
    expect(page?.items.map((it) => JSON.parse(it) as unknown)).toEqual(AUTOMATIONS);
    expect(await store.list(account, 'contactProperties', { limit: 10 })).toEqual({ items: [], hasMore: false });
    expect(await run('import')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('check')).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a database of a newer version is rejected by every command', async () => {
  await fill();
  await alter(ENGINE === 'sqlite' ? 'PRAGMA user_version = 99' : 'UPDATE store SET version = 99');
  const before = await state();
  for (const [name, argv] of Object.entries(COMMANDS)) {
    if (name === 'backup' && ENGINE === 'postgres') continue; // It has tools of its own.
    const ran = await folder.call(argv, { input: anAutomation });
    const stderr =
      `rollcall: ${shown} was written by a newer version of Rollcall (store version 99; this version supports up to ` +
      `${String(version)}). Use the newer version.\n`;
    expect([name, ran]).toEqual([name, { code: 1, signal: null, stdout: '', stderr }]);
  }
  expect(await state()).toEqual(before);
});

describe('a database of the current version whose records were checked against another contract', () => {
  beforeEach(async () => {
    await fill();
    await alter("UPDATE collections SET fingerprint = 'other'");
  });

  const another = (what: string): string =>
    `The ${what} in ${shown} were checked against another version of the contract and must be checked again. ` +
    `Back up the database, then run: rollcall db upgrade --db ${shown}`;
  const listOf = (collections: readonly Collection[]): string =>
    new Intl.ListFormat('en').format(collections.map(noun));
  const ALL = listOf(COLLECTIONS);

  test('is rejected by what serves or adds to it, named by check, and stays as it was', async () => {
    const before = await state();
    for (const [name, what] of [
      ...['serve', 'serve --create', 'serve --workers', 'check'].map((it) => [it, ALL] as const),
      ['import', 'automations'] as const,
    ]) {
      const { code, stdout, stderr } = await run(name);
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(another(what))]);
      if (name !== 'check') expect(stdout).toBe('');
      else expect(stderr.endsWith(`\nrollcall: Errors found in ${shown} (0 invalid records). See above.\n`)).toBe(true);
    }
    expect(await state()).toEqual(before);
  });

  test('is not served either where none of these records are left', async () => {
    for (const it of ['acme', 'other']) await folder.call(['accounts', 'delete', it, '--yes']);
    const before = await state();
    expect((await run('serve')).stderr).toBe(`rollcall: ${another(ALL)}\n`);
    expect(await state()).toEqual(before);
  });
});

/** How a database is before its first command, or where that was killed while it created it. */
const NOT_MADE: Readonly<Record<typeof ENGINE, readonly (readonly [string, () => unknown])[]>> = {
  sqlite: [
    ['no file', () => undefined],
    [
      'an empty file',
      () => {
        closeSync(openSync(address, 'w'));
      },
    ],
    ['a file without tables', () => new Database(address).exec('PRAGMA journal_mode = WAL').close()],
    [
      'a file whose log has the first tables, which are not committed',
      () => {
        leaveBegun('PRAGMA journal_mode = WAL; PRAGMA cache_size = 1', ['-wal', '-shm']);
      },
    ],
    [
      'a file that is to be rolled back',
      () => {
        leaveBegun('PRAGMA cache_size = 1', ['-journal']);
      },
    ],
  ],
  postgres: [
    ['a database without tables', () => dropTables(address)],
    ['the table of the store alone', () => begin('')],
    ['version 0', () => begin("INSERT INTO rollcall_store VALUES (1, 0, '5f0c2b4e-6f1d-4c43-9a75-0b6a2a4d8d11')")],
  ],
};

/** Leaves a file as a process does that is killed within its first transaction. */
function leaveBegun(before: string, ends: readonly string[]): void {
  const made = folder.path('made.db');
  const db = new Database(made);
  db.exec(before);
  if (ends.includes('-journal')) db.exec('CREATE TABLE t (a); DROP TABLE t; VACUUM');
  db.exec(`BEGIN; ${SCHEMA.join('')}; CREATE TABLE large (a); INSERT INTO large VALUES (zeroblob(1000000))`);
  for (const end of ['', ...ends]) copyFileSync(made + end, address + end);
  db.close();
  for (const it of readdirSync(folder.path('.')).filter((name) => name.startsWith('made.db'))) {
    truncateSync(folder.path(it));
  }
}

async function begin(sql: string): Promise<void> {
  await dropTables(address);
  await execute(
    address,
    `CREATE TABLE rollcall_store (id int PRIMARY KEY, version int NOT NULL, epoch uuid NOT NULL); ${sql}`,
  );
}

const nothing = (): string =>
  `There is no Rollcall database at ${shown}. Check the address, or create one with import, keys create or serve --create.`;

describe.each(NOT_MADE[ENGINE])('%s', (_, leave) => {
  beforeEach(async () => {
    await leave();
  });

  test.each(['keys create', 'import'])('is no database to what creates none, and a new one to %s', async (name) => {
    const before = await state();
    const reading: (() => unknown)[] = [
      () => database.openStore(hashes),
      () => database.openWriter(true),
      () => database.openInspector(),
      () => database.upgrade(hashes, () => undefined),
      ...(ENGINE === 'sqlite' ? [(): unknown => database.backUp(folder.path('copy.db'))] : []),
    ];
    const message = nothing().replace('./rollcall.db', address);
    for (const open of reading) {
      const opened = Promise.resolve().then(open); // SQLite throws at once.
      await expect(opened).rejects.toEqual(expect.objectContaining({ constructor: StoreError, message }));
    }
    expect(await state()).toEqual(before);
    expect(await run(name)).toMatchObject({ code: 0 });
    expect(await run('check')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a database that is not there', () => {
  beforeEach(async () => {
    if (ENGINE === 'postgres') await dropTables(address);
  });

  test('is created by no command but import, keys create and serve --create', async () => {
    const creating = ['import', 'import --replace', 'keys create', 'serve --create'];
    const before = await state();
    for (const name of Object.keys(COMMANDS).filter((it) => !creating.includes(it))) {
      if (name === 'backup' && ENGINE === 'postgres') continue; // It has tools of its own.
      const { code, stdout, stderr } = await run(name);
      expect([name, code, stdout, stderr]).toEqual([name, 1, '', `rollcall: ${nothing()}\n`]);
    }
    expect(await state()).toEqual(before);
  });

  test('is created by serve --create, once for all workers', async () => {
    const { url, process, ended } = await folder.serve(['--workers', '2']);
    expect((await fetch(`${url}/automations`)).status).toBe(401);
    process.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });
});
