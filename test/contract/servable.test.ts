/** `npm run generate` rejects a contract that Rollcall cannot serve, with a sentence that names the operation, the fault, and what is supported. */
import { expect, test } from '@jest/globals';
import { unservable } from '../../scripts/servable.ts';
import { readDocument } from '../../contract/document.ts';

type Node = Record<string, unknown>;

/** @returns the contract with other values at some places, each a path of names; `undefined` removes the value. */
function contractWith(changes: Readonly<Record<string, unknown>>): object {
  const document = readDocument('openapi');
  for (const [place, value] of Object.entries(changes)) {
    const names = place.split(' ');
    const last = names.pop() ?? '';
    const parent = names.reduce((node, name) => (node[name] ??= {}) as Node, document as Node);
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = value;
  }
  return document;
}

/** @returns the value at a place of the contract. */
const at = (place: string): unknown =>
  place.split(' ').reduce<unknown>((node, name) => (node as Node)[name], readDocument('openapi'));
const listAt = (place: string): readonly unknown[] => at(place) as readonly unknown[];

const [LIST, IMPORTS, GET] = ['paths /automations get', 'paths /contacts/imports get', 'paths /contacts/imports/{id}'];
const ITEM = 'components schemas Automation';
const FILTER = 'components parameters AutomationStatusFilter';
const STATUS = 'components schemas AutomationStatus';
const query = (name: string): Node => ({ name, in: 'query', schema: { type: 'string' } });
const withParameters = (operation: string, ...more: readonly Node[]): Node => ({
  [`${operation} parameters`]: [...listAt(`${operation} parameters`), ...more],
});
const withName = (path: string, name: string): Node => ({
  [GET]: undefined,
  [`paths ${path}`]: at(GET),
  'components parameters ContactImportId name': name,
});

const notByProperty = (name: string): string =>
  `listAutomations has the query parameter \`${name}\`: a list supports \`limit\`, \`after\` and \`before\`, and one filter with the name of a required property of the items.`;
const notOfList = (path: string): string =>
  `getContactImport has the path ${path}: the path of a get must be the path of a list followed by \`/{id}\`.`;
const UNSUPPORTED = 'which is not supported: use `parameters` and `responses` only.';

test('the contract can be served', () => {
  expect(unservable(readDocument('openapi'))).toEqual([]);
});

