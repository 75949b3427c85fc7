/**
 * Writes the generated files. With `--check`, it writes nothing and fails if a file would change. If Rollcall cannot serve the contract,
 * it prints the reasons to standard error and fails: see `servable.ts`.
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
 *
 * From the rules of `audit`, `conform` and `examine`: `docs/*-rules.md`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { modelsOf } from './models.ts';
import { renderAs31 } from './openapi-3.1.ts';
import { auditRules, conformRules, examineRules } from './rule-pages.ts';
import { unservable } from './servable.ts';

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

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
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
    'generated/models.ts': await formatted(modelsOf(types, document)),
    'generated/operations.ts': await formatted(`
      /** The path, query parameters and defaults of each operation. */
      export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations))} as const;
    `),
    'generated/document.ts': await formatted(`
      /** The contract as written, with unresolved references. */
      export const DOCUMENT: object = ${JSON.stringify(document)};
    `),
    'generated/control.ts': COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(control))),
    'generated/control-document.ts': await formatted(
      `/** The contract as written, with unresolved references. */
      export const CONTROL = ${JSON.stringify(control)} as const;`,
      'control.yaml',
    ),
    'docs/audit-rules.md': await page(auditRules()),
    'docs/conform-rules.md': await page(conformRules()),
    'docs/examine-rules.md': await page(examineRules()),
  };
}

const page = async (text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(pathOf('package.json'))), parser: 'markdown' });

const formatted = async (text: string, source = 'openapi.yaml'): Promise<string> =>
  format(headOf(source) + text, { ...(await resolveConfig(pathOf('package.json'))), parser: 'typescript' });

const document = parse(readFileSync(pathOf('openapi.yaml'), 'utf8')) as Record<string, unknown>;
const control = parse(readFileSync(pathOf('control.yaml'), 'utf8')) as object;
const reasons = unservable(document);
for (const it of reasons) process.stderr.write(`openapi.yaml: ${it}\n`);
if (reasons.length > 0) process.exit(1);
for (const [name, text] of Object.entries(await generate(document, control))) {
  const path = pathOf(name);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${name} is out of date. Run: npm run generate\n`);
    process.exitCode = 1;
  }
}
