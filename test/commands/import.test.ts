/** `rollcall import`: what is loaded, what is refused, and what is said. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Collection } from '../../server/contract/collections.ts';
import { allowed } from '../../server/contract/allowed.ts';
import { JSON_OF_STORED } from '../../server/store/sqlite/checksum.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
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
      `SELECT ${JSON_OF_STORED} FROM records JOIN accounts ON accounts.id = account JOIN collections ON collections.id = collection
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
      contactImport({ status: 'queued', completed_at: null }),
      contactImport({ created_at: '2026-05-01 00:00:00.000+00' }),
    ];
    write('a', ndjson([first, second]));
    const moved = { ...first, created_at: '2026-06-01 00:00:00.000+00' };
    write(
      'b',
      ndjson([
        { ...moved, status: 'in_progress' },
        { ...moved, id: moved.id.toUpperCase(), status: 'completed', completed_at: moved.created_at },
      ]),
    );
    expect(await load('contact-imports', 'a', 'b')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 contact imports loaded') as unknown,
    });
    expect(held('contactImports')).toEqual([{ ...moved, status: 'completed', completed_at: moved.created_at }, second]);
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
      'bad:3: /name: is missing; /status: is missing; /created_at: is missing; /updated_at: is missing; ' +
        `/id: must be ${allowed(contract.schemas.Id)}`,
      'bad:4: record: is not JSON: a value is expected at line 4, column 1',
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

  test('in a list that is laid out over lines are named by the line of the file, and so is what is not JSON', async () => {
    write('bad', `[\n${JSON.stringify(automation(), null, 2)},\n  {\n    "id": "x",\n    "name" 5\n  }\n]`);
    const { code, stderr } = await load('automations', 'bad');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'bad:9: record: is not JSON: a colon is expected at line 11, column 12\n' +
        'bad: 1 of 2 records are bad; nothing of it was loaded\nrollcall: Not everything was loaded, see above.\n',
    });
  });

  test.each([
    ['"name":"a","name":"b"', '/name: is given more than once'],
    ['"name":"\\ud83d"', '/name: must not have half of a surrogate pair: character 1 is one'],
    ['"name":"ab\\u0000"', '/name: must not have NUL (U+0000): character 3 is one'],
    ['"name":"a","__proto__":{"a":1}', '/__proto__: is not a property of the contract'],
  ])('that would be changed or cannot be served: %s', async (members, reason) => {
    write(
      'bad',
      JSON.stringify(automation()).replace(/"name":"[^"]*"/, () => members),
    );
    expect((await load('automations', 'bad')).stderr.split('\n')[0]).toBe(`bad:1: ${reason}`);
  });

  test.each(['9007199254740991.4', '1e-400', '1e400', '0.1000000000000000055511151231257827'])(
    'a number that a double does not hold: %s',
    async (literal) => {
      write('bad', JSON.stringify(contactProperty()).replace('"friend"', literal).replace('"string"', '"number"'));
      const what = `must be a number that a double holds as written; ${literal} would become ${String(Number(literal))}`;
      expect((await load('contact-properties', 'bad')).stderr.split('\n')[0]).toBe(`bad:1: /fallback_value: ${what}`);
    },
  );

  test('a number may be written in another way, and is served in the usual one', async () => {
    const text = JSON.stringify(contactProperty({ type: 'number' }));
    write('in', ['1.50', '1E2', '-0', '-12.5'].map((it) => `${text.replace('"friend"', it)}\n`).join(''));
    expect(await load('contact-properties', 'in')).toMatchObject({ code: 0, stderr: '' });
  });

  test('nesting without end is a bad record like any other', async () => {
    const id = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    write('bad', '['.repeat(100_000));
    expect((await load('automations', 'bad')).stderr).toMatch(/^bad:1: ends in the middle of its list/);
    write(
      'bad',
      `{"a":${'['.repeat(100_000)}\n${JSON.stringify({ ...automation(), id: 0 }).replace('"id":0', `"id":${id}`)}\n`,
    );
    expect((await load('automations', 'bad')).stderr.split('\n')).toEqual([
      'bad:1: record: is not JSON: an end of nesting after 100 levels is expected at line 1, column 106',
      `bad:2: /id: must be ${allowed(contract.schemas.Id)}`,
      'bad: 2 of 2 records are bad; nothing of it was loaded',
      'rollcall: Not everything was loaded, see above.',
      '',
    ]);
  });

  test('of another collection are said to be of it, once', async () => {
    write('bad', ndjson(series(30, contactImport)));
    const { code, stdout, stderr } = await load('automations', 'bad');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^0 automations loaded/);
    expect(stderr).toBe(
      'bad:1: this looks like contact-imports, not automations; nothing of it was loaded\n' +
        'rollcall: Not everything was loaded, see above.\n',
    );
  });

  test('cannot forge a line or steer the terminal, neither in names nor in values', async () => {
    const name = 'x\nrollcall: all is well\u001b[2J\u009b2J\u202e\u2028\u007f';
    write('bad', ndjson([{ ...automation(), [name]: 1 }]));
    const shown = String.raw`x\u000arollcall: all is well\u001b[2J\u009b2J\u202e\u2028\u007f`;
    expect((await load('automations', 'bad')).stderr).toBe(
      `bad:1: /${shown}: is not a property of the contract\n` +
        'bad: 1 of 1 records are bad; nothing of it was loaded\nrollcall: Not everything was loaded, see above.\n',
    );
    expect((await load('automations', 'no\n\u001b[2J')).stderr.split('\n')[0]).toBe(
      String.raw`no\u000a\u001b[2J does not exist; nothing of it was loaded`,
    );
  });
});

describe('--skip-invalid and --rejects', () => {
  const rejects = (): unknown[] =>
    readFileSync(folder.path('out.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((it) => JSON.parse(it) as unknown);
  const skip = (...files: string[]): Promise<Ran> =>
    load('automations', ...files, '--skip-invalid', '--rejects', 'out.ndjson');
  const paused = (): object => ({ ...automation(), status: 'paused' });
  const status = [{ where: '/status', what: 'must be one of "enabled", "disabled"' }];

  test('load the others, and keep the bad ones with their reasons', async () => {
    const good = series(2, automation);
    const bad = paused();
    write('in', `${ndjson(good.slice(0, 1))}${JSON.stringify(bad)}\n{oops\n${ndjson(good.slice(1))}`);
    const ran = await skip('in');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^2 automations loaded .*; 2 bad records are in out\.ndjson\.\n$/);
    const syntax = 'is not JSON: a name in double quotes is expected at line 3, column 2';
    expect(rejects()).toEqual([
      { file: 'in', line: 2, violations: status, record: bad },
      { file: 'in', line: 3, violations: [{ where: 'record', what: syntax }], text: '{oops' },
    ]);
    expect(held('automations')).toEqual(good);
  });

  test('a record stands there as it was written, on one line', async () => {
    const text = JSON.stringify(paused(), null, 2).replace('"paused"', '1e400');
    write('in', `[${text.replaceAll('\n', '\r\n')}]`);
    await skip('in');
    const lines = readFileSync(folder.path('out.ndjson'), 'utf8').split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"status": 1e400,');
    expect(rejects()).toMatchObject([{ file: 'in', line: 1, violations: [{ where: '/status' }] }]);
  });

  test('once they are mended in place, the file is imported like any other', async () => {
    const [first, second, third] = series(3, automation);
    write('in', `${ndjson([first])}${JSON.stringify({ ...second, status: 'paused' })}\n${JSON.stringify(third)},\n`);
    await skip('in');
    const mended = readFileSync(folder.path('out.ndjson'), 'utf8')
      .replace('"paused"', '"enabled"')
      .replace(String.raw`\"},"`, String.raw`\"}"`);
    write('mended', mended.replace(/,"\}\n$/, '"}\n'));
    expect(await load('automations', 'mended')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^2 automations loaded into account "acme" in [\d.]+ s; it holds 3 now, 1 before\.\n$/,
      ) as unknown,
    });
    expect(held('automations')).toEqual([first, second, third]);
  });

  test('what is still bad in such a file is named by its line there, and rejected as the record it is', async () => {
    const bad = paused();
    write('in', `${JSON.stringify(bad)}\n{oops\n`);
    await skip('in');
    const ran = await load('automations', 'out.ndjson', '--skip-invalid', '--rejects', 'again.ndjson');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const lines = readFileSync(folder.path('again.ndjson'), 'utf8').trimEnd().split('\n');
    const syntax = 'is not JSON: a name in double quotes is expected at character 2';
    expect(lines.map((it) => JSON.parse(it) as unknown)).toEqual([
      { file: 'out.ndjson', line: 1, violations: status, record: bad },
      { file: 'out.ndjson', line: 2, violations: [{ where: 'record', what: syntax }], text: '{oops' },
    ]);
    expect((await load('automations', 'out.ndjson')).stderr.split('\n').slice(0, 2)).toEqual([
      `out.ndjson:1: /status: ${status[0]?.what ?? ''}`,
      `out.ndjson:2: record: ${syntax}`,
    ]);
  });

  test('what a refused file has rejected is not kept, nor counted', async () => {
    const bad = [paused(), paused()];
    write('a', ndjson([automation(), bad[0]]));
    write('b', `[${JSON.stringify(paused())},`);
    write('c', ndjson([bad[1], automation()]));
    const ran = await skip('a', 'b', 'c');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^b:1: ends in the middle of its list/);
    expect(ran.stdout).toMatch(/^2 automations loaded .*; 2 bad records are in out\.ndjson\.\n$/);
    expect(rejects()).toEqual([
      { file: 'a', line: 2, violations: status, record: bad[0] },
      { file: 'c', line: 1, violations: status, record: bad[1] },
    ]);
  });

  test.each([
    ['no record is bad', () => ndjson([automation()]), 0],
    ['no file is loaded', () => `[${JSON.stringify(paused())},`, 1],
  ])('leave no file behind where %s', async (_, text, code) => {
    write('in', text());
    expect((await skip('in')).code).toBe(code);
    expect(existsSync(folder.path('out.ndjson'))).toBe(false);
  });

  test('never overwrite a file, and leave none behind where nothing was loaded', async () => {
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

  const nothing = (input: string): string =>
    `${input}: there is no good record, and --replace would leave the collection empty; nothing was changed. ` +
    'Add --allow-empty if that is meant\nrollcall: Not everything was loaded, see above.\n';

  test.each(['', '\n', '[]', '{"object":"list","has_more":false,"data":[]}'])(
    'with %j, such as a download that failed, is refused unless that is meant',
    async (input) => {
      write('old', ndjson(series(2, automation)));
      await load('automations', 'old');
      const replace = (...argv: string[]): Promise<Ran> =>
        folder.run(['import', 'automations', '-', '--account', 'acme', '--replace', ...argv], { input });
      expect(await replace()).toMatchObject({ code: 1, stderr: nothing('standard input') });
      expect(await replace('--allow-partial')).toMatchObject({ code: 1, stderr: nothing('standard input') });
      expect(held('automations')).toHaveLength(2);
      expect(await replace('--allow-empty')).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('it holds 0 now, 2 before') as unknown,
      });
      expect(held('automations')).toEqual([]);
    },
  );

  test('with bad records alone is refused, says why they are bad, and keeps no rejects', async () => {
    write('old', ndjson(series(2, automation)));
    write('bad', ndjson([{ ...automation(), status: 'paused' }]));
    await load('automations', 'old');
    const skip = ['--replace', '--skip-invalid', '--rejects', 'out'];
    expect(await load('automations', 'bad', ...skip)).toMatchObject({
      code: 1,
      stderr: `bad:1: /status: must be one of "enabled", "disabled"\n${nothing('bad')}`,
    });
    expect(held('automations')).toHaveLength(2);
    expect(existsSync(folder.path('out'))).toBe(false);
    expect(await load('automations', 'bad', ...skip, '--allow-empty')).toMatchObject({ code: 0 });
    expect(held('automations')).toEqual([]);
    expect(existsSync(folder.path('out'))).toBe(true);
  });

  test('with one page of a longer list is refused unless that is meant', async () => {
    write('old', ndjson(series(2, automation)));
    const [record] = series(1, automation);
    write('page', JSON.stringify({ object: 'list', data: [record], has_more: true }));
    await load('automations', 'old');
    expect(await load('automations', 'old', 'page', '--replace')).toMatchObject({
      code: 1,
      stderr:
        'page is one page of a longer list ("has_more" is true), and --replace would remove the records of the other ' +
        'pages; nothing of it was loaded. Add --allow-partial if that is meant\n' +
        'rollcall: Not everything was loaded, see above.\n',
    });
    expect(held('automations')).toHaveLength(2);
    expect(await load('automations', 'page', '--replace', '--allow-partial')).toMatchObject({ code: 0, stderr: '' });
    expect(held('automations')).toEqual([record]);
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
    [
      ['import', 'automations', '--account', 'a', '--allow-empty'],
      'error: --allow-empty and --allow-partial say how far --replace may go; they need it',
    ],
    [
      ['import', 'automations', '--account', 'a', '--allow-partial'],
      'error: --allow-empty and --allow-partial say how far --replace may go; they need it',
    ],
    [
      ['import', 'automations', '--account', 'a', '--db', ''],
      "error: option '--db <database>' argument '' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
    [
      ['import', 'automations', '--account', 'a', '--db', ':memory:'],
      "error: option '--db <database>' argument ':memory:' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
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
