/** What the console reads of the contract: all that it knows of the API. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { contractOf, labelOf } from '../../server/pages/assets/console/contract.ts';

const TEXT = readFileSync(fileURLToPath(import.meta.resolve('#openapi')), 'utf8');
const read = (text = TEXT): unknown => parse(text);

test('the collections, their limits, filters, retrievals and properties', () => {
  const { title, version, collections } = contractOf(read());
  expect(title).toBe('Rollcall');
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(collections.map((it) => [it.path, it.title, it.noun, it.one, it.operation, it.retrieval])).toEqual(
    expect.arrayContaining([
      ['/automations', 'Automations', 'automations', 'automation', 'listAutomations', undefined],
      [
        '/contact-properties',
        'Contact properties',
        'contact properties',
        'contact property',
        'listContactProperties',
        undefined,
      ],
      [
        '/contacts/imports',
        'Contact imports',
        'contact imports',
        'contact import',
        'listContactImports',
        'getContactImport',
      ],
    ]),
  );
  expect(collections.map((it) => it.limit)).toEqual([
    { minimum: 1, maximum: 100, default: 20 },
    { minimum: 1, maximum: 100, default: 20 },
    { minimum: 1, maximum: 100, default: 10 },
  ]);
  expect(collections.map((it) => it.filters)).toEqual([
    [{ name: 'status', label: 'Status', values: ['enabled', 'disabled'] }],
    [],
    [{ name: 'status', label: 'Status', values: ['queued', 'in_progress', 'completed', 'failed'] }],
  ]);
  expect(collections.map((it) => it.columns.map(({ name, kind }) => `${name}: ${kind}`))).toEqual([
    ['id: id', 'name: value', 'status: choice', 'created_at: time', 'updated_at: time'],
    ['id: id', 'key: value', 'type: value', 'fallback_value: value', 'created_at: time'],
    // `object`, which is the same for all, is no column.
    ['id: id', 'status: choice', 'created_at: time', 'completed_at: time', 'counts: counts'],
  ]);
  expect(collections[0]?.description).toBe('What runs by itself, and whether it is switched on.');
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
