/**
 * Writes `generated/`. If Rollcall cannot serve the contract, it prints the reasons to standard error and fails: see `servable.ts`.
 *
 * From the contract:
 * - `generated/openapi.ts`: its types, from its rendering as OpenAPI 3.1.
 * - `generated/models.ts`: its types, to be read in an editor.
 * - `generated/operations.ts`: facts about its operations that types omit, such as the default values of parameters.
 * - `generated/document.ts`: the contract as a value, so that a server start parses no YAML.
 *
 * From the contract of the control API, `control.yaml`:
 * - `generated/control.ts`: its types.
 * - `generated/control-document.ts`: the contract as a value.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse } from 'yaml';
import { modelsOf } from './models.ts';
import { renderAs31 } from './openapi-3.1.ts';
import { unservable } from './servable.ts';
import { formatted, pathOf, writeFiles } from './write-files.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly default?: unknown };
}
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { operationId: string; parameters?: readonly Parameter[] } }>
  >;
}

const headOf = (source: string): string => `/** Generated from ${source} by \`npm run generate\`. Do not edit. */\n\n`;

/** @returns the text of each file by name. */
async function generate(document: Record<string, unknown>, control: object): Promise<Record<string, string>> {
  const { paths } = (await $RefParser.dereference(structuredClone(document))) as unknown as Document; // The linters check it as OpenAPI; every path has a GET.
  const operations = Object.entries(paths).map(([path, { get }]) => {
    const query = (get.parameters ?? []).filter((it) => it.in === 'query');
    const defaults = query.filter((it) => it.schema.default !== undefined).map((it) => [it.name, it.schema.default]);
    const facts = { path, query: query.map((it) => it.name), defaults: Object.fromEntries(defaults) as object };
    return [get.operationId, facts] as const;
  });
  const types = COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(renderAs31(document))));
  return {
    'generated/openapi.ts': types,
    'generated/models.ts': await typed(modelsOf(types, document)),
    'generated/operations.ts': await typed(`
      /** The path, query parameters and defaults of each operation. */
      export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations))} as const;
    `),
    'generated/document.ts': await typed(`
      /** The contract as written, with unresolved references. */
      export const DOCUMENT: object = ${JSON.stringify(document)};
    `),
    'generated/control.ts': COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(control))),
    'generated/control-document.ts': await typed(
      `/** The contract as written, with unresolved references. */
      export const CONTROL = ${JSON.stringify(control)} as const;`,
      'control.yaml',
    ),
  };
}

const typed = (text: string, source = 'openapi.yaml'): Promise<string> =>
  formatted(headOf(source) + text, 'typescript');

const document = parse(readFileSync(pathOf('openapi.yaml'), 'utf8')) as Record<string, unknown>;
const control = parse(readFileSync(pathOf('control.yaml'), 'utf8')) as object;
const reasons = unservable(document);
for (const it of reasons) process.stderr.write(`openapi.yaml: ${it}\n`);
if (reasons.length > 0) process.exit(1);
writeFiles(await generate(document, control));
