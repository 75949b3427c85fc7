/**
 * Writes `generated/`, and the profiles of this contract. If Rollcall cannot serve the contract, it prints the reasons to standard error and fails: see `servable.ts`.
 *
 * From the contract:
 * - `generated/openapi.ts`: its types, from its rendering as OpenAPI 3.1.
 * - `generated/models.ts`: its types, to be read in an editor.
 * - `generated/operations.ts`: facts about its operations that types omit, such as the default values of parameters.
 * - `audit/profiles/rollcall-*.yaml`: its lists as profiles.
 *
 * From the contract of the control API, `control.yaml`:
 * - `generated/control.ts`: the types of its schemas, and what each operation takes and returns.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';
import { modelsOf } from './models.ts';
import { renderAs31 } from './openapi-3.1.ts';
import { profilesOf } from './profiles.ts';
import type { Dereferenced } from './profiles.ts';
import { unservable } from './servable.ts';
import { formatted, pathOf, writeFiles } from './write-files.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly default?: unknown; readonly maximum?: number };
}
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { operationId: string; parameters?: readonly Parameter[] } }>
  >;
}

interface Reference {
  readonly $ref: string;
}
interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Reference } };
}
interface ControlOperation {
  readonly operationId: string;
  readonly parameters?: readonly Reference[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Partial<Content>>>;
}
interface Control {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation | readonly Reference[]>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
    readonly schemas: object;
  };
}

const headOf = (source: string): string => `/** Generated from ${source} by \`npm run generate\`. Do not edit. */\n\n`;

/** @returns the text of each file by name. */
async function generate(document: Record<string, unknown>, control: Control): Promise<Record<string, string>> {
  const dereferenced = (await $RefParser.dereference(structuredClone(document))) as unknown as Document & Dereferenced; // The linters check it as OpenAPI; every path has a GET.
  const { paths } = dereferenced;
  const operations = Object.entries(paths).map(([path, { get }]) => {
    const query = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const valuesOf = (keyword: keyof Parameter['schema']): object =>
      Object.fromEntries(query.flatMap(({ name, schema }) => (keyword in schema ? [[name, schema[keyword]]] : [])));
    const [defaults, maximums] = [valuesOf('default'), valuesOf('maximum')];
    const facts = { path, query: query.map(({ name }) => name), defaults, maximums };
    return [get.operationId, facts] as const;
  });
  const types = COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(renderAs31(document))));
  return {
    'generated/openapi.ts': types,
    'generated/models.ts': await typed(modelsOf(types, document)),
    'generated/operations.ts': await typed(`
      /** The path of each operation, and its query parameters, with their default and greatest values. */
      export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations))} as const;
    `),
    'generated/control.ts': await typed(await controlTypesOf(control), 'control.yaml'),
    ...(await profilesOf(dereferenced)),
  };
}

/** @returns the types of the schemas and parameters of the control API, and a type of the calls of its operations. */
async function controlTypesOf({ paths, components: { parameters, schemas } }: Control): Promise<string> {
  const source = { openapi: '3.0.3', info: {}, paths: {}, components: { parameters, schemas } };
  const types = (await openapiTS(JSON.stringify(source))).filter(ts.isInterfaceDeclaration); // The others are empty.
  const typeOf = ({ $ref }: Reference): string => $ref.replace('#/', '').replaceAll(/\/(\w+)/g, '["$1"]');
  const nameOf = ({ $ref }: Reference): string => parameters[$ref.replace(/.*\//, '')]?.name ?? '';
  const bodyOf = (content: Partial<Content> | undefined): string | undefined =>
    content?.content && typeOf(content.content['application/json'].schema);
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => ('operationId' in operation ? operation : [])),
  );
  const calls = operations.map(({ operationId, parameters: query = [], requestBody, responses }) => {
    const fields = query.map((parameter) => `${nameOf(parameter)}?: ${typeOf(parameter)};`);
    const [success] = Object.values(responses); // The lowest status comes first in every object.
    return `${operationId}: {
      query: ${fields.length === 0 ? 'undefined' : `{ ${fields.join(' ')} }`};
      body: ${bodyOf(requestBody) ?? 'undefined'};
      result: ${bodyOf(success) ?? 'void'};
    };`;
  });
  return `${astToString(types)}
    /** What each operation takes, and the body of its success. */
    export interface Operations { ${calls.join('\n')} }`;
}

const typed = (text: string, source = 'openapi.yaml'): Promise<string> =>
  formatted(headOf(source) + text, 'typescript');

const document = parse(readFileSync(pathOf('openapi.yaml'), 'utf8')) as Record<string, unknown>;
const control = parse(readFileSync(pathOf('control.yaml'), 'utf8')) as Control; // The linters check it as OpenAPI.
const reasons = unservable(document);
for (const reason of reasons) process.stderr.write(`openapi.yaml: ${reason}\n`);
if (reasons.length > 0) process.exit(1);
writeFiles(await generate(document, control));
