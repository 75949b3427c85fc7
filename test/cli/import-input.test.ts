/** `rollcall import`: errors of bad records, and of files that have none. What is an error: `test/import`. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { allowed } from '../../contract/wording.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import { ndjson, series } from '../support/series.ts';
import { CREATED, folder } from '../support/own-database.ts';
import { held, load, write } from './importing.ts';

const SEE_ABOVE = 'rollcall: Not all input was loaded. See above.\n';

describe('bad records', () => {
  /** @returns what an import of a bad file prints to standard error. */
  async function errorsOf(text: string): Promise<string> {
    write('bad', text);
    const { code, stdout, stderr } = await load('automations', 'bad');
    expect([code, stdout]).toEqual([1, 'Nothing was loaded into account "acme".\n']);
    expect(stderr.endsWith(SEE_ABOVE)).toBe(true);
    return stderr.slice(0, -SEE_ABOVE.length);
  }

  test('reject their file, and are named by file, line, path and violation', async () => {
    write('good', ndjson([automation()]));
    write(
      'bad',
      `${ndjson([automation()])}\n{"id": 1}\nnot json\n${ndjson([{ ...automation(), status: 'paused', extra: 1 }])}`,
    );
    expect(await load('automations', 'good', 'bad')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^1 automation loaded into new account "acme"/) as unknown,
      stderr:
        'bad:3: /name: is missing; /status: is missing; /created_at: is missing; /updated_at: is missing; ' +
        `/id: must be ${allowed(contract.schemas.Id)}\n` +
        'bad:4: record: is not JSON: a value is expected at line 4, column 1\n' +
        'bad:5: /extra: is an unknown property; /status: must be one of "enabled", "disabled"\n' +
        `bad: 3 of 4 records are invalid; not loaded\n${CREATED}${SEE_ABOVE}`,
    });
    expect(await held('automations')).toHaveLength(1);
  });

  test('are shown up to the twentieth, and counted to the last', async () => {
    const errors = await errorsOf('{}\n'.repeat(1234));
    expect(errors.match(/^bad:\d+: /gm)).toHaveLength(20);
    expect(errors).toContain('bad: 1,234 of 1,234 records are invalid; not loaded\n');
  });

  test('in a list that is laid out over lines are named by the line of the file, and so is invalid JSON', async () => {
    const list = `[\n${JSON.stringify(automation(), null, 2)},\n  {\n    "id": "x",\n    "name" 5\n  }\n]`;
    expect(await errorsOf(list)).toBe(
      'bad:9: record: is not JSON: a colon is expected at line 11, column 12\n' +
        'bad: 1 of 2 records is invalid; not loaded\n',
    );
  });

  test('may nest without end', async () => {
    const id = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const record = JSON.stringify({ ...automation(), id: 0 }).replace('"id":0', `"id":${id}`);
    expect(await errorsOf(`{"a":${'['.repeat(100_000)}\n${record}\n`)).toBe(
      'bad:1: record: is not JSON: an end of nesting after 100 levels is expected at line 1, column 106\n' +
        `bad:2: /id: must be ${allowed(contract.schemas.Id)}\n` +
        'bad: 2 of 2 records are invalid; not loaded\n',
    );
  });

  test('of another collection are said to be of it, once', async () => {
    expect(await errorsOf(ndjson(series(30, contactImport)))).toBe(
      'bad:1: this looks like contact-imports, not automations; not loaded\n',
    );
  });

  test('cannot forge a line or steer the terminal, neither in names nor in values', async () => {
    const name = 'x\nrollcall: all is well\u001b[2J\u009b2J\u202e\u2028\u007f';
    const shown = String.raw`x\u000arollcall: all is well\u001b[2J\u009b2J\u202e\u2028\u007f`;
    expect(await errorsOf(ndjson([{ ...automation(), [name]: 1 }]))).toBe(
      `bad:1: /${shown}: is an unknown property\nbad: 1 of 1 record is invalid; not loaded\n`,
    );
    expect((await load('automations', 'no\n\u001b[2J')).stderr.split('\n')[0]).toBe(
      String.raw`no\u000a\u001b[2J does not exist; not loaded`,
    );
  });

  test('are not the reason where their list is cut off', async () => {
    expect(await errorsOf(`[${JSON.stringify(automation())},`)).toBe(
      'bad:1: ends before its array does; it may be truncated; not loaded\n',
    );
  });
});

