/** What an OpenAPI document says of lists: which operations are, their sizes, and the way to the next page. */
import { describe, expect, jest, test } from '@jest/globals';
import { stringify } from 'yaml';
import { OpenApi } from '../../../audit/lists/openapi.ts';
import type { ListOperation, Operation } from '../../../audit/lists/openapi.ts';
import { ProfileError } from '../../../audit/lists/profile-values.ts';
import { afterTest } from '../../support/after-test.ts';

const ROWS = { type: 'array', items: { type: 'object' } };
const json = (schema: object): object => ({ 200: { description: '', content: { 'application/json': { schema } } } });
const query = (name: string, schema: object = {}, required = false): object => ({
  name,
  in: 'query',
  required,
  schema,
});
const documentOf = (paths: object, more: object = {}): string =>
  stringify({ openapi: '3.0.3', info: { title: 'a', version: '1' }, paths, ...more });
const operationsOf = (paths: object, more?: object): readonly Operation[] =>
  new OpenApi(documentOf(paths, more)).operations;
/** @returns the list that a GET operation is. */
function listOf(operation: object, more?: object): ListOperation {
  const [first] = operationsOf({ '/a': { get: { responses: json(ROWS), ...operation } } }, more);
  if (first?.list === undefined) throw new Error(`it is no list: ${String(first?.why)}`);
  return first.list;
}

describe('an operation is no list if', () => {
  test.each<[string, object, string]>([
    ['it has no 200', { responses: { 204: { description: '' } } }, 'no response 200'],
    ['it has no responses', {}, 'no response 200'],
    [
      'its response is no JSON',
      { responses: { 200: { description: '', content: { 'text/csv': {} } } } },
      'no JSON in its response',
    ],
    [
      'its response is one object',
      { responses: json({ type: 'object', properties: { id: {} } }) },
      'no array of objects in its response',
    ],
    [
      'its array has texts',
      { responses: json({ type: 'array', items: { type: 'string' } }) },
      'no array of objects in its response',
    ],
    [
      'its array has an enumeration',
      { responses: json({ type: 'array', items: { enum: ['a'] } }) },
      'no array of objects in its response',
    ],
    [
      'it has no schema',
      { responses: { 200: { description: '', content: { 'application/json': {} } } } },
      'no array of objects in its response',
    ],
  ])('%s', (_, get, why) => {
    expect(operationsOf({ '/a': { get } })).toEqual([{ method: 'GET', path: '/a', why }]);
  });

  test('it is not GET', () => {
    expect(operationsOf({ '/a': { post: { responses: json(ROWS) }, summary: 'a', delete: {} } })).toEqual([
      { method: 'POST', path: '/a', why: 'not GET' },
      { method: 'DELETE', path: '/a', why: 'not GET' },
    ]);
  });
});

