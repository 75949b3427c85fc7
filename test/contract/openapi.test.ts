/** The contract itself: named, bounded, described, and as generators and engines of regular expressions need it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createHandlers } from '../../server/handlers.ts';
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import { isKey, newKey } from '../../server/store/keys.ts';
import { openTestApp } from '../support/app.ts';
import { contract, document, examplesOf, isNode, operations, written } from '../support/written-contract.ts';
import type { Node, Operation } from '../support/written-contract.ts';

test('it is OpenAPI 3.0.3, which every tested tool reads', () => {
  expect(document).toMatchObject({ openapi: '3.0.3' });
});

test('the operations are those that are handled', async () => {
  const { store } = await openTestApp();
  const ids = operations.map((it) => it.operationId);
  const described = ['listAutomations', 'listContactProperties', 'listContactImports', 'getContactImport'];
  expect(ids).toEqual(expect.arrayContaining(described));
  expect(Object.keys(createHandlers(store)).toSorted()).toEqual(ids.toSorted());
});

test('parameters, headers and responses of operations are named components', () => {
  const inline = written.filter(
    ([path, node]) =>
      /^\/(paths\/.*\/(parameters|responses)|components\/responses\/[^/]+\/headers)\/[^/]+$/.test(path) &&
      !('$ref' in node),
  );
  expect(inline.map(([path]) => path)).toEqual([]);
});

test('schemas that are objects, enums or choices are named components', () => {
  const inline = written.filter(
    ([path, node]) =>
      !/^\/(components\/(schemas|headers)\/[^/]+(\/schema)?$|x-common\/)/.test(path) &&
      // But for null, which has no other way to be a choice.
      JSON.stringify(node['enum']) !== '[null]' &&
      (node['type'] === 'object' || ('enum' in node && 'type' in node) || 'oneOf' in node || 'allOf' in node),
  );
  expect(inline.map(([path]) => path)).toEqual([]);
});

// Spectral requires the bounds of strings, integers and lists.
test('a number has its bounds', () => {
  const numbers = written.filter(([, { type }]) => type === 'number');
  expect(numbers).not.toEqual([]);
  const isBounded = (node: Node): boolean => ['minimum', 'maximum', 'format'].every((it) => it in node);
  expect(numbers.filter(([, node]) => !isBounded(node))).toEqual([]);
});

test.each(written.filter(([, { type, enum: values }]) => type === 'object' && values === undefined))(
  '%s requires all its properties, and leaves room for others',
  (_, { properties, required, ...node }) => {
    expect(isNode(properties) ? Object.keys(properties) : []).toEqual(required);
    // Said, although it is the default: some generators reject what they do not know unless it is.
    expect(node).toHaveProperty('additionalProperties', true);
  },
);

describe('every pattern means the same to every regular expression engine', () => {
  // Whole strings of printable ASCII; no dot, no class by letter or by what it is not, nothing that looks around.
  const PORTABLE = /^\^(?:\\[.]|\[(?!\^)[^[\]\\&]+\]|\((?!\?)|[^.\\[\](^$])*\$$/;
  const isPortable = (pattern: string): boolean => /^[ -~]+$/.test(pattern) && PORTABLE.test(pattern);

  test('of the contract', () => {
    const patterns = written.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((it) => !isPortable(it))).toEqual([]);
  });
  test.each(['\\S', '^\\d+$', '^.*$', '^[^ ]$', '^(?=a)a$', 'a', '^[\\w]$', '^é$', '^a\\z'])('not %s', (pattern) => {
    expect(isPortable(pattern)).toBe(false);
  });
  // To some engines `$` is also the place before a newline at the end. Where that matters, the length leaves it no room.
  test('and what requests may send has one length', () => {
    for (const { name, schema } of operations.flatMap((it) => it.parameters)) {
      if (!('pattern' in schema)) continue;
      expect({ name, least: schema.minLength }).toEqual({ name, least: schema.maxLength });
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
  test('by a description', () => {
    const own = named.filter(([, node]) => !('$ref' in node));
    expect(own.filter(([, { description }]) => !/^[A-Z].*\.$/s.test(String(description)))).toEqual([]);
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
  const changed = [key.slice(0, -1), key.toUpperCase(), key.replace('rollcall', 'other')];
  const others = ['', `${key}0`, ` ${key}`, `${key}\n`, ...changed];
  expect(others.filter((it) => isKey(it) || declared.test(it))).toEqual([]);
});

/** @returns the records of the example of a list. */
const exampleDataOf = (list: Operation | undefined): readonly { readonly id: string }[] => {
  const [page] = examplesOf(list?.responses['200']?.content?.['application/json']);
  return (page as { readonly data: readonly { readonly id: string }[] }).data; // Of a list.
};

