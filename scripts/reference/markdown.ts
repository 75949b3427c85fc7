/** The reference as Markdown, in the order of the page, and its index for language models, `llms.txt`. */
import { LANGUAGES } from '../../server/pages/assets/reference/samples.ts';
import type { Samples } from '../../server/pages/assets/reference/samples.ts';
import { isChapter, KEY_HEADER } from './chapters.ts';
import { readContract } from './contract.ts';
import type { Contract, Header, Operation, Response, Schema, SchemaOrReference } from './contract.ts';
import { exampleSamples } from './examples.ts';
import { inMarkdown, jsonText, ORIGIN, slug } from './markup.ts';
import { quickStart } from './quick-start.ts';
import { boundsOf, plainType, typeOf as linkedType } from './types.ts';

/** @param document the contract, with its references not resolved. */
export function renderMarkdown(document: object): string {
  const contract = readContract(document);
  const { title, version, description, tags, operations, headers, schemas, key } = contract;
  const guide = (isOwn: (title: string) => boolean): string[] =>
    contract.guide.filter((chapter) => isOwn(chapter.title)).map((chapter) => `## ${chapter.title}\n\n${chapter.text}`);
  return blocks(
    `# ${title} reference`,
    description,
    `- Version of the contract: ${version}\n- Base URL: \`${ORIGIN}\`, also in the examples. If this text comes from a server at another address, use that one.\n- Authentication: \`${KEY_HEADER}: ${key.scheme} <key>\``,
    '## Quick start',
    quickStart(contract).map(({ title: step, text, example, response }) => [
      `### ${step}\n\n${text}`,
      typeof example === 'string' ? fence('sh', example) : fences(example),
      response === undefined ? [] : ['Response:', fence('json', jsonText(response))],
    ]),
    guide((chapter) => !isChapter(chapter)),
    tags.map(({ name, description: text }) => [
      `## ${name}\n\n${text}`,
      operations.filter(({ tag }) => tag === name).map((operation) => operationText(contract, operation)),
    ]),
    guide(isChapter),
    '## Headers',
    [
      `- \`${KEY_HEADER}\` (in every request): ${key.description}`,
      ...[...headers].map(([name, header]) => headerLine(name, header)),
    ].join('\n'),
    '## Schemas',
    [...schemas].map(([name, schema]) => schemaText(contract, name, schema)),
    '## Changelog',
    contract.changelog.map(
      (release) =>
        `### ${release.version}\n\n${release.date}\n\n${release.changes.map((change) => `- ${change}`).join('\n')}`,
    ),
  );
}

/** @returns an index of the reference and of the contract, as https://llmstxt.org describes it. Its links are relative. */
export function renderLlms(document: object): string {
  const { title, description, guide, operations } = readContract(document);
  const link = (name: string, href: string, text: string): string => `- [${name}](${href}): ${text}`;
  return blocks(
    `# ${title}`,
    `> ${description}`,
    `## Documentation\n\n${[
      link(
        'Reference',
        'docs.md',
        'quick start, guide, operations, errors, headers, schemas and changelog in one Markdown file',
      ),
      link('Reference for browsers', 'docs', 'the same text as a web page, with search and forms to send requests'),
      link('OpenAPI 3.0', 'openapi.yaml', 'the contract'),
      link('OpenAPI 3.1', 'openapi-3.1.json', 'the contract as JSON'),
    ].join('\n')}`,
    `## Guide\n\n${guide.map((chapter) => link(chapter.title, `docs#${slug(chapter.title)}`, firstSentence(chapter.text))).join('\n')}`,
    `## Operations\n\n${operations
      .map((operation) =>
        link(
          operation.summary,
          `docs#${operation.id}`,
          `\`${operation.method} ${operation.path}\`. ${firstSentence(operation.description)}`,
        ),
      )
      .join('\n')}`,
  );
}

type Blocks = string | readonly Blocks[];
/** @returns the texts with a blank line between them. */
const blocks = (...parts: readonly Blocks[]): string =>
  `${flat(parts)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
const flat = (parts: Blocks): string[] => (typeof parts === 'string' ? [parts] : parts.flatMap(flat));

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const FENCES = { curl: 'sh', TypeScript: 'ts', Python: 'python', Go: 'go' } as const;
const fences = (samples: Samples): string[] =>
  LANGUAGES.flatMap((language) => [`${language}:`, fence(FENCES[language], samples[language])]);

function operationText(contract: Contract, operation: Operation): Blocks {
  const { summary, method, path, description, parameters, responses } = operation;
  const [first] = responses;
  return [
    `### ${summary}\n\n\`${method} ${path}\`\n\n${description}`,
    parameters.length === 0 ? [] : '#### Parameters',
    parameters
      .map(({ name, in: place, required = false, description: text = '', schema }) => {
        const facts = [
          typeOf(contract, schema),
          ...ownBounds(schema),
          `in: ${place}`,
          ...(required ? ['required'] : []),
        ];
        return `- \`${name}\` (${facts.join(', ')}): ${text}`;
      })
      .join('\n'),
    '#### Responses',
    responses.map((response) => responseLine(contract, response)).join('\n'),
    '#### Example',
    fences(exampleSamples(contract, operation)),
    first?.examples[0] === undefined
      ? []
      : [`Response ${first.status}:`, fence('json', jsonText(first.examples[0].value))],
  ];
}

function responseLine(contract: Contract, { status, description, schema, problems }: Response): string {
  const names = problems.map((problem) => `\`${problem}\``);
  const body = schema === undefined || names.length > 0 ? names : [typeOf(contract, schema)];
  return `- \`${status}\`${body.length === 0 ? '' : ` (${body.join(', ')})`}: ${description}`;
}

function headerLine(name: string, { description = '', schema, required = false }: Header): string {
  const facts = [
    ...('$ref' in schema ? [] : [schema.type ?? '', ...boundsOf(schema)]),
    ...(required ? [] : ['optional']),
  ];
  return `- \`${name}\` (${facts.filter(Boolean).join(', ')}): ${description}`;
}

function schemaText(contract: Contract, name: string, schema: Schema): Blocks {
  const { description = '', properties = {}, required = [], pattern, example } = schema;
  const lines = Object.entries(properties).map(([property, schemaOfProperty]) => {
    const facts = [
      typeOf(contract, schemaOfProperty),
      ...ownBounds(schemaOfProperty),
      ...(required.includes(property) ? [] : ['optional']),
    ];
    return `- \`${property}\` (${facts.join(', ')}): ${contract.schemaOf(schemaOfProperty).description ?? ''}`;
  });
  return [
    `### ${name}\n\n${[inMarkdown(plainType(contract, schema)), ...boundsOf(schema)].join(', ')}`,
    description,
    pattern === undefined ? [] : `Pattern: \`${pattern}\``,
    lines.join('\n'),
    example === undefined ? [] : ['Example:', fence('json', jsonText(example))],
  ];
}

const ownBounds = (schema: SchemaOrReference): readonly string[] => ('$ref' in schema ? [] : boundsOf(schema));

const typeOf = (contract: Contract, schema: SchemaOrReference): string => inMarkdown(linkedType(contract, schema));

/** @returns the first sentence of a text, or of its first list item, in one line. A colon at the end becomes a full stop. */
const firstSentence = (text: string): string =>
  `${(/^[\s\S]*?(?=\.\s|:\n|\.?$)/.exec(text.replace(/^- /, ''))?.[0] ?? '').replaceAll(/\s+/g, ' ')}.`;
