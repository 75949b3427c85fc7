/** Hover texts in editors: the contract's descriptions, and names instead of expanded types. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const FILE = fileURLToPath(new URL('hover.example.ts', import.meta.url));
const EXAMPLE = `
import { createClient } from '../../client/index.ts';
import type { Problem } from '../../client/index.ts';
const client = createClient();
const page = await client.automations.list({ status: 'enabled', limit: 5, after: '', timeoutMs: 5 });
page.nextPage();
page.has_more;
const item = page.data[0];
item?.id;
item?.status;
const imported = await client.contactImports.get('');
imported.completed_at;
imported.counts.skipped;
client.contactImports.list({ before: '' });
await client.contactImports.waitUntilEnded('', { pollMs: 5 });
const property = (await client.contactProperties.list()).data[0];
property?.fallback_value;
declare const problem: Problem;
problem.name;
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
  const at = EXAMPLE.indexOf(position.replace('|', '')) + position.indexOf('|');
  const info = service.getQuickInfoAtPosition(FILE, at);
  return { shown: ts.displayPartsToString(info?.displayParts), text: ts.displayPartsToString(info?.documentation) };
}

test('the example compiles', () => {
  const found = [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)];
  expect(found.map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'))).toEqual([]);
});

test.each([
  ['client.|automations', '(property) automations: Methods<"automations">', ''],
  [
    'automations.|list(',
    '(property) list: (options?: ListOptions<"automations"> | undefined) => List<Automation>',
    "A page of the account's automations, newest first;",
  ],
  ['{ |status', '(property) status?: AutomationStatus | undefined', 'Answers only automations of this status.'],
  ['|limit: 5', '(property) limit?: number | undefined', 'How many items to answer at most: 1 to 100'],
  ['|after:', 'after?: ', 'The id of an automation. Answers the automations that follow it'],
  ['{ |before:', 'before?: ', 'The id of a contact import.'],
  ['|timeoutMs:', 'timeoutMs?: number | undefined', 'How long one attempt may take'],
  ['const |page', 'const page: Page<Automation>', ''],
  [
    'page.|nextPage',
    '(method) Page<Automation>.nextPage(): Call<Page<Automation>>',
    'The next page in the direction of travel',
  ],
  ['page.|has_more', 'has_more: boolean', 'Whether more items exist in the direction of travel'],
  ['const |item', 'const item: Automation | undefined', ''],
  ['item?.|id', '(property) Automation.id: string', 'A UUID in lower case.'],
  ['item?.|status', '(property) Automation.status: AutomationStatus', 'Whether the automation is switched on.'],
  [
    'contactImports.|get',
    '(property) get: (id: string, options?: CallOptions) => Call<ContactImport>',
    'One contact import by its id',
  ],
  ['const |imported', 'const imported: ContactImport', ''],
  ['imported.|completed_at', '(property) ContactImport.completed_at: CompletionTimestamp', 'When the import ended'],
  ['counts.|skipped', '(property) ContactImportCounts.skipped: number', 'Records that were skipped.'],
  [
    '|waitUntilEnded',
    'waitUntilEnded(id: string, options?: WaitOptions): Call<ContactImport>',
    'Polls an import until it is',
  ],
  ['{ |pollMs', '(property) WaitOptions.pollMs?: number | undefined', 'The pause between two requests'],
  [
    'property?.|fallback_value',
    '(property) ContactProperty.fallback_value: FallbackValue',
    'What stands in for the property',
  ],
  ['problem.|name', '(property) Problem.name: ProblemName', 'What went wrong, for programs.'],
])('%s', (position, shown, text) => {
  const seen = hover(position);
  expect(seen.shown).toContain(shown);
  expect(seen.text).toContain(text);
});
