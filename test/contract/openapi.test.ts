/** The contract itself: named, complete, and true to its own examples. */
import { describe, expect, test } from '@jest/globals';
import { COLLECTIONS, recordSchemaOf } from '../../server/contract/collections.ts';
import { createHandlers } from '../../server/operations/handlers.ts';
import { openTestApp, contract } from '../support/app.ts';
import { compile } from '../../server/contract/schema.ts';
import { document } from '../support/declared.ts';

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object in the document as it is written, with the path to it. */
function* nodes(value: unknown, path = ''): Generator<readonly [string, Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [name, it] of Object.entries(value)) if (!/^examples?$/.test(name)) yield* nodes(it, `${path}/${name}`);
}
const written = [...nodes(contract.document)];
const dereferenced = [...nodes(document)];

test('the operations are those that are handled', async () => {
  const { store } = await openTestApp();
  const expected = ['listAutomations', 'listContactProperties', 'listContactImports', 'getContactImport'];
  expect(contract.operations.map((it) => it.id)).toEqual(expected);
  expect(Object.keys(createHandlers(store))).toEqual(expected);
});

test('parameters, headers and responses of operations are named components', () => {
  const inline = written.filter(
    ([path, node]) => /^\/paths\/.*\/(parameters|responses|headers)\/[^/]+$/.test(path) && !('$ref' in node),
  );
  expect(inline.map(([path]) => path)).toEqual([]);
});

test('schemas that are objects, enums or choices are named components', () => {
  const inline = written.filter(
    ([path, node]) =>
      !/^\/components\/(schemas|headers)\/[^/]+(\/schema)?$/.test(path) &&
      // But for null, which has no other way to be a choice.
      JSON.stringify(node['enum']) !== '[null]' &&
      (node['type'] === 'object' || ('enum' in node && 'type' in node) || 'oneOf' in node || 'allOf' in node),
  );
  expect(inline.map(([path]) => path)).toEqual([]);
});

describe('every schema has its bounds', () => {
  test.each(
    written.filter(
      ([path, node]) => typeof node['type'] === 'string' && !path.startsWith('/components/securitySchemes'),
    ),
  )('%s', (path, node) => {
    const { type, enum: values, properties } = node;
    if (values !== undefined) return;
    if (type === 'string') expect(node).toHaveProperty('maxLength');
    if (type === 'integer' || type === 'number')
      expect(node).toMatchObject({
        minimum: expect.anything() as unknown,
        maximum: expect.anything() as unknown,
        format: expect.anything() as unknown,
      });
    if (type === 'array') expect(node).toHaveProperty('maxItems');
    if (type === 'object') {
      expect(isNode(properties) ? Object.keys(properties) : []).toEqual(node['required']);
      expect({ path, hasRoom: node['additionalProperties'] ?? true }).toEqual({ path, hasRoom: true });
    }
  });
});

describe('what is said is said to people', () => {
  const named = written.filter(
    ([path, node]) =>
      /^\/components\/(schemas|parameters|headers|responses)\/[^/]+$/.test(path) ||
      'operationId' in node ||
      /\/properties\/[^/]+$/.test(path),
  );
  test.each(named.filter(([, node]) => !('$ref' in node)))('%s has a description', (_, node) => {
    expect(node).toMatchObject({ description: expect.stringMatching(/^[A-Z].*\.$/s) as unknown });
  });
});

describe('every example is valid', () => {
  const examples = dereferenced.flatMap(([path, node]) => {
    const schema = isNode(node['schema']) ? node['schema'] : 'type' in node || 'oneOf' in node ? node : undefined;
    if (schema === undefined) return [];
    const many = isNode(node['examples'])
      ? Object.values(node['examples']).map((it) => (it as { value: unknown }).value)
      : [];
    return ['example' in node ? [node['example']] : [], many].flat().map((value) => [path, schema, value] as const);
  });
  test('there are many', () => {
    expect(examples.length).toBeGreaterThan(100);
  });
  test.each(examples)('%s', (_, schema, value) => {
    expect(compile(schema)(value)).toEqual([]);
  });
});

describe('every declared answer', () => {
  const responses = Object.values(document.paths).flatMap(({ get }) =>
    Object.entries(get.responses).map(([status, response]) => [get.operationId, status, response] as const),
  );
  test.each(responses)(
    '%s %s has the headers that are always sent, and an example of its body',
    (_, status, { headers, content }) => {
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'Cache-Control', 'Vary']));
      expect('ETag' in headers).toBe(['200', '304'].includes(status));
      expect(content === undefined).toBe(status === '304');
      if (content !== undefined)
        expect(Object.keys(content['application/json']).some((it) => it.startsWith('example'))).toBe(true);
    },
  );
});

test('error names and their statuses', () => {
  expect(contract.problemStatus).toEqual({
    validation_error: 422,
    missing_api_key: 401,
    invalid_api_key: 401,
    not_found: 404,
    method_not_allowed: 405,
    rate_limit_exceeded: 429,
    application_error: 500,
    service_unavailable: 503,
  });
});

test('limits and their defaults', () => {
  const limits = contract.operations.flatMap(({ id, parameters }) =>
    parameters.filter(({ name }) => name === 'limit').map(({ schema }) => ({ id, ...schema })),
  );
  expect(limits).toMatchObject([
    { id: 'listAutomations', minimum: 1, maximum: 100, default: 20 },
    { id: 'listContactProperties', minimum: 1, maximum: 100, default: 20 },
    { id: 'listContactImports', minimum: 1, maximum: 100, default: 10 },
  ]);
});

test('what is said of limits is what the schemas have', () => {
  for (const { parameters } of contract.operations) {
    for (const it of parameters.filter(({ name }) => name === 'limit')) {
      const { minimum, maximum, default: fallback } = it.schema as Record<string, unknown>;
      const { description } = it as unknown as { description: string };
      expect(description).toContain(`: ${String(minimum)} to ${String(maximum)}, `);
      expect(description).toContain(`; ${String(fallback)} if it is not sent`);
    }
  }
  const { info } = contract.document as { readonly info: { readonly description: string } };
  expect(info.description).toContain('`limit` says: 1 to 100. Without it, 20; contact imports, 10.');
});

test('every collection has its schema', () => {
  expect(COLLECTIONS.map((it) => recordSchemaOf(contract, it).type)).toEqual(['object', 'object', 'object']);
});

test('nothing in it names the implementation', () => {
  expect(JSON.stringify(contract.document)).not.toMatch(/express|sqlite|node\.?js|typescript|localhost|127\.0\.0\.1/i);
});
