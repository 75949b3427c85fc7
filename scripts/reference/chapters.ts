/** The parts of the page that all operations share: the guide, errors, headers, schemas and the changelog. */
import type { Contract, Example, Header, Response, Schema } from './contract.ts';
import { anchors, fold, h, heading, jsonCode, term } from './markup.ts';
import type { Markup, Prose } from './markup.ts';
import { propertyTerms } from './properties.ts';
import { boundsOf, carriersOf, facts, plainType } from './types.ts';

/** The chapters that show parts of all operations. Each begins with the guide's text of the same title, if there is one. */
export const CHAPTERS = ['Errors', 'Headers', 'Schemas', 'Changelog'] as const;

/** The header that carries the key, whatever its scheme. */
export const KEY_HEADER = 'Authorization';

export const isChapter = (title: string): boolean => CHAPTERS.some((chapter) => chapter === title);

export function guideSection(contract: Contract, prose: Prose): Markup {
  const chapters = contract.guide.filter(({ title }) => !isChapter(title));
  return h(
    'section',
    { class: 'chapter guide', 'aria-labelledby': 'guide' },
    heading(2, 'guide', 'Guide'),
    chapters.map(({ title, text }) => [
      heading(3, anchors.chapter(title), title, { kind: 'guide' }),
      prose.block(text),
    ]),
  );
}

/** One of `CHAPTERS`, with the guide's text of the same title. */
export function chapterSection(contract: Contract, prose: Prose, title: (typeof CHAPTERS)[number]): Markup {
  const id = anchors.chapter(title);
  const text = contract.guide.find((chapter) => chapter.title === title)?.text;
  const content = { Errors: errors, Headers: headers, Schemas: schemas, Changelog: changelog }[title](contract, prose);
  return h(
    'section',
    { class: 'chapter', 'aria-labelledby': id },
    heading(2, id, title, { kind: 'chapter' }),
    text === undefined ? undefined : prose.block(text),
    content,
  );
}

/** The error responses: names, statuses and examples. */
function errors({ responses }: Contract, prose: Prose): Markup {
  const unique = uniqueBy(
    responses.filter(({ problems }) => problems.length > 0),
    ({ name }) => name,
  );
  return h(
    'dl',
    { class: 'terms' },
    unique.flatMap((problem) => errorTerms(prose, problem)),
  );
}

function errorTerms(prose: Prose, { status, description, problems, examples }: Response): Markup[] {
  const shown = examples.map(({ summary, value }) => [
    summary === undefined ? undefined : h('p', { class: 'caption' }, prose.inline(summary)),
    jsonCode(value),
  ]);
  return [
    ...problems.map((name) => term(anchors.error(name), name, { kind: `error ${status}` }, facts(status))),
    h('dd', null, prose.inline(description), fold(examples.length > 1 ? 'Examples' : 'Example', shown)),
  ];
}

function headers({ headers: all, responses, key }: Contract, prose: Prose): Markup {
  const authorization = [
    term(anchors.header(KEY_HEADER), KEY_HEADER, { kind: 'header' }, facts(`${key.scheme} <key>`, 'in every request')),
    h('dd', null, prose.inline(key.description), pattern({ pattern: key['x-key-pattern'] })),
  ];
  return h(
    'dl',
    { class: 'terms' },
    authorization,
    [...all].flatMap(([name, header]) => headerTerm(prose, name, header, carriersOf(name, responses))),
  );
}

function headerTerm(
  prose: Prose,
  name: string,
  { description = '', required = false, schema, ...rest }: Header,
  carriers: string,
): Markup[] {
  const plain = '$ref' in schema ? {} : schema;
  const examples = [
    ...(rest.example === undefined ? [] : [{ value: rest.example }]),
    ...Object.values(rest.examples ?? {}),
  ];
  return [
    term(
      anchors.header(name),
      name,
      { kind: 'header' },
      facts(plainTypeOf(plain), ...boundsOf(plain), `in ${carriers}`, required ? undefined : 'optional'),
    ),
    h(
      'dd',
      null,
      prose.inline(description),
      pattern(plain),
      examples.map((example) => exampleLine(example)),
    ),
  ];
}

function schemas(contract: Contract, prose: Prose): Markup[] {
  return [...contract.schemas].map(([name, schema]) => schemaSection(contract, prose, name, schema));
}

function schemaSection(contract: Contract, prose: Prose, name: string, schema: Schema): Markup {
  const { description = '', properties, example } = schema;
  const id = anchors.schema(name);
  const words = [
    heading(3, id, name, { kind: 'schema' }),
    h('p', { class: 'line' }, facts(plainType(contract, schema), ...boundsOf(schema))),
    prose.block(description),
    pattern(schema),
  ];
  if (properties === undefined) {
    return h(
      'section',
      { class: 'schema', 'aria-labelledby': id },
      words,
      example === undefined ? undefined : exampleLine({ value: example }),
    );
  }
  return h(
    'section',
    { class: 'pair schema', 'aria-labelledby': id },
    h('div', { class: 'words' }, words, propertyTerms(contract, prose, name, schema)),
    h('div', { class: 'example' }, example === undefined ? undefined : jsonCode(example)),
  );
}

const changelog = ({ changelog: versions }: Contract, prose: Prose): Markup[] =>
  versions.map(({ version, date, changes }) => {
    const id = `version-${version}`;
    return h(
      'section',
      { class: 'version', 'aria-labelledby': id },
      heading(3, id, version, { kind: 'version of the contract' }),
      h('p', { class: 'line' }, date),
      prose.block(changes.map((change) => `- ${change}\n`).join('')),
    );
  });

const plainTypeOf = ({ type, enum: values }: Schema): string =>
  values === undefined ? (type ?? '') : `always ${values.join(' or ')}`;
const pattern = ({ pattern: text }: { readonly pattern?: string | undefined }): Markup | undefined =>
  text === undefined ? undefined : h('p', { class: 'line' }, 'Pattern ', h('code', null, text));
const exampleLine = ({ summary, value }: Example): Markup =>
  h(
    'p',
    { class: 'line' },
    summary === undefined ? 'Example ' : `${summary}: `,
    h('code', null, typeof value === 'string' ? value : JSON.stringify(value)),
  );

function uniqueBy<T>(values: readonly T[], key: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [key(value), value])).values()];
}