describe('an operation is a list if it has an array of objects', () => {
  const components = {
    schemas: { Row: { allOf: [{ $ref: '#/components/schemas/Base' }, {}] }, Base: { properties: { id: {} } } },
    responses: { Page: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Page~1of' } } } } },
    pathItems: { A: { get: { responses: { 200: { $ref: '#/components/responses/Page' } } } } },
  };
  const page = {
    type: 'object',
    properties: { data: { properties: { rows: { items: { $ref: '#/components/schemas/Row' } } } } },
  };
  test('behind references, deep in its body', () => {
    const schemas = { ...components.schemas, 'Page/of': page };
    const [found] = operationsOf(
      { '/a': { $ref: '#/components/pathItems/A' } },
      { components: { ...components, schemas } },
    );
    expect(found?.list?.hasPages).toBe(false);
  });

  test.each<[string, object]>([
    ['in a part of allOf', { allOf: [{}, { properties: { items: ROWS } }] }],
    ['in a choice', { oneOf: [{ type: 'string' }, ROWS] }],
    ['of which nothing is said', { type: 'array', items: {} }],
    ['that may be null', { type: 'array', items: { type: ['object', 'null'] } }],
  ])('%s', (_, schema) => {
    expect(listOf({ responses: json(schema) }).hasPages).toBe(false);
  });

  test('and a schema that contains itself ends', () => {
    const schemas = { Tree: { properties: { child: { $ref: '#/components/schemas/Tree' } } } };
    const responses = json({ $ref: '#/components/schemas/Tree' });
    expect(operationsOf({ '/a': { get: { responses } } }, { components: { schemas } })[0]?.why).toMatch(/no array/);
    const loop = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    const found = operationsOf(
      { '/a': { get: { responses: json({ $ref: '#/components/schemas/A' }) } } },
      { components: { schemas: loop } },
    );
    expect(found[0]?.why).toMatch(/no array/);
  });
});

test.each([3, 12, 60])(
  '%i schemas that all contain each other are looked at once each, not on each path through them',
  (count) => {
    const names = Array.from({ length: count }, (_, at) => `S${String(at)}`);
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const properties = Object.fromEntries(names.map((it) => [it, ref(it)]));
    const schemas = Object.fromEntries(names.map((it) => [it, { type: 'object', properties }]));
    const text = documentOf({ '/a': { get: { responses: json(ref('S0')) } } }, { components: { schemas } });
    const visits = jest.spyOn(OpenApi.prototype, 'at');
    afterTest(() => {
      visits.mockRestore();
    });
    expect(new OpenApi(text).operations).toMatchObject([{ why: 'no array of objects in its response' }]);
    // Each schema once, with its properties and branches; the rest is the operation.
    expect(visits.mock.calls.length).toBeLessThan(count * (count + 5) + 20);
  },
);

test('parameters of the path and the operation, the size with its bounds, and what is required', () => {
  const [found] = operationsOf({
    '/{owner}/a': {
      parameters: [{ name: 'owner', in: 'path', required: true }, query('limit', { type: 'string' })],
      get: {
        parameters: [
          query('limit', { anyOf: [{ type: 'integer', maximum: 50 }, { type: 'null' }], default: 20 }),
          query('kind', {}, true),
          query('q'),
        ],
        responses: json(ROWS),
      },
    },
  });
  expect(found?.list).toMatchObject({
    profile: { size: { param: 'limit', max: 50, default: 20 } },
    hasPages: true,
    ...{ inPath: ['owner'], inQuery: ['limit', 'kind', 'q'], required: ['owner', 'kind'] },
  });
});

test.each(['page', 'cursor', 'offset', '$skip', 'starting_after', 'page[number]', 'marker', 'before'])(
  'the parameter %s is one of pages',
  (name) => {
    expect(listOf({ parameters: [query(name)] }).hasPages).toBe(true);
  },
);
test.each(['q', 'created', 'sort', 'status'])('the parameter %s is none', (name) => {
  expect(listOf({ parameters: [query(name)] }).hasPages).toBe(false);
});

describe('an extension that describes pages:', () => {
  const speakeasy = (inputs: readonly (readonly [string, string])[], outputs: object): object => ({
    'x-speakeasy-pagination': {
      type: 'any',
      inputs: inputs.map(([name, type]) => ({ name, type, in: 'parameters' })),
      outputs,
    },
  });
  test.each<[string, object, object]>([
    [
      'a cursor',
      speakeasy(
        [
          ['after', 'cursor'],
          ['n', 'limit'],
        ],
        { results: '$.data.rows', nextCursor: '$.data.next' },
      ),
      { items: 'data.rows', size: { param: 'n' }, next: { token: 'after', from: 'data.next' } },
    ],
    ['a page', speakeasy([['page', 'page']], { results: '$' }), { items: '', next: { page: 'page' } }],
    ['an offset', speakeasy([['skip', 'offset']], { results: '$.rows' }), { items: 'rows', next: { offset: 'skip' } }],
    ['a URL', speakeasy([], { nextUrl: '$.links.next' }), { next: { url: 'links.next' } }],
    [
      'a cursor in the last item, which is left to inference',
      speakeasy([['since', 'cursor']], { nextCursor: '$.rows[-1].created' }),
      {},
    ],
    ['x-ms-pageable', { 'x-ms-pageable': { nextLinkName: 'nextLink' } }, { items: 'value', next: { url: 'nextLink' } }],
    ['x-ms-pageable of one page', { 'x-ms-pageable': { nextLinkName: null } }, {}],
    ['what is none', { 'x-speakeasy-pagination': 7, 'x-ms-pageable': [] }, {}],
  ])('%s', (_, extension, profile) => {
    expect(listOf(extension).profile).toEqual(profile);
  });

  test('pages that are counted from 0', () => {
    const parameters = [query('page', { type: 'integer', default: 0 })];
    expect(listOf({ parameters, ...speakeasy([['page', 'page']], {}) }).profile).toEqual({
      next: { page: 'page', first: 0 },
    });
  });
});

const DEEP = 'it nests more than 100 levels deep, or contains itself';

describe('a document cannot be used if', () => {
  test.each([
    ['it is a text', 'text', 'an OpenAPI document must be an object'],
    [
      'it is not YAML',
      'a: [',
      'it is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5:',
    ],
    ['it has no version', '{}', 'its version must be 3.0 or 3.1, not none'],
    ['it is Swagger', '{"swagger": "2.0"}', 'its version must be 3.0 or 3.1, not 2.0: convert it first'],
    ['it is of a later version', 'openapi: 3.2.0', 'its version must be 3.0 or 3.1, not 3.2.0'],
    ['its paths are none', 'openapi: 3.0.3\npaths: []', 'paths must be an object'],
    // In its two places, an alias of what it stands in doubles with every level.
    ['it contains itself', 'openapi: 3.1.0\nx: &x [*x, *x]\npaths: {}', DEEP],
    ['it nests too deeply', `{"openapi": "3.1.0", "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, DEEP],
    [
      'it refers to files',
      'openapi: 3.1.0\npaths: { /a: { $ref: ./a.yaml }, /b: { get: { responses: { 200: { $ref: "https://b.example/c#/d" } } } } }',
      'it refers to what is not in it: ./a.yaml, https://b.example/c#/d; bundle it into one file first',
    ],
  ])('%s', (_, text, message) => {
    expect(() => new OpenApi(text)).toThrow(new ProfileError(message));
  });
});