describe('a database that does not exist', () => {
  const bad = '{}\n';

  test.each([
    ['a missing file', undefined],
    ['a file without records', ''],
    ['a bad record', bad],
    ['a bad record after many batches', ndjson(series(3000, automation)) + bad],
  ])('is not created for %s', async (_, text) => {
    if (text !== undefined) write('in', text);
    const before = readdirSync(folder.path('.'));
    expect(await load('automations', 'in')).toMatchObject({
      code: 1,
      stdout: 'Nothing was loaded into account "acme".\n',
      stderr: expect.stringMatching(/not loaded/) as unknown,
    });
    expect(readdirSync(folder.path('.'))).toEqual(before);
  });

  test('is created for the first file that can be loaded, whatever comes before and after it', async () => {
    write('bad', bad);
    write('good', ndjson(series(3, automation)));
    expect(await load('automations', 'bad', 'good', 'good', 'bad')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^6 automations loaded into new account "acme" in \S+ s; it now has 3 \(/,
      ) as unknown,
    });
    expect(await held('automations')).toHaveLength(3);
  });
});

describe('an input without a record', () => {
  const rejected = (...names: readonly string[]): string =>
    names.map((it) => `${it} has no records; not loaded. To allow this, add --allow-empty\n`).join('');

  test.each(['', ' \n\r\n\t\n', '\uFEFF', '[ ]\n', '{"object":"list","has_more":false,"data":[]}', '{"data": []}'])(
    '%j is an error, and makes no account',
    async (text) => {
      write('in', text);
      expect(await load('automations', 'in')).toMatchObject({ code: 1, stderr: rejected('in') + SEE_ABOVE });
      expect((await folder.call(['accounts', 'list', '--json'])).stdout).not.toContain('"acme"');
      expect(await load('automations', 'in', '--allow-empty')).toMatchObject({ code: 0, stderr: CREATED });
      expect((await folder.call(['accounts', 'list', '--json'])).stdout).toContain('"acme"');
    },
  );

  test('does not keep others from being loaded', async () => {
    write('empty', '');
    write('good', ndjson([automation()]));
    const ran = await load('automations', 'empty', 'good', '-');
    expect(ran).toMatchObject({ code: 1, stderr: rejected('empty', 'standard input') + CREATED + SEE_ABOVE });
    expect(ran.stdout).toMatch(/^1 automation loaded into new account "acme"/);
  });

  test('changes nothing with --replace, be it one among others: what it should have held would be removed', async () => {
    write('old', ndjson(series(3, automation)));
    write('good', ndjson([automation()]));
    write('empty', '[]');
    await load('automations', 'old');
    const before = await held('automations');
    for (const files of [['empty'], ['good', 'empty']]) {
      const ran = await load('automations', ...files, '--replace');
      expect(ran).toMatchObject({ code: 1, stderr: rejected('empty') + SEE_ABOVE });
      expect(await held('automations')).toEqual(before);
    }
    const emptied = await load('automations', 'empty', '--replace', '--allow-empty');
    expect(emptied).toMatchObject({ code: 0, stderr: '' });
    expect(emptied.stdout).toContain('it now has 0 (previously 3)');
    expect(await held('automations')).toEqual([]);
  });

  test('has no record that is bad either: those are said to be bad', async () => {
    write('bad', '{}\n');
    const ran = await load('automations', 'bad', '--skip-invalid', '--rejects', 'out');
    expect(ran).toMatchObject({ code: 0, stderr: CREATED });
    expect(ran.stdout).toMatch(/; wrote 1 invalid record to out\.\n$/);
  });
});
