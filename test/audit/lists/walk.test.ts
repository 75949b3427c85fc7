/** Traversals of pages that no small list has. */
import { expect, test } from '@jest/globals';
import { List } from '../../../audit/lists/list.ts';
import { boundsOf, openSession } from '../../../audit/lists/session.ts';
import { walk } from '../../../audit/lists/walk.ts';
import { afterTest } from '../../support/after-test.ts';
import { serve } from '../conform/bad-servers.ts';

test('a page may have more items than a call may have arguments', async () => {
  const ids = Array.from({ length: 200_000 }, (_, at) => at);
  const url = await serve((_req, res) => void res.end(JSON.stringify({ items: ids, next: null })));
  const session = openSession({ url }, boundsOf(url));
  afterTest(session.close);
  const walked = await walk(new List({ url, items: 'items', id: '', next: { url: 'next' } }, session), undefined);
  expect([walked.ending, walked.ids.length, walked.ids.at(-1)]).toEqual(['end', 200_000, '199999']);
});
