/** OpenAPI documents of the lists of this set, for a rule that compares responses with them: with faults, and without. */
import { ALL, failed, noted, without } from './fault.ts';
import type { Expected, Fault } from './fault.ts';
import { beside } from './second-faults.ts';
import { cursorOfStyle, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { ListOptions, Style } from './server.ts';
import type { Sound } from './fault.ts';

type Schema = Record<string, unknown>;
type Version = '3.0.3' | '3.1.0';
const VERSIONS: readonly Version[] = ['3.0.3', '3.1.0'];

/** The parts of a document that a case changes. */
interface Parts {
  readonly row: { type: string; properties: Record<string, Schema>; required: string[] } & Schema;
  readonly error: Schema;
  /** The schemas beside these two. */
  readonly schemas: Record<string, Schema>;
  readonly responses: Record<string, Schema>;
  readonly operation: Schema;
  body: Schema;
  readonly version: Version;
}

const json = (schema: Schema, type = 'application/json'): Schema => ({
  description: 'A response',
  content: { [type]: { schema } },
});
const ROW = { $ref: '#/components/schemas/Row' };
const rows = { type: 'array', items: ROW };
const orNull = (version: Version, type: string): Schema =>
  version === '3.0.3' ? { type, nullable: true } : { type: [type, 'null'] };
const bodyOf = (style: Style, version: Version): Schema => {
  const total = { type: 'integer' };
  const bodies: Readonly<Record<Style, Schema>> = {
    id: { data: rows, has_more: { type: 'boolean' } },
    token: { items: rows, next_cursor: orNull(version, 'string'), total },
    url: { results: rows, next: orNull(version, 'string'), previous: orNull(version, 'string'), total },
    link: {},
    page: { items: rows, total },
    offset: { items: rows, total },
  };
  return style === 'link'
    ? rows
    : { type: 'object', properties: bodies[style], required: Object.keys(bodies[style]), additionalProperties: false };
};

/** @returns a document of the list of a style, as JSON. */
function documentOf(
  style: Style,
  version: Version = '3.0.3',
  change: (parts: Parts) => void = () => undefined,
): string {
  const parts: Parts = {
    version,
    row: {
      type: 'object',
      properties: {
        id: { type: typeof rowsOfStyle(style)[0]?.id === 'string' ? 'string' : 'integer' },
        created: { type: 'string', format: 'date-time' },
        name: { type: 'string' },
      },
      required: ['id', 'created', 'name'],
    },
    error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
    schemas: {},
    responses: { 400: json({ $ref: '#/components/schemas/Failed' }) },
    operation: {},
    body: bodyOf(style, version),
  };
  change(parts);
  const parameters = [
    { name: sizeOfStyle(style), in: 'query', schema: { type: 'integer', maximum: 50 } },
    { name: cursorOfStyle(style), in: 'query', schema: { type: 'string' } },
  ];
  return JSON.stringify({
    openapi: version,
    info: { title: 'A list', version: '1' },
    paths: {
      '/items': { get: { parameters, responses: { 200: json(parts.body), ...parts.responses }, ...parts.operation } },
    },
    components: { schemas: { Row: parts.row, Failed: parts.error, ...parts.schemas } },
  });
}

type Change = (parts: Parts) => void;

const both = (
  name: string,
  expected: Expected,
  change: Change,
  hooks: Omit<ListOptions, 'style'> = {},
): readonly Fault[] =>
  VERSIONS.map((version) => ({
    name: `token: ${version}: ${name}`,
    ...expected,
    options: { ...hooks, style: 'token' },
    document: documentOf('token', version, change),
  }));
const schema = failed('openapi.schema');

export const DOCUMENT_FAULTS: readonly Fault[] = [
  ...both('a text is a number in the document', schema, ({ row }) => {
    row.properties['name'] = { type: 'integer' };
  }),
  ...both('one item of many has null for its name', schema, () => undefined, {
    page: (page) => {
      page.rows = page.rows.map((it) => (it.id === 75 ? { ...it, name: null as unknown as string } : it));
    },
  }),
  ...both('the last cursor is null, and must be a text', schema, ({ body }) => {
    (body['properties'] as Schema)['next_cursor'] = { type: 'string' };
  }),
  ...both('a property that is not in the document, which allows no other', schema, ({ row }) => {
    delete row.properties['name'];
    row.required.splice(2, 1);
    row['additionalProperties'] = false;
  }),
  ...both('a value that is not one of an enumeration', schema, ({ row }) => {
    row.properties['name'] = {
      type: 'string',
      enum: rowsOfStyle('token')
        .slice(1)
        .map((it) => it.name),
    };
  }),
  ...both('a number is at its exclusive maximum', schema, ({ row, version }) => {
    row.properties['id'] =
      version === '3.0.3'
        ? { type: 'integer', maximum: 120, exclusiveMaximum: true }
        : { type: 'integer', exclusiveMaximum: 120 };
  }),
  ...both('a page is longer than the document allows', schema, ({ body }) => {
    (body['properties'] as Schema)['items'] = { ...rows, maxItems: 20 };
  }),
  ...both(
    'an item is on no page by number, which the document does not name',
    failed('items.missing'),
    () => undefined,
    beside(rowsOfStyle('token'), ({ start, size, rows: all }) => without(all, 80).slice(start, start + size)),
  ),
  ...both('a text does not have its pattern', schema, ({ row }) => {
    row.properties['name'] = { type: 'string', pattern: '^Row (?!77$)' };
  }),
  ...both('the body of an error is another one', schema, ({ error }) => {
    error['required'] = ['code', 'message'];
  }),
  ...both('the body of an error is another than the default one', schema, ({ responses }) => {
    delete responses['400'];
    responses['default'] = json({ type: 'array' });
  }),
  ...both('a schema behind a chain of references', schema, (parts) => {
    parts.schemas['A'] = { $ref: '#/components/schemas/B~1~0c' };
    parts.schemas['B/~c'] = { type: 'object', required: ['page'] };
    parts.body = { allOf: [parts.body, { $ref: '#/components/schemas/A' }] };
  }),
  ...both('a success that is not in the document', failed('openapi.status'), () => undefined, {
    reply: (reply) => {
      if (reply.status === 200) reply.status = 206;
    },
  }),
  ...both('an error that is not in the document', noted('openapi.status'), ({ responses }) => {
    delete responses['400'];
  }),
  ...ALL.map((style): Fault => ({
    name: `${style}: the items have a property less than in the document`,
    ...schema,
    options: { style },
    document: documentOf(style, '3.0.3', ({ row }) => {
      row.required.push('updated');
    }),
  })),
];

const sound = (
  name: string,
  change: Change,
  hooks: Omit<ListOptions, 'style'> = {},
  versions = VERSIONS,
): readonly Sound[] =>
  versions.map((version) => ({
    name: `token: ${version}: ${name}`,
    options: { ...hooks, style: 'token' },
    document: documentOf('token', version, change),
  }));
const only30 = (name: string, change: Change): readonly Sound[] => sound(name, change, {}, ['3.0.3']);

export const SOUND_DOCUMENTS: readonly Sound[] = [
  ...ALL.flatMap((style) =>
    VERSIONS.map((version): Sound => ({
      name: `${style}: ${version}: the document is right`,
      options: { style },
      document: documentOf(style, version),
    })),
  ),
  ...only30('null beside a reference, in an enumeration, and without a type', ({ body, schemas }) => {
    schemas['Cursor'] = { type: 'string' };
    (body['properties'] as Schema)['next_cursor'] = {
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/Cursor', nullable: true }],
    };
  }),
  ...only30('a reference with nullable beside it', ({ body, schemas }) => {
    schemas['Cursor'] = { type: 'string' };
    (body['properties'] as Schema)['next_cursor'] = { $ref: '#/components/schemas/Cursor', nullable: true };
  }),
  ...only30('nullable is false', ({ row }) => {
    row.properties['name'] = { nullable: false, minLength: 1 };
  }),
  ...only30('what stands beside a reference counts for nothing', ({ row, schemas }) => {
    schemas['Name'] = { type: 'string' };
    row.properties['name'] = { $ref: '#/components/schemas/Name', type: 'integer' };
  }),
  ...sound('a property that only requests have is required', ({ row }) => {
    row.properties['password'] = { type: 'string', writeOnly: true };
    row.required.push('password');
  }),
  ...sound('such a property behind a reference', ({ row, schemas }) => {
    schemas['Password'] = { type: 'string', writeOnly: true };
    row.properties['password'] = { $ref: '#/components/schemas/Password' };
    row.required.push('password');
  }),
  ...sound('formats that nobody knows, or that are meant another way', ({ row }) => {
    row.properties['name'] = { type: 'string', format: 'row-name' };
    row.properties['created'] = { type: 'string', format: 'date' };
  }),
  ...sound('patterns of other languages', ({ row }) => {
    row.properties['name'] = { type: 'string', pattern: '(?i)^row' };
    row.properties['created'] = { type: 'string', pattern: '^[\\w\\-:.]+$' };
  }),
  ...sound('oneOf with a discriminator', ({ row, schemas }) => {
    schemas['One'] = { type: 'object', required: ['name'] };
    schemas['Two'] = { type: 'object', required: ['title'] };
    row['oneOf'] = ['One', 'Two'].map((it) => ({ $ref: `#/components/schemas/${it}` }));
    row['discriminator'] = { propertyName: 'kind', mapping: { one: '#/components/schemas/One' } };
  }),
  ...sound('the media type has a parameter', ({ body, operation }) => {
    operation['responses'] = { 200: json(body, 'application/json; charset=utf-8'), default: json({}) };
  }),
  ...sound('any media type', ({ body, operation }) => {
    operation['responses'] = { '2xx': json(body, '*/*'), '4XX': { description: 'Wrong' } };
  }),
  ...sound('another media type', ({ operation }) => {
    operation['responses'] = { 200: json({ type: 'array', items: {} }, 'application/hal+json'), default: json({}) };
  }),
  ...sound('a schema that contains itself', ({ row }) => {
    row.properties['parent'] = ROW;
  }),
  ...sound('properties that are named like keywords', ({ row }) => {
    for (const name of ['default', 'enum', 'example', 'required', 'nullable', 'properties', 'items', 'type'])
      row.properties[name] = { type: 'string' };
    row['default'] = { nullable: true, $ref: 'x' };
  }),
  ...sound('examples that are wrong, and refer to files', ({ row }) => {
    row.properties['name'] = { type: 'string', example: { $ref: './name.json' } };
    row['example'] = 7;
  }),
  ...sound('words that a validator does not know', ({ row }) => {
    row['x-internal'] = true;
    row['xml'] = { name: 'row' };
    row.properties['name'] = {
      type: 'string',
      'x-faker': 'name',
      externalDocs: { url: 'https://a.example' },
    };
  }),
];
