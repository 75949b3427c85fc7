/** Hover texts in editors: the contract's descriptions, and names instead of expanded types. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { contract } from '../support/app.ts';

const RECORDS = ['Automation', 'ContactImport', 'ContactProperty', 'ContactImportCounts', 'Problem'] as const;
const properties = RECORDS.flatMap((record) =>
  Object.entries(contract.schemas[record].properties ?? {}).map(
    ([name, { description = '' }]) => [`of${record}.|${name}`, description] as const,
  ),
);
interface Document {
  readonly components: { readonly parameters: Readonly<Record<string, { name: string; description: string }>> };
}
const { components } = contract.document as Document; // Linted as OpenAPI.
const parameters = ['AutomationStatusFilter', 'Limit', 'AutomationsAfter', 'AutomationsBefore'].map((it) => {
  const { name = '', description = '' } = components.parameters[it] ?? {};
  return [`options.|${name}`, description] as const;
});

const FILE = fileURLToPath(new URL('hover.example.ts', import.meta.url));
const EXAMPLE = `
import { createClient } from '../../client/index.ts';
import type { ListOptions, Page, ${RECORDS.join(', ')} } from '../../client/index.ts';
${RECORDS.map((it) => `declare const of${it}: ${it};`).join('\n')}
declare const options: ListOptions<'automations'>;
const client = createClient();
const page = await client.automations.list({ timeoutMs: 5 });
const item = page.data[0];
page.nextPage();
const imported = await client.contactImports.get('');
await client.contactImports.waitUntilEnded('', { pollMs: 5 });
${[...properties, ...parameters].map(([it]) => `${it.replace('|', '')};`).join('\n')}
`;

const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true, types: [] },
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  }),
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const text = name === FILE ? EXAMPLE : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => '',
  getDefaultLibFileName: (it) => ts.getDefaultLibFilePath(it),
  fileExists: (name) => name === FILE || ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
  directoryExists: (name) => ts.sys.directoryExists(name),
});

/** @param position a piece of the example with a `|` before the hovered name. */
function hover(position: string): { readonly shown: string; readonly text: string } {
  const at = EXAMPLE.lastIndexOf(position.replace('|', '')) + position.indexOf('|');
  const info = service.getQuickInfoAtPosition(FILE, at);
  return { shown: ts.displayPartsToString(info?.displayParts), text: ts.displayPartsToString(info?.documentation) };
}
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

test('the example compiles', () => {
  const found = [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)];
  expect(found.map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'))).toEqual([]);
  expect(properties.length + parameters.length).toBeGreaterThan(25);
});

test.each([...properties, ...parameters])('%s has the description of the contract', (position, description) => {
  expect(description).not.toBe('');
  const { shown, text } = hover(position);
  expect(words(text)).toContain(words(description));
  expect(shown).not.toMatch(/[{}&]/);
});

// Of methods and options that are the client's own, the type alone: each is a name.
test.each([
  ['client.|automations', 'Methods<"automations">'],
  ['const |page', 'Page<Automation>'],
  ['const |item', 'Automation | undefined'],
  ['const |imported', 'ContactImport'],
  ['automations.|list(', '(options?: ListOptions<"automations"> | undefined) => List<Automation>'],
  ['contactImports.|get', '(id: string, options?: CallOptions) => Call<ContactImport>'],
  ['|waitUntilEnded', '(id: string, options?: WaitOptions): Call<ContactImport>'],
  ['page.|nextPage', '(): Call<Page<Automation>>'],
  ['{ |timeoutMs', 'number | undefined'],
  ['{ |pollMs', 'number | undefined'],
])('%s is a %s, and says what it is for', (position, type) => {
  const { shown, text } = hover(position);
  expect(shown.endsWith(type)).toBe(true);
  if (!position.startsWith('const ') && position !== 'client.|automations') expect(text).toMatch(/^[A-Z].{20}/);
});
