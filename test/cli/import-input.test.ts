/** `rollcall import`: errors of bad records, and of files that have none. */
import { describe, expect, test } from '@jest/globals';
import { allowed } from '../../server/contract/wording.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import { series } from '../support/series.ts';
import { folder } from '../support/own-database.ts';
import { held, load, ndjson, write } from './importing.ts';

describe('bad records', () => {
  test('reject their file, and are named by file, line, path and violation', async () => {
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
    expect(ran.stdout).toMatch(/^1 automation loaded into new account "acme"/);
    expect(await held('automations')).toHaveLength(1);
  });

  test('are shown up to the twentieth, and counted to the last', async () => {
    write('bad', '{}\n'.repeat(1234));
    const { stderr, code } = await load('automations', 'bad');
    expect(code).toBe(1);
    expect(stderr.match(/^bad:\d+: /gm)).toHaveLength(20);
    expect(stderr).toContain('bad: 1,234 of 1,234 records are bad; nothing of it was loaded\n');
  });

  test('in a list that is laid out over lines are named by the line of the file, and so is invalid JSON', async () => {
    write('bad', `[\n${JSON.stringify(automation(), null, 2)},\n  {\n    "id": "x",\n    "name" 5\n  }\n]`);
    const { code, stderr } = await load('automations', 'bad');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'bad:9: record: is not JSON: a colon is expected at line 11, column 12\n' +
        'bad: 1 of 2 records is bad; nothing of it was loaded\nrollcall: Not everything was loaded, see above.\n',
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
        'bad: 1 of 1 record is bad; nothing of it was loaded\nrollcall: Not everything was loaded, see above.\n',
    );
    expect((await load('automations', 'no\n\u001b[2J')).stderr.split('\n')[0]).toBe(
      String.raw`no\u000a\u001b[2J does not exist; nothing of it was loaded`,
    );
  });
});

describe('an input without a record', () => {
  const EMPTY = {
    'no byte': '',
    'white space': ' \n\r\n\t\n',
    'a byte order mark': '\uFEFF',
    'an empty array': '[ ]\n',
    'an empty list response': '{"object":"list","has_more":false,"data":[]}',
    'data without a record': '{"data": []}',
  };
  const rejected = (...names: readonly string[]): string =>
    names.map((it) => `${it} has no record; nothing of it was loaded. Add --allow-empty if that is meant\n`).join('');
  const SEE_ABOVE = 'rollcall: Not everything was loaded, see above.\n';

  test.each(Object.entries(EMPTY))('%s is an error, and makes no account', async (_, text) => {
    write('in', text);
    const ran = await load('automations', 'in');
    expect(ran).toMatchObject({ code: 1, stderr: rejected('in') + SEE_ABOVE });
    expect((await folder.call(['accounts', 'list', '--json'])).stdout).toBe('[]\n');
    expect(await load('automations', 'in', '--allow-empty')).toMatchObject({ code: 0, stderr: '' });
    expect((await folder.call(['accounts', 'list', '--json'])).stdout).toContain('"acme"');
  });

  test('does not keep others from being loaded', async () => {
    write('empty', '');
    write('good', ndjson([automation()]));
    const ran = await load('automations', 'empty', 'good', '-');
    expect(ran).toMatchObject({ code: 1, stderr: rejected('empty', 'standard input') + SEE_ABOVE });
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
    expect(emptied.stdout).toContain('it holds 0 now, 3 before');
    expect(await held('automations')).toEqual([]);
  });

  test('has no record that is bad either: those are said to be bad', async () => {
    write('bad', '{}\n');
    const ran = await load('automations', 'bad', '--skip-invalid', '--rejects', 'out');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/; 1 bad record is in out\.\n$/);
  });
});

describe('inputs that cannot be read', () => {
  test('a list that is cut off', async () => {
    write('cut', `[${JSON.stringify(automation())},`);
    expect(await load('automations', 'cut')).toMatchObject({
      code: 1,
      stderr:
        'cut:1: ends in the middle of its list: it may be cut off; nothing of it was loaded\n' +
        'rollcall: Not everything was loaded, see above.\n',
    });
  });
});
