/** `rollcall import`: the records it loads and its output. Inputs: `import-*.test.ts`. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';
import { folder } from '../support/own-database.ts';
import { ndjson, series } from '../support/series.ts';
import { held, load, write } from './importing.ts';

test.each([[['-']], [[]]])('standard input, named %j', async (files) => {
  const ran = await folder.call(['import', 'contact-properties', ...files, '--account', 'acme'], {
    input: ndjson([contactProperty()]),
  });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 contact property loaded/) as unknown });
});

test('a record replaces the one with its id, the last of equal ids wins', async () => {
  const first = contactImport({ status: 'queued', completed_at: null });
  const second = contactImport({ created_at: '2026-05-01 00:00:00.000+00' });
  const moved = { ...first, created_at: '2026-06-01 00:00:00.000+00' };
  const done = { ...moved, status: 'completed', completed_at: moved.created_at };
  write('a', ndjson([first, second]));
  write('b', ndjson([{ ...moved, status: 'in_progress' }, { ...done, id: moved.id.toUpperCase() }])); // prettier-ignore
  const { code, stdout } = await load('contact-imports', 'a', 'b');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^4 contact imports loaded/)]);
  expect(await held('contactImports')).toEqual([done, second]);
  const replaced = await load('contact-imports', 'a', 'b', '--replace');
  expect(replaced.stdout).toMatch(/; it now has 2 \(previously 2\); later records with the same id replaced 2\.\n$/);
  write('c', ndjson([first, second, moved]));
  const { stdout: inNew } = await folder.call(['import', 'contact-imports', 'c', '--account', 'new']);
  expect(inNew).toMatch(/^3 .*; it now has 2 \(previously 0\); later records with the same id replaced 1\.\n$/);
});

describe('--replace', () => {
  test('makes the collection exactly what the files hold', async () => {
    const [old, same, fresh] = [automation(), automation(), automation()];
    write('old', ndjson([old, same]));
    write('a', ndjson([same]));
    write('b', ndjson([fresh]));
    await load('automations', 'old');
    await folder.call(['import', 'automations', 'old', '--account', 'other']);
    const ran = await load('automations', 'a', 'b', '--replace');
    expect(ran.stdout).toMatch(
      /^2 automations loaded into account "acme" in [\d.]+ s; it now has 2 \(previously 2\)\.\n$/,
    );
    expect(new Set(await held('automations'))).toEqual(new Set([same, fresh]));
    expect(await held('automations', 'other')).toHaveLength(2);
  });

  test('changes nothing if one of the files is rejected', async () => {
    write('old', ndjson(series(2, automation)));
    write('a', ndjson([automation()]));
    write('b', '{}\n');
    await load('automations', 'old');
    expect(await load('automations', 'a', 'b', '--replace')).toMatchObject({ code: 1 });
    expect(await load('automations', 'a', 'missing', '--replace')).toMatchObject({ code: 1 });
    expect(await held('automations')).toHaveLength(2);
  });

  const nothing = (input: string): string =>
    `${input}: no valid records, so --replace would empty the collection; nothing was changed. ` +
    'To allow this, add --allow-empty\nrollcall: Not all input was loaded. See above.\n';

  test('with bad records alone is rejected with their violations, and writes no rejects', async () => {
    write('old', ndjson(series(2, automation)));
    write('bad', ndjson([{ ...automation(), status: 'paused' }]));
    await load('automations', 'old');
    const skip = ['--replace', '--skip-invalid', '--rejects', 'out'];
    expect(await load('automations', 'bad', ...skip)).toMatchObject({
      code: 1,
      stderr: `bad:1: /status: must be one of "enabled", "disabled"\n${nothing('bad')}`,
    });
    expect(await held('automations')).toHaveLength(2);
    expect(existsSync(folder.path('out'))).toBe(false);
    expect(await load('automations', 'bad', ...skip, '--allow-empty')).toMatchObject({ code: 0 });
    expect(await held('automations')).toEqual([]);
    expect(existsSync(folder.path('out'))).toBe(true);
  });

  test('with one page of a longer list is rejected unless a flag allows it', async () => {
    write('old', ndjson(series(2, automation)));
    const [record] = series(1, automation);
    write('page', JSON.stringify({ object: 'list', data: [record], has_more: true }));
    await load('automations', 'old');
    expect(await load('automations', 'old', 'page', '--replace')).toMatchObject({
      code: 1,
      stderr:
        'page is one page of a longer list ("has_more" is true), and --replace would remove the records of the other ' +
        'pages; not loaded. To allow this, add --allow-partial\n' +
        'rollcall: Not all input was loaded. See above.\n',
    });
    expect(await held('automations')).toHaveLength(2);
    expect(await load('automations', 'page', '--replace', '--allow-partial')).toMatchObject({ code: 0, stderr: '' });
    expect(await held('automations')).toEqual([record]);
  });
});
