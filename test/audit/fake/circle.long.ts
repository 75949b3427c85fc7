/** The circle: `audit` finds in the fake of a profile what the profile says, and nothing wrong. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { servedBy } from '../../../audit/fake/start.ts';
import { audit } from '../../../audit/lists/audit.ts';
import type { Given, Profile } from '../../../audit/lists/profile.ts';
import type { Result } from '../../../audit/rules/rule.ts';
import { WAYS, profileOf, start } from './lists.ts';

const FOLDER = new URL('../../../audit/profiles/', import.meta.url);
const ITEMS = 67;

async function audited(
  profile: Given,
): Promise<{ readonly results: readonly Result[]; readonly found: Profile | undefined }> {
  const results: Result[] = [];
  const run = audit({ profile });
  for await (const result of run) results.push(result);
  return { results, found: run.profile };
}
const wrong = (results: readonly Result[]): readonly Result[] =>
  results.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not_checked');

test.each(readdirSync(FOLDER))('%s', async (file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  const { profile } = servedBy(text);
  const fake = await start(text, { items: ITEMS });
  const { results, found } = await audited({ ...profile, url: fake.url });
  expect(wrong(results)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(9);
  expect(found?.next).toEqual(profile.next);
});

test.each(['link', 'token', 'url', 'page', 'offset', 'tokens', 'header', 'link with an end'])(
  'without a profile: %s',
  async (name) => {
    const next = WAYS[name] ?? { page: 'page' };
    const fake = await start(profileOf(next), { items: ITEMS });
    const { results, found } = await audited({ url: fake.url, headers: { Authorization: `Bearer ${fake.key}` } });
    expect(wrong(results)).toEqual([]);
    expect(found).toMatchObject({ items: 'data', id: 'id', size: { param: 'limit' }, next });
  },
);

const PROMISES = `
size: { param: limit, min: 1, max: 50, default: 10, above: reject, invalid: reject, exact: true }
total: exact
order: ['-created', { by: id, type: bytes }]
filter: { status: open }
get: /v1/orders/{id}
other: { url: /v1/others, headers: { Authorization: 'Bearer \${OTHER}' } }
origin: same
previous: { id: before }
`;

test.each(Object.entries(WAYS))('every promise is kept: %s', async (_, next) => {
  const text = profileOf(next).replace(/^(size|total):.*\n?/gm, '') + PROMISES;
  const { profile } = servedBy('id' in next ? text : text.replace(/previous.*\n/, ''));
  const fake = await start(text, { items: ITEMS });
  const { results } = await audited({ ...profile, url: fake.url });
  expect(wrong(results)).toEqual([]);
  const passed = results.filter(({ outcome }) => outcome === 'passed').map(({ rule }) => rule);
  const kept = ['size.default', 'size.not-rejected', 'order.wrong', 'order.ties', 'get.different', 'filter.wrong'];
  expect(passed).toEqual(expect.arrayContaining(kept));
});
