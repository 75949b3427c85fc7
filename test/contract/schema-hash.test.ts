/** The schema hash of a collection changes with the constraints on its records, and with nothing else. */
import { expect, test } from '@jest/globals';
import { schemaHash, schemaHashes } from '../../contract/schema.ts';
import { contract } from '../support/app.ts';
import { contractWith } from '../support/contract.ts';

type Edit = Parameters<typeof contractWith>[0];
const turned = (properties: Record<string, object>): Record<string, object> =>
  Object.fromEntries(Object.entries(properties).reverse());
const now = schemaHashes(contract);

test('a schema hash is the same each time, and each collection has its own', () => {
  expect(schemaHashes(contractWith(() => undefined))).toEqual(now);
  expect(new Set(Object.values(now)).size).toBe(Object.keys(now).length);
  for (const hash of Object.values(now)) expect(hash).toMatch(/^[\w-]{43}$/);
});

test.each<[string, Edit]>([
  ['words of the record', ({ ContactImport: it }) => Object.assign(it, { description: 'x', title: 'x', example: {} })],
  ['words of a property', ({ ContactImportStatus: it }) => Object.assign(it, { description: 'x', deprecated: true })],
  ['an extension', ({ ContactImport: it }) => Object.assign(it, { 'x-note': 'x' })],
  ['a default', ({ ContactImportStatus: it }) => Object.assign(it, { default: 'queued' })],
  ['the order of properties', ({ ContactImport: it }) => (it.properties = turned(it.properties))],
  ['room for properties', ({ ContactImport: it }) => delete it['additionalProperties']],
  ['the order of names', ({ ContactImport: it }) => it.required.reverse()],
  ['the envelope of the list', ({ ContactImportList: it }) => it.required.pop()],
])('the hash stays the same after a change of %s', (_, edit) => {
  expect(schemaHashes(contractWith(edit))).toEqual(now);
});

test.each<[string, Edit]>([
  ['a property', ({ ContactImport: it }) => (it.properties['source'] = { type: 'string' })],
  ['a property with the name of a keyword', ({ ContactImport: it }) => (it.properties['title'] = { type: 'string' })],
  ['a property fewer', ({ ContactImport: it }) => delete it.properties['counts']],
  ['a nested property', ({ ContactImportCounts: it }) => (it.properties['lost'] = { type: 'integer' })],
  ['a nested property that is not required any more', ({ ContactImportCounts: it }) => it.required.pop()],
  ['a value', ({ ContactImportStatus: it }) => Object.assign(it, { enum: ['queued', 'completed'] })],
  ['a bound', ({ CompletionTimestamp: it }) => Object.assign(it, { maxLength: 40 })],
  ['null', ({ ContactImportStatus: it }) => Object.assign(it, { nullable: true })],
])('the hash of the collection alone changes after a change of %s', (_, edit) => {
  const { contactImports, ...others } = schemaHashes(contractWith(edit));
  expect({ ...others, contactImports: now.contactImports }).toEqual(now);
  expect(contactImports).not.toBe(now.contactImports);
});

test('a form more of a value that has several', () => {
  const edited = contractWith(({ FallbackValue: it }) => {
    (it['oneOf'] as object[]).push({ type: 'boolean' });
  });
  expect(schemaHash(edited, 'contactProperties')).not.toBe(now.contactProperties);
});
