/** What the console reads of the contract, which is all that it knows of the API, and of records by it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { contractOf, instantOf, labelOf, partsOf, progressOf } from '../../server/pages/assets/console/contract.ts';
import { newKey } from '../../server/store/keys.ts';
import { automation, contactImport } from '../../testkit/index.ts';
import { collectionAt } from './collections.ts';

test('the collections, in words, and the kinds of their columns', () => {
  const { title, version, collections, keyPattern } = contractOf(
    parse(readFileSync(fileURLToPath(import.meta.resolve('#openapi')), 'utf8')),
  );
  expect([title, version]).toEqual(['Rollcall', expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  expect([newKey(), 'test'].map((it) => keyPattern?.test(it))).toEqual([true, false]);
  const shown = collections.map(({ path, title, noun, one, columns }) => [
    ...[path, title, noun, one],
    columns.map(({ name, kind }) => `${name}: ${kind}`).join(', '),
  ]);
  expect(shown).toEqual(
    expect.arrayContaining([
      [
        ...['/contact-properties', 'Contact properties', 'contact properties', 'contact property'],
        'id: id, key: value, type: value, fallback_value: value, created_at: time',
      ],
      // `object`, which is the same for all, is no column.
      [
        ...['/contacts/imports', 'Contact imports', 'contact imports', 'contact import'],
        'id: id, status: choice, created_at: time, completed_at: time, counts: counts',
      ],
    ]),
  );
});

test('a collection more is a collection more', () => {
  const [added] = contractOf({
    info: { title: 'Other', version: '2.0.0' },
    tags: [{ name: 'Segments', description: 'Groups.' }],
    paths: {
      '/segments': {
        get: {
          operationId: 'listSegments',
          tags: ['Segments'],
          parameters: [
            { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Limit' } },
            { name: 'kind', in: 'query', schema: { enum: ['static', 'dynamic'] } },
            { name: 'kind', in: 'header', schema: { enum: ['no'] } },
            { name: 'search', in: 'query', schema: { type: 'string' } },
          ],
          responses: { '200': { $ref: '#/components/responses/Page' } },
        },
      },
      '/segments/{id}': {
        get: { operationId: 'getSegment', responses: { '200': { $ref: '#/components/responses/One' } } },
      },
      '/segments/{id}/members': { get: { operationId: 'getMembers', responses: {} } },
    },
    components: {
      schemas: {
        Limit: { minimum: 2, maximum: 7, default: 3 },
        Segment: { properties: { id: {}, kind: { enum: ['static', 'dynamic'] } } },
        List: { properties: { data: { items: { $ref: '#/components/schemas/Segment' } } } },
      },
      responses: {
        Page: { content: { 'application/json': { schema: { $ref: '#/components/schemas/List' } } } },
        One: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Segment' } } } },
      },
    },
  }).collections;
  expect(added).toEqual({
    ...{ path: '/segments', operation: 'listSegments', retrieval: 'getSegment' },
    ...{ title: 'Segments', noun: 'segments', one: 'segment', description: 'Groups.' },
    filters: [{ name: 'kind', label: 'Kind', values: ['static', 'dynamic'] }],
    limit: { minimum: 2, maximum: 7, default: 3 },
    columns: [
      { name: 'id', label: 'ID', kind: 'id', isNullable: false },
      { name: 'kind', label: 'Kind', kind: 'choice', isNullable: false },
    ],
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'openapi: 3.0.3'],
  ['a list', []],
  ['no paths', { openapi: '3.0.3' }],
  ['no lists', { paths: { '/a': { get: { responses: { '200': {} } } }, '/b': {} } }],
])('%s is rejected', (_, document) => {
  expect(() => contractOf(document)).toThrow(TypeError);
});

test('labels', () => {
  expect(['created_at', 'id', 'fallback_value'].map(labelOf)).toEqual(['Created at', 'ID', 'Fallback value']);
});

describe('how far a record has come:', () => {
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
});

describe('timestamps as instants:', () => {
  test.each([
    ['2026-04-16 13:49:40+00', '2026-04-16T13:49:40.000Z'],
    ['2026-04-16 13:49:40.678912+00', '2026-04-16T13:49:40.678Z'],
    ['2026-04-16 13:49:40.6+02', '2026-04-16T11:49:40.600Z'],
    ['2026-04-16 13:49:40-03:30', '2026-04-16T17:19:40.000Z'],
    ['2026-04-16T13:49:40Z', '2026-04-16T13:49:40.000Z'],
  ])('%s', (text, iso) => {
    expect(instantOf(text)?.toISOString()).toBe(iso);
  });

  test.each<unknown>(['yesterday', '2026-04-16', '2026-13-16 13:49:40+00', ' 2026-04-16 13:49:40+00', '', null, 1])(
    '%j is no timestamp',
    (value) => {
      expect(instantOf(value)).toBeUndefined();
    },
  );
});
