/** Reads of the store are noticed, each once, with what they were and how long they took. */
import { expect, test } from '@jest/globals';
import request from 'supertest';
import type { StoreRead } from '../../server/http/events.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import { contactImport } from '../../server/testing/builders.ts';
import { openTestApp } from '../support/app.ts';

const first = contactImport();
const broken = { list: () => Promise.reject(new StoreUnavailable('gone')) };

test.each([
  ['a list', '/contacts/imports', {}, 200, ['authenticate', 'list']],
  ['a look-up', `/contacts/imports/${first.id}`, {}, 200, ['authenticate', 'get']],
  ['a read that fails', '/contacts/imports', broken, 503, ['authenticate', 'list']],
  ['an unknown path', '/nope', {}, 404, []],
])('%s', async (_, target, overrides, status, works) => {
  const reads: StoreRead[] = [];
  const read = (it: StoreRead): void => void reads.push(it);
  const t = await openTestApp({ contactImports: [first] }, overrides, undefined, { observer: { read } });
  const response = await request(t.app).get(target).set('Authorization', `Bearer ${t.key}`);
  expect(response.status).toBe(status);
  expect(reads.map((it) => it.work)).toEqual(works);
  for (const { ms } of reads) expect(ms).toBeGreaterThan(0);
});
