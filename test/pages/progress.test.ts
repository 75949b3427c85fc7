/** How far a record has come, by what the contract has. */
import { expect, test } from '@jest/globals';
import { partsOf, progressOf } from '../../server/pages/assets/console/contract.ts';
import { automation, contactImport } from '../../server/testing/index.ts';
import { collectionAt } from './collections.ts';

const imports = collectionAt('/contacts/imports');

test.each([
  ['queued', { done: 0, total: 0, isRunning: true }],
  ['in_progress', { done: 600, total: 1200, isRunning: true }],
  ['completed', { done: 1200, total: 1200, isRunning: false }],
  ['failed', { done: 600, total: 1200, isRunning: false }],
] as const)('of an import that is %s', (status, progress) => {
  expect(progressOf(imports, { ...contactImport({ status }) })).toEqual(progress);
});

test('not of what only is', () => {
  expect(progressOf(collectionAt('/automations'), { ...automation() })).toBeUndefined();
  expect(progressOf(imports, { id: 'x', completed_at: null })).toBeUndefined();
  expect(progressOf(imports, { id: 'x', counts: { total: 'many' } })).toBeUndefined();
});

test('what became of all there is', () => {
  expect(partsOf({ total: 3, created: 1, failed: 2 })).toEqual({
    total: 3,
    parts: [
      ['created', 1],
      ['failed', 2],
    ],
  });
});
