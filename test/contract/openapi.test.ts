/** The contract itself: named, complete, and true to its own examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import { createHandlers } from '../../server/handlers.ts';
import { COLLECTIONS, operationsOf } from '../../server/contract/collections.ts';
import { compile } from '../../server/contract/schema.ts';
import { isKey, newKey } from '../../server/store/keys.ts';
import { openTestApp } from '../support/app.ts';

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

interface Schema extends Node {
  readonly description?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly examples?: Node;
}
interface Body {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header>>;
  readonly content?: { readonly 'application/json': Body };
  readonly 'x-problem-names'?: readonly string[];
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-speakeasy-pagination'?: {
    readonly type: string;
    readonly inputs: readonly { readonly name: string; readonly in: string; readonly type: string }[];
    readonly outputs: { readonly nextCursor: string; readonly results: string };
  };
}
interface Document {
  readonly info: { readonly description: string };
  readonly 'x-guide': readonly { readonly title: string; readonly text: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: { readonly bearerKey: { readonly 'x-key-pattern': string } };
  };
}

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as object;
/** The contract with its references resolved. */
const document = (await $RefParser.dereference(structuredClone(contract))) as unknown as Document; // Linted as OpenAPI.

/** Every object in the document as it is written, with the path to it. */
function* nodes(value: unknown, path = ''): Generator<readonly [string, Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [name, it] of Object.entries(value)) if (!/^examples?$/.test(name)) yield* nodes(it, `${path}/${name}`);
}
const written = [...nodes(contract)];
const dereferenced = [...nodes(document)];
const guide = document['x-guide'].map(({ text }) => text).join('\n');
const operations = Object.values(document.paths).map(({ get }) => get);
const responses = operations.flatMap((operation) =>
  Object.entries(operation.responses).map(
    ([status, response]) => [operation.operationId, Number(status), response] as const,
  ),
);

test('the operations are those that are handled', async () => {
  const { store } = await openTestApp();
  const ids = operations.map((it) => it.operationId);
  const described = ['listAutomations', 'listContactProperties', 'listContactImports', 'getContactImport'];
  expect(ids).toEqual(expect.arrayContaining(described));
  expect(Object.keys(createHandlers(store)).toSorted()).toEqual(ids.toSorted());
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
    // But for headers of requests, of which no value is rejected.
    const isAnyText = JSON.stringify(node) === '{"type":"string"}' && path.startsWith('/components/parameters/');
    if (type === 'string' && !isAnyText) expect(node).toHaveProperty('maxLength');
    if (type === 'integer' || type === 'number')
      expect(node).toMatchObject({
        minimum: expect.anything() as unknown,
        maximum: expect.anything() as unknown,
        format: expect.anything() as unknown,
      });
    if (type === 'array') expect(node).toHaveProperty('maxItems');
    if (type === 'object') {
      expect(isNode(properties) ? Object.keys(properties) : []).toEqual(node['required']);
      // Said, although it is the default: some generators reject what they do not know unless it is.
      expect(node).toHaveProperty('additionalProperties', true);
    }
  });
});

