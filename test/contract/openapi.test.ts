/** The contract itself: named, bounded, described, and as generators and engines of regular expressions need it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createHandlers } from '../../server/handlers.ts';
import { COLLECTIONS, operationsOf } from '../../server/contract/collections.ts';
import { isKey, newKey } from '../../server/store/keys.ts';
import { openTestApp } from '../support/app.ts';
import { contract, document, examplesOf, isNode, operations, written } from '../support/written-contract.ts';
import type { Node } from '../support/written-contract.ts';

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

test('nothing in it names the implementation', () => {
  expect(JSON.stringify(contract)).not.toMatch(/express|sqlite|node\.?js|typescript|localhost|127\.0\.0\.1/i);
});