/** The faults, by the sentence that reports them. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, Node>>>> = {
  'listAutomations has the filters `status` and `name`: a list supports at most one.': {
    'two filters': withParameters(LIST, query('name')),
  },
  'listContactImports has the path /contacts/{id}/imports: the path of a list must have no parameter.': {
    'a nested list': {
      [IMPORTS.replace(' get', '')]: undefined,
      [GET]: undefined,
      'paths /contacts/{id}/imports': { get: at(IMPORTS) },
    },
  },
  'listAutomations requires `status`: only path parameters may be required.': {
    'a required query parameter': { [`${FILTER} required`]: true },
  },
  'listAutomations returns items without a required `id` with the schema `Id`: ids are UUIDs.': {
    'an id of an item that is no UUID': { [`${ITEM} properties id`]: { type: 'string', maxLength: 20 } },
  },
  'getContactImport has an `id` without the schema `ItemId`: ids are UUIDs.': {
    'an id of a get that is no UUID': { 'components parameters ContactImportId schema': { type: 'integer' } },
  },
  'listAutomations has an `after` without the schema `ItemId`: cursors are UUIDs.': {
    'a cursor that is no UUID': { 'components parameters AutomationsAfter schema': { type: 'string' } },
  },
  'listAutomations filters by `status`: the schema of a filter must be a string with an `enum`, and not nullable.': {
    'a filter by date': { [STATUS]: { type: 'string', format: 'date-time' } },
    'a filter by numbers': { [STATUS]: { type: 'integer', enum: [1, 2] } },
    'a filter that may be null': { [`${STATUS} nullable`]: true },
  },
  'listAutomations filters by `status`: the filter and the property `status` must refer to the same schema.': {
    'a filter with other values than the items': { [`${FILTER} schema`]: { type: 'string', enum: ['frozen'] } },
  },
  [notByProperty('created_since')]: {
    'a filter by no property, such as a range of dates': { [`${FILTER} name`]: 'created_since' },
  },
  [notByProperty('status')]: {
    'a filter by an optional property': {
      [`${ITEM} required`]: listAt(`${ITEM} required`).filter((it) => it !== 'status'),
    },
  },
  [notOfList('/contacts/imports/{number}')]: {
    'a get by another name': withName('/contacts/imports/{number}', 'number'),
  },
  [notOfList('/imports/{id}')]: { 'a get at a path that is no list': withName('/imports/{id}', 'id') },
  'getContactImport has the query parameter `expand`: a get supports no query parameters.': {
    'a get with a query parameter': withParameters(`${GET} get`, query('expand')),
  },
  'getContactImport does not return the schema of the items of listContactImports.': {
    'a get of other records than its list has': {
      'components responses ContactImportFound content application/json schema $ref': '#/components/schemas/Automation',
    },
  },
  '/automations has `post`: a path supports only `get`.': { 'another method': { 'paths /automations post': at(LIST) } },
  '/automations has `parameters`: a path supports only `get`.': {
    'parameters of a path': { 'paths /automations parameters': [query('page')] },
  },
  [`listAutomations has \`requestBody\`, ${UNSUPPORTED}`]: { 'a request body': { [`${LIST} requestBody`]: {} } },
  [`listAutomations has \`security\`, ${UNSUPPORTED}`]: { 'an operation without a key': { [`${LIST} security`]: [] } },
  'listAutomations has `X-Tenant`, which no handler reads: the only supported request header is `If-None-Match`.': {
    'a header that no handler reads': withParameters(LIST, { ...query('X-Tenant'), in: 'header' }),
  },
  'listAutomations has a success response other than 200 with `application/json`, which is not supported.': {
    'another success': { [`${LIST} responses 202`]: { description: 'Later.' } },
    'another type of content': { 'components responses AutomationsPage content text/csv': {} },
  },
  'listAutomations has no `after`: a list must have the query parameters `limit`, `after` and `before`.': {
    'no cursor': { [`${LIST} parameters`]: listAt(`${LIST} parameters`).toSpliced(1, 1) },
  },
  'listContactImports has an invalid `limit`: it must be an integer with a default, a minimum above 0 and a maximum.': {
    'a limit without a default': { 'components parameters ContactImportsLimit schema default': undefined },
  },
  'listAutomations does not return the list envelope: it must have exactly the properties `object`, `has_more` and `data`.':
    {
      'more than the envelope': { 'components schemas AutomationList properties total': { type: 'integer' } },
      'a single record at a path of its own': { [`${LIST} responses 200`]: at(`${GET} get responses 200`) },
    },
  'listAutomations returns items without a required `created_at` with the schema `Timestamp`: lists are ordered by it.':
    {
      'items without created_at': { [`${ITEM} properties created_at`]: undefined },
    },
  'listAutomations returns items whose schema has no `properties`: `allOf`, `oneOf` and `anyOf` are not supported.': {
    'items that are composed': { [ITEM]: { allOf: [at(ITEM)] } },
  },
  'listAutomations returns items whose schema has no `example`: the test kit builds records from it.': {
    'items without an example': { [`${ITEM} example`]: undefined },
  },
};
const CASES = Object.entries(FAULTS).flatMap(([sentence, faults]) =>
  Object.entries(faults).map(([name, changes]) => [name, changes, sentence] as const),
);

test.each(CASES)('%s', (_, changes, sentence) => {
  expect(unservable(contractWith(changes))).toEqual([sentence]);
});