test('lists, and no others, tell machines how to page: by parameters that they have, and the id of the last item', () => {
  for (const operation of operations) {
    const isList = operation.operationId.startsWith('list');
    expect(operation).not.toHaveProperty('x-fern-pagination');
    expect(operation['x-speakeasy-pagination']).toEqual(
      isList
        ? {
            type: 'cursor',
            inputs: [
              { name: 'after', in: 'parameters', type: 'cursor' },
              { name: 'limit', in: 'parameters', type: 'limit' },
            ],
            outputs: { nextCursor: '$.data[-1].id', results: '$.data' },
          }
        : undefined,
    );
    const names = operation.parameters.map(({ name }) => name);
    if (isList) expect(names).toEqual(expect.arrayContaining(['after', 'limit']));
  }
});

test('the changelog has the version of the contract first, then older versions; no released version is above an unreleased one', () => {
  const changelog = document['x-changelog'];
  const { compare } = new Intl.Collator('en', { numeric: true });
  const versions = changelog.map(({ version }) => version);
  expect(versions[0]).toBe(document.info.version);
  expect(versions).toEqual([...new Set(versions)].toSorted(compare).toReversed());
  const dates = changelog.map(({ date }) => date);
  expect(dates.join(' ')).toMatch(/^(unreleased ?)*(\d{4}-\d\d-\d\d ?)*$/);
  for (const { version, changes } of changelog) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(changes.length).toBeGreaterThan(0);
    for (const it of changes) expect(it).toMatch(/^[A-Z`].*\.$/);
  }
});

describe('generators', () => {
  test('copy the description into every file, so it is short; the rules are in the guide', () => {
    expect(document.info.description.length).toBeLessThan(900);
    expect(document.info.description).toContain('The guide in this document');
    expect(document['x-guide'].map(({ title }) => title)).toEqual([
      ...['Authentication', 'Requests', 'Pagination', 'Sorting', 'Errors', 'Rate limits', 'Responses'],
      ...['Conditional requests', 'CORS', 'Stability'],
    ]);
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
    for (const name of ['Id', 'ItemId']) expect(document.components.schemas[name]?.pattern).toBeDefined();
  });

  test.each(operations)('$operationId: every parameter has an example, that of an id is of its kind', (operation) => {
    const { operationId: id, parameters } = operation;
    expect(parameters.filter(({ example }) => example === undefined)).toEqual([]);
    const served = COLLECTIONS.map(operationsOf).find((it) => it.list === id || it.get === id);
    const list = operations.find((it) => it.operationId === served?.list);
    const ids = parameters.filter(({ schema }) => schema === document.components.schemas['ItemId']);
    expect(ids.map(({ name }) => name)).toEqual(operation === list ? ['after', 'before'] : ['id']);
    for (const { example } of ids) expect(exampleDataOf(list).map((it) => it.id)).toContain(example);
    // The guide tells people to poll with it. Each further one would be an argument of every generated method.
    const headers = parameters.filter((it) => it.in === 'header').map(({ name, schema }) => [name, schema]);
    expect(headers).toEqual([['If-None-Match', { type: 'string' }]]);
  });
});

test('nothing in it names the implementation', () => {
  expect(JSON.stringify(contract)).not.toMatch(/express|sqlite|node\.?js|typescript|localhost|127\.0\.0\.1/i);
});
