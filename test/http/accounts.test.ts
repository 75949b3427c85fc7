/** A key of one account sees nothing of another. */
import { expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { openTestApp } from '../support/app.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { get } from '../support/requests.ts';

const theirs = {
  automations: [automation({ name: 'theirs' })],
  contactProperties: [contactProperty({ key: 'theirs' })],
  contactImports: [contactImport()],
};
const ours = {
  automations: [automation({ name: 'ours' })],
  contactProperties: [contactProperty({ key: 'ours' })],
  contactImports: [contactImport()],
};
const lists = [
  ['/automations', 'automations'],
  ['/contact-properties', 'contactProperties'],
  ['/contacts/imports', 'contactImports'],
] as const;

async function open(): Promise<{
  ask: (target: string, headers?: Record<string, string>) => Promise<Response>;
  theirTag: (target: string) => Promise<string>;
}> {
  const t = await openTestApp(ours);
  await t.put(theirs, { account: 'theirs' });
  const theirKey = await t.keyOf('theirs');
  const askWith =
    (key: string) =>
    async (target: string, headers: Record<string, string> = {}) =>
      get({ ...t, key }, target, headers);
  return {
    ask: askWith(t.key),
    theirTag: async (target) => String((await askWith(theirKey)(target)).headers['etag']),
  };
}

test.each(lists)('GET %s lists only its own', async (path, collection) => {
  const { ask } = await open();
  expect((await ask(path)).body).toEqual({ object: 'list', has_more: false, data: ours[collection] });
  expect((await ask(`${path}?limit=1`)).body).toMatchObject({ has_more: false });
});

test.each(lists.flatMap(([path, collection]) => ['after', 'before'].map((name) => [path, name, collection] as const)))(
  'GET %s: an id of another account is an unknown cursor for `%s`',
  async (path, name, collection) => {
    const { ask } = await open();
    const foreign = await ask(`${path}?${name}=${String(theirs[collection][0]?.id)}`);
    const unknown = await ask(`${path}?${name}=00000000-0000-4000-8000-000000000000`);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
  },
);

test('an import of another account is not found, and its response is that for one that never existed', async () => {
  const { ask } = await open();
  const foreign = await ask(`/contacts/imports/${String(theirs.contactImports[0]?.id)}`);
  const unknown = await ask('/contacts/imports/00000000-0000-4000-8000-000000000000');
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(unknown.body);
});

test.each(lists)('GET %s: the ETag of another account’s response brings the caller’s own', async (path, collection) => {
  const { ask, theirTag } = await open();
  const response = await ask(path, { 'if-none-match': await theirTag(path) });
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ data: ours[collection] });
});

test('a tag does not tell that an import of another account exists', async () => {
  const { ask, theirTag } = await open();
  const path = `/contacts/imports/${String(theirs.contactImports[0]?.id)}`;
  expect((await ask(path, { 'if-none-match': await theirTag(path) })).status).toBe(404);
  expect((await ask(path, { 'if-none-match': '*' })).status).toBe(404);
});

test('the same id in two accounts is two items', async () => {
  const t = await openTestApp({
    contactImports: [contactImport({ id: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73', status: 'failed' })],
  });
  await t.put(
    { contactImports: [contactImport({ id: 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73' })] },
    { account: 'theirs' },
  );
  const response = await get(t, '/contacts/imports/c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73');
  expect(response.body).toMatchObject({ status: 'failed' });
});

test('replacing the collection of one account leaves the other alone', async () => {
  const t = await openTestApp(ours);
  await t.put({ automations: [] }, { account: 'theirs', replace: true });
  const response = await get(t, '/automations');
  expect(response.body).toMatchObject({ data: ours.automations });
});
