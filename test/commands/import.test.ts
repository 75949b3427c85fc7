/** `rollcall import`: what is loaded, what is refused, and what is said. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Collection } from '../../server/contract/collections.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { series } from '../support/series.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder, Ran } from '../support/cli.ts';

let folder: Folder;
beforeEach(() => {
  folder = openFolder();
});
afterEach(() => {
  folder.remove();
});

const ndjson = (records: readonly unknown[]): string => records.map((it) => `${JSON.stringify(it)}\n`).join('');
const write = (name: string, text: string): void => {
  writeFileSync(folder.path(name), text);
};
const load = (collection: string, ...argv: string[]): Promise<Ran> =>
  folder.run(['import', collection, ...argv, '--account', 'acme']);

/** @returns everything an account holds in a collection, newest first, from the text that is served. */
function held(collection: Collection, account = 'acme'): unknown[] {
  const db = new Database(folder.path('rollcall.db'), { readonly: true });
  const rows = db
    .prepare<[string, string], string>(
      `SELECT json FROM records JOIN accounts ON accounts.id = account JOIN collections ON collections.id = collection
       WHERE accounts.name = ? AND collections.name = ? ORDER BY created_us DESC`,
    )
    .pluck()
    .all(account, collection);
  db.close();
  return rows.map((it) => JSON.parse(it) as unknown);
}

describe('formats', () => {
  const records = series(3, automation);
  test.each([
    ['NDJSON', ndjson(records)],
    ['a JSON array', JSON.stringify(records, null, 2)],
    ['a saved list answer', JSON.stringify({ object: 'list', has_more: true, data: records })],
  ])('%s is loaded and served', async (_, text) => {
    write('in', text);
    const ran = await load('automations', 'in');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(
      /^3 automations loaded into new account "acme" in [\d.]+ s; it holds 3 now, 0 before\.\n$/,
    );
    expect(held('automations')).toEqual(records);
  });

  test.each([[['-']], [[]]])('standard input, named %j', async (files) => {
    const ran = await folder.run(['import', 'contact-properties', ...files, '--account', 'acme'], {
      input: ndjson([contactProperty()]),
    });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 contact properties loaded/) as unknown });
  });

  test('a record replaces the one with its id, the last of equal ids wins', async () => {
    const [first, second] = [
      contactImport({ status: 'queued' }),
      contactImport({ created_at: '2026-05-01 00:00:00.000+00' }),
    ];
    write('a', ndjson([first, second]));
    const moved = { ...first, created_at: '2026-06-01 00:00:00.000+00' };
    write(
      'b',
      ndjson([
        { ...moved, status: 'in_progress' },
        { ...moved, id: moved.id.toUpperCase(), status: 'completed' },
      ]),
    );
    expect(await load('contact-imports', 'a', 'b')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 contact imports loaded') as unknown,
    });
    expect(held('contactImports')).toEqual([{ ...moved, status: 'completed' }, second]);
  });
});

describe('bad records', () => {
  test('refuse their file, and are named by file, line, place and fault', async () => {
    write('good', ndjson([automation()]));
    write(
      'bad',
      `${ndjson([automation()])}\n{"id": 1}\nnot json\n${ndjson([{ ...automation(), status: 'paused', extra: 1 }])}`,
    );
    const ran = await load('automations', 'good', 'bad');
    expect(ran.code).toBe(1);
    expect(ran.stderr.split('\n')).toEqual([
      'bad:3: /name: is missing; /status: is missing; /created_at: is missing; /updated_at: is missing; /id: must be string',
      expect.stringMatching(/^bad:4: record: is not JSON: /) as unknown,
      'bad:5: /extra: is not a property of the contract; /status: must be one of "enabled", "disabled"',
      'bad: 3 of 4 records are bad; nothing of it was loaded',
      'rollcall: Not everything was loaded, see above.',
      '',
    ]);
    expect(ran.stdout).toMatch(/^1 automations loaded into new account "acme"/);
    expect(held('automations')).toHaveLength(1);
  });

  test('are shown up to the twentieth, and counted to the last', async () => {
    write('bad', '{}\n'.repeat(1234));
    const { stderr, code } = await load('automations', 'bad');
    expect(code).toBe(1);
    expect(stderr.match(/^bad:\d+: /gm)).toHaveLength(20);
    expect(stderr).toContain('bad: 1,234 of 1,234 records are bad; nothing of it was loaded\n');
  });

  test('on the last line load nothing', async () => {
    write('bad', `${ndjson(series(2000, contactImport))}{}\n`);
    expect(await load('contact-imports', 'bad')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^0 contact imports loaded/) as unknown,
    });
    expect(held('contactImports')).toEqual([]);
  });

  test('--skip-invalid loads the others, --rejects keeps the bad ones with their reasons', async () => {
    const good = series(2, automation);
    const bad = JSON.stringify({ ...automation(), status: 'paused' });
    write('in', `${ndjson(good.slice(0, 1))}${bad}\n{oops\n${ndjson(good.slice(1))}`);
    const ran = await load('automations', 'in', '--skip-invalid', '--rejects', 'out.ndjson');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^2 automations loaded .*; 2 bad records are in out\.ndjson\.\n$/);
    const lines = readFileSync(folder.path('out.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((it) => JSON.parse(it) as unknown)).toEqual([
      { file: 'in', line: 2, faults: [{ where: '/status', what: 'must be one of "enabled", "disabled"' }], text: bad },
      {
        file: 'in',
        line: 3,
        faults: [{ where: 'record', what: expect.stringMatching(/^is not JSON: /) as unknown }],
        text: '{oops',
      },
    ]);
    expect(held('automations')).toEqual(good);
  });

  test('--rejects never overwrites a file, and leaves none behind where nothing was loaded', async () => {
    write('in', ndjson([automation()]));
    const ran = await load('automations', 'in', '--skip-invalid', '--rejects', 'in');
    expect(ran).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'rollcall: The file of --rejects, in, exists already; name a new one.\n',
    });
    expect(readFileSync(folder.path('in'), 'utf8')).toHaveLength(ndjson([automation()]).length);

    write('not-a-db', 'x'.repeat(4096));
    expect(await load('automations', 'in', '--skip-invalid', '--rejects', 'out', '--db', 'not-a-db')).toMatchObject({
      code: 1,
    });
    expect(existsSync(folder.path('out'))).toBe(false);
  });
});

