/**
 * Writes `generated/operations.ts`: the few facts of the contract's operations that are needed at run time, and those that
 * types lose, such as which parameters have a default. With `--check` it writes nothing and fails if the file would change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

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
const OUTPUT = pathOf('generated/operations.ts');

/** @returns the text of `generated/operations.ts`. */
async function generate(): Promise<string> {
  const document = parse(readFileSync(pathOf('openapi.yaml'), 'utf8')) as object;
  const { paths } = (await $RefParser.dereference(document)) as unknown as Document; // Linted as OpenAPI; every path has a GET.
  const operations = Object.entries(paths).map(([path, { get }]) => {
    const query = (get.parameters ?? []).filter((it) => it.in === 'query');
    const defaults = query.filter((it) => it.schema.default !== undefined).map((it) => [it.name, it.schema.default]);
    const facts = { path, query: query.map((it) => it.name), defaults: Object.fromEntries(defaults) as object };
    return [get.operationId, facts] as const;
  });
  const source = `
    /** Made from openapi.yaml by \`npm run generate\`; not to be edited. */

    /** Path, names of query parameters and their defaults, by operation. */
    export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations))} as const;
  `;
  return format(source, { ...(await resolveConfig(OUTPUT)), parser: 'typescript' });
}

const made = await generate();
if (!process.argv.includes('--check')) {
  writeFileSync(OUTPUT, made);
} else if (readFileSync(OUTPUT, 'utf8') !== made) {
  process.stderr.write('generated/operations.ts is not what openapi.yaml makes of it. Run: npm run generate\n');
  process.exitCode = 1;
}
