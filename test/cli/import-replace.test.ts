/** `rollcall import --replace`: an input that would empty a collection, or cut it short, is rejected unless a flag allows it. */
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { automation } from '../../server/testing/builders.ts';
import { folder } from '../support/own-database.ts';
import { series } from '../support/series.ts';
import { held, load, ndjson, write } from './importing.ts';

const nothing = (input: string): string =>
  `${input}: there is no good record, and --replace would leave the collection empty; nothing was changed. ` +
  'Add --allow-empty if that is meant\nrollcall: Not everything was loaded, see above.\n';

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
      'pages; nothing of it was loaded. Add --allow-partial if that is meant\n' +
      'rollcall: Not everything was loaded, see above.\n',
  });
  expect(await held('automations')).toHaveLength(2);
  expect(await load('automations', 'page', '--replace', '--allow-partial')).toMatchObject({ code: 0, stderr: '' });
  expect(await held('automations')).toEqual([record]);
});