describe('inputs that cannot be read', () => {
  test.each([
    ['missing', 'missing does not exist; nothing of it was loaded'],
    ['.', '. is a directory; nothing of it was loaded'],
    ['cut', 'cut:1: ends in the middle of its list: it may be cut off; nothing of it was loaded'],
  ])('%s', async (name, message) => {
    write('cut', `[${JSON.stringify(automation())},`);
    const ran = await load('automations', name);
    expect(ran).toMatchObject({ code: 1, stderr: `${message}\nrollcall: Not everything was loaded, see above.\n` });
  });
});

describe('--replace', () => {
  test('makes the collection exactly what the files hold', async () => {
    const [old, kept, fresh] = [automation(), automation(), automation()];
    write('old', ndjson([old, kept]));
    write('a', ndjson([kept]));
    write('b', ndjson([fresh]));
    await load('automations', 'old');
    await folder.run(['import', 'automations', 'old', '--account', 'other']);
    const ran = await load('automations', 'a', 'b', '--replace');
    expect(ran.stdout).toMatch(/^2 automations loaded into account "acme" in [\d.]+ s; it holds 2 now, 2 before\.\n$/);
    expect(new Set(held('automations').map((it) => (it as { id: string }).id))).toEqual(new Set([kept.id, fresh.id]));
    expect(held('automations', 'other')).toHaveLength(2);
  });

  test('changes nothing if one of the files is refused', async () => {
    write('old', ndjson(series(2, automation)));
    write('a', ndjson([automation()]));
    write('b', '{}\n');
    await load('automations', 'old');
    expect(await load('automations', 'a', 'b', '--replace')).toMatchObject({ code: 1 });
    expect(await load('automations', 'a', 'missing', '--replace')).toMatchObject({ code: 1 });
    expect(held('automations')).toHaveLength(2);
  });

  test('with an empty file empties the collection', async () => {
    write('old', ndjson(series(2, automation)));
    write('none', '[]');
    await load('automations', 'old');
    expect(await load('automations', 'none', '--replace')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('it holds 0 now, 2 before') as unknown,
    });
  });
});

test('a running server shows the new state at once', async () => {
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const { url } = await folder.serve();
  const list = async (): Promise<unknown> =>
    (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).json();
  expect(await list()).toEqual({ object: 'list', has_more: false, data: [] });
  const record = automation();
  write('in', ndjson([record]));
  await load('automations', 'in');
  expect(await list()).toEqual({ object: 'list', has_more: false, data: [record] });
});

describe('wrong usage exits with 2 and says what is right', () => {
  test.each([
    [
      ['import', 'contacts', '--account', 'a'],
      "error: command-argument value 'contacts' is invalid for argument 'collection'. It must be one of automations, contact-properties, contact-imports.",
    ],
    [['import', 'automations'], "error: required option '--account <name>' not specified"],
    [
      ['import', 'automations', '--account', ' '],
      'It must be 1 to 100 characters, without control characters or spaces around it.',
    ],
    [
      ['import', 'automations', '--account', 'a', '--skip-invalid'],
      'error: --skip-invalid and --rejects FILE go together, so that no record is lost',
    ],
    [
      ['import', 'automations', '--account', 'a', '--rejects', 'x'],
      'error: --skip-invalid and --rejects FILE go together, so that no record is lost',
    ],
    [['import', 'automations', '--account', 'a', '--force'], "error: unknown option '--force'"],
    [['import', '--account', 'a'], "error: missing required argument 'collection'"],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await folder.run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/See: rollcall import --help\n$/);
    expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  });
});
