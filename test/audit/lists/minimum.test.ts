/** A list of which its profile says that pages have at least five items: no smaller size is asked for, but those that make no sense. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { ALL } from './fault.ts';
import { sizeOfStyle, startList } from './server.ts';

const MIN = 5;
const NONSENSE = ['0', '-1', '1.5', 'abc', '1e3', ''];

test.each(ALL)('%s: no size below the minimum', async (style) => {
  const param = sizeOfStyle(style);
  const small = new Set<string>();
  await using list = await startList({
    style,
    before: ({ query }) => {
      for (const size of query.getAll(param)) if (Number(size) < MIN && !NONSENSE.includes(size)) small.add(size);
      return undefined;
    },
  });
  const outcomes: string[] = [];
  const profile = { url: list.url, size: { param, min: MIN } };
  for await (const { outcome } of audit({ profile })) outcomes.push(outcome);
  expect({ small: [...small], failed: outcomes.includes('failed') }).toEqual({ small: [], failed: false });
});