describe('every pattern means the same to every regular expression engine', () => {
  const patterns = written.flatMap(([path, { pattern }]) => (typeof pattern === 'string' ? [[path, pattern]] : []));
  // Whole strings of printable ASCII; no dot, no class by letter or by what it is not, nothing that looks around.
  const PORTABLE = /^\^(?:\\[.]|\[(?!\^)[^[\]\\&]+\]|\((?!\?)|[^.\\[\](^$])*\$$/;
  const isPortable = (pattern: string): boolean => /^[ -~]+$/.test(pattern) && PORTABLE.test(pattern);

  test.each(patterns)('%s', (_, pattern = '') => {
    expect({ pattern, isPortable: isPortable(pattern) }).toEqual({ pattern, isPortable: true });
  });
  test.each(['\\S', '^\\d+$', '^.*$', '^[^ ]$', '^(?=a)a$', 'a', '^[\\w]$', '^é$', '^a\\z'])('not %s', (pattern) => {
    expect(isPortable(pattern)).toBe(false);
  });
  // To some engines `$` is also the place before a newline at the end. Where that matters, the length leaves it no room.
  test('and what requests may send has one length', () => {
    for (const { name, schema } of operations.flatMap((it) => it.parameters)) {
      if (!('pattern' in schema)) continue;
      expect({ name, least: schema['minLength'] }).toEqual({ name, least: schema['maxLength'] });
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

  // Messages say "must be", and then that sentence.
  test.each(Object.entries(document.components.schemas).filter(([, it]) => 'pattern' in it))(
    '%s says first what is allowed',
    (_, { description = '', example }) => {
      expect(description).toMatch(/^An? [^.]+\. [A-Z]/);
      expect(typeof example).toBe('string');
    },
  );
});

test('new keys are as declared, and as secret scanners are told', () => {
  const { 'x-key-pattern': pattern } = document.components.securitySchemes.bearerKey;
  const declared = new RegExp(`^${pattern}$`);
  expect(readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')).toContain(`\`${pattern}\``);
  const keys = Array.from({ length: 100 }, newKey);
  for (const it of keys) expect(it).toMatch(declared);
  expect(keys.every(isKey)).toBe(true);
  const [key = ''] = keys;
  const others = [
    '',
    `${key}0`,
    key.slice(0, -1),
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace('rollcall', 'other'),
  ];
  expect(others.filter((it) => isKey(it) || declared.test(it))).toEqual([]);
});

describe('paging for machines', () => {
  const lists = operations.filter(({ operationId }) => operationId.startsWith('list'));

  test.each(operations)('$operationId has it if it is a list', (operation) => {
    expect(operation['x-speakeasy-pagination'] !== undefined).toBe(lists.includes(operation));
  });

  test.each(lists)('$operationId: parameters that it has, and the id of the last item', (operation) => {
    const { type, inputs, outputs } = operation['x-speakeasy-pagination'] ?? {};
    expect({ type, inputs }).toEqual({
      type: 'cursor',
      inputs: [
        { name: 'after', in: 'parameters', type: 'cursor' },
        { name: 'limit', in: 'parameters', type: 'limit' },
      ],
    });
    const names = operation.parameters.map(({ name }) => name);
    for (const { name } of inputs ?? []) expect(names).toContain(name);
    const page = examplesOf(operation.responses['200']?.content?.['application/json'] ?? {})[0] as {
      readonly data: readonly { readonly id: string }[];
    };
    const at = (path = ''): unknown =>
      [...path.matchAll(/\.(\w+)|\[(-1)\]/g)].reduce<unknown>(
        (node, [, name, index]) => (index === undefined ? (node as Node)[name ?? ''] : (node as unknown[]).at(-1)),
        page,
      );
    expect(at(outputs?.results)).toBe(page.data);
    expect(at(outputs?.nextCursor)).toBe(page.data.at(-1)?.id);
    expect(page.data.length).toBeGreaterThan(0);
  });
});

describe('generators', () => {
  test('copy the description into every file, so it is short; the rules are in the guide', () => {
    expect(document.info.description.length).toBeLessThan(900);
    expect(document.info.description).toContain('`x-guide`');
    const titles = ['Order', 'Paging', 'Limits', 'Keys', 'Requests', 'Answers', 'Errors', 'Conditional requests'];
    expect(document['x-guide'].map(({ title }) => title)).toEqual([...titles, 'Stability']);
    for (const { text } of document['x-guide']) expect(text).toMatch(/^[A-Z-][^]+\.\n$/);
  });

  test('put descriptions of headers and responses into literals: no apostrophes', () => {
    const { headers, responses } = document.components;
    for (const { description } of [...Object.values(headers), ...Object.values(responses)]) {
      expect(description).not.toMatch(/['’]/);
    }
  });

  test('read an id by its pattern alone', () => {
    expect(written.filter(([, { format }]) => format === 'uuid')).toEqual([]);
    for (const name of ['Id', 'AnyCaseId']) expect(document.components.schemas[name]?.['pattern']).toBeDefined();
  });

  test.each(operations)('$operationId: every parameter has an example of its own', ({ parameters }) => {
    for (const { name, example } of parameters) expect({ name, example }).not.toEqual({ name, example: undefined });
  });

  test.each(operations)('$operationId: the examples of ids are items of its kind', (operation) => {
    const { operationId: id } = operation;
    const served = COLLECTIONS.map(operationsOf).find((it) => it.list === id || it.get === id);
    const list = operations.find((it) => it.operationId === served?.list);
    const { data } = examplesOf(list?.responses['200']?.content?.['application/json'] ?? {})[0] as {
      readonly data: readonly { readonly id: string }[];
    };
    const ids = operation.parameters.filter(({ schema }) => schema === document.components.schemas['AnyCaseId']);
    expect(ids.map(({ name }) => name)).toEqual(operation === list ? ['after', 'before'] : ['id']);
    for (const { example } of ids) expect(data.map(({ id }) => id)).toContain(example);
  });

  test.each(operations)('$operationId: a caller can ask conditionally, and name the request', ({ parameters }) => {
    const headers = parameters.filter((it) => it.in === 'header').map(({ name, schema }) => [name, schema]);
    expect(headers).toEqual([
      ['If-None-Match', { type: 'string' }],
      ['X-Request-Id', { type: 'string' }],
    ]);
  });
});

describe('every example is valid', () => {
  const examples = dereferenced.flatMap(([path, node]) => {
    const schema = isNode(node['schema']) ? node['schema'] : 'type' in node || 'oneOf' in node ? node : undefined;
    if (schema === undefined) return [];
    return examplesOf(node).map((value) => [path, schema, value] as const);
  });
  test('there are many', () => {
    expect(examples.length).toBeGreaterThan(100);
  });
  test.each(examples)('%s', (_, schema, value) => {
    expect(compile(schema)(value)).toEqual([]);
  });
});

/** The values of `example` and `examples`. */
function examplesOf(node: Body): readonly unknown[] {
  const many = Object.values(node.examples ?? {}).map(({ value }) => value);
  return 'example' in node ? [node.example, ...many] : many;
}

describe('every declared answer', () => {
  const ALWAYS = ['X-Request-Id', 'Cache-Control', 'Vary'];
  const IF_CROSS_ORIGIN = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
  const IF_LIMITED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];

  test.each(responses)('%s %s has its headers, and an example of its body', (_, status, { headers, content }) => {
    const required = new Map(Object.entries(headers).map(([name, it]) => [name, it.required]));
    for (const name of ALWAYS) expect([name, required.get(name)]).toEqual([name, true]);
    for (const name of [...IF_LIMITED, ...IF_CROSS_ORIGIN]) expect([name, required.get(name)]).toEqual([name, false]);
    expect(required.get('X-Content-Type-Options')).toBe(content === undefined ? undefined : false);
    expect(required.get('ETag')).toBe([200, 304].includes(status) ? true : undefined);
    expect(required.get('WWW-Authenticate')).toBe(status === 401 ? true : undefined);
    expect(required.get('Allow')).toBe(status === 405 ? true : undefined);
    expect(required.get('Retry-After')).toBe([429, 503].includes(status) ? true : undefined);

    expect(content === undefined).toBe(status === 304);
    if (content !== undefined) expect(examplesOf(content['application/json'])).not.toEqual([]);
  });

  test.each(operations)('$operationId declares all that it may answer', ({ responses }) => {
    expect(Object.keys(responses)).toEqual(['200', '304', '401', '404', '405', '422', '429', '500', '503']);
  });
});

describe('errors', () => {
  const names = (status: number): readonly string[] => [
    ...new Set(responses.filter((it) => it[1] === status).flatMap((it) => it[2]['x-problem-names'] ?? [])),
  ];
  const statuses = [...new Set(responses.map(([, status]) => status))];
  const statusOf = statuses.flatMap((status) => names(status).map((name) => [name, status] as const));

  test('each name belongs to one status', () => {
    expect(statusOf.map(([name]) => name).toSorted()).toEqual(
      (document.components.schemas['ProblemName']?.['enum'] as string[]).toSorted(),
    );
    expect(Object.fromEntries(statusOf)).toEqual({
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

  test.each(responses)('%s %s says which names it has, and has an example of each', (_, status, response) => {
    const own = response['x-problem-names'];
    expect(own !== undefined).toBe(status >= 400);
    if (own === undefined) return;
    const examples = examplesOf(response.content?.['application/json'] ?? {}) as { name: string; statusCode: number }[];
    expect([...new Set(examples.map(({ name }) => name))].toSorted()).toEqual(own.toSorted());
    expect(new Set(examples.map(({ statusCode }) => statusCode))).toEqual(new Set([status]));
  });

  test('a challenge is shown for each name of its answer', () => {
    for (const [, status, { headers }] of responses) {
      const challenge = headers['WWW-Authenticate'];
      if (challenge !== undefined) expect(Object.keys(challenge.examples ?? {})).toEqual(names(status));
    }
  });

  test('the table for people says the same', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d+) \| \S.* \|$/gm)];
    expect(rows.map(([, name, status]) => [name, Number(status)]).toSorted()).toEqual(statusOf.toSorted());
  });
});

describe('limits', () => {
  const limits = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter(({ name }) => name === 'limit').map((it) => ({ operationId, ...it })),
  );

  test('those of the description', () => {
    const defaults = limits.map(({ operationId, schema }) => [operationId, schema['default']]);
    expect(Object.fromEntries(defaults)).toMatchObject({
      listAutomations: 20,
      listContactProperties: 20,
      listContactImports: 10,
    });
    expect(guide).toContain('`limit` says: 1 to 100. Without it, 20; contact imports, 10.');
  });

  test.each(limits)('$operationId: what is said is what the schema has', ({ schema, description }) => {
    expect(schema).toMatchObject({ minimum: 1, maximum: 100 });
    expect(description).toContain(': 1 to 100, ');
    expect(description).toContain(`; ${String(schema['default'])} if it is not sent`);
  });
});

test('nothing in it names the implementation', () => {
  expect(JSON.stringify(contract)).not.toMatch(/express|sqlite|node\.?js|typescript|localhost|127\.0\.0\.1/i);
});
