/** How much an inference does with what a server says: as much as there is, not its square. */
import { expect, jest, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { afterTest } from '../../support/after-test.ts';
import { said } from '../../support/text.ts';
import { serve } from '../conform/bad-servers.ts';

/** @returns how often the name of an array was written, and why there is no audit. */
async function namesWritten(count: number): Promise<readonly [number, string]> {
  // Names with a dot are written in quotes, which can be counted.
  const arrays = Array.from({ length: count }, (_, at) => [`a.${String(at)}`, [{ id: 1 }, { id: 2 }, { id: 3 }]]);
  const body = JSON.stringify(Object.fromEntries(arrays));
  const url = await serve((_req, res) => void res.end(body));
  const written = jest.spyOn(JSON, 'stringify');
  afterTest(() => {
    written.mockRestore();
  });
  try {
    for await (const it of audit({ profile: { url } })) expect(it).toBeUndefined();
  } catch (error) {
    return [written.mock.calls.length, said(error)];
  }
  return [0, ''];
}

test('a body with many arrays: each is named a few times for each request', async () => {
  const [some, why] = await namesWritten(50);
  const [many] = await namesWritten(500);
  expect(why).toMatch(
    /^GET \S+ returned several arrays: `"a\.0"`, `"a\.1"`, .*, `"a\.7"` and 42 more\. Choose one with --items\.$/,
  );
  expect(many).toBeLessThan(20 * some);
});

test('a page with many items: they are searched a few times, not once for each item of another page', async () => {
  const count = 3000;
  const pages = [0, 1, 2].map((page) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: `item-${String(page * count + at)}` }))),
  );
  const url = await serve(({ url: target = '' }, res) => {
    res.end(pages[Number(new URL(target, 'http://a').searchParams.get('page') ?? 1) - 1] ?? '[]');
  });
  const searches = jest.spyOn(Array.prototype, 'includes');
  afterTest(() => {
    searches.mockRestore();
  });
  const outcomes = new Set<string>();
  for await (const { outcome } of audit({ profile: { url }, only: ['page', 'end.never', 'items', 'order.unstable'] }))
    outcomes.add(outcome);
  expect([...outcomes]).toEqual(['passed']);
  expect(searches.mock.contexts.filter((it) => (it as readonly unknown[]).length >= count).length).toBeLessThan(100);
});
