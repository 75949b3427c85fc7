/** The calls that the reference shows are run as they stand, and get what it shows beneath them. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { ORIGIN } from '../../scripts/reference/markup.ts';
import { COLLECTIONS, operationsOf } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import { build, startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { afterFile } from '../support/after-test.ts';
import { seeded } from '../conform/records.ts';
import { textOf } from '../support/html.ts';
import { folder } from '../support/own-folder.ts';

const contract = loadContract();
const { operations } = contract;
const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
const CASES = operations.flatMap(({ id }) => LANGUAGES.map((language) => ({ id, language })));

let rollcall: TestServer;
let page: string;
beforeAll(async () => {
  rollcall = await startRollcall(seeded({}, contract));
  afterFile(() => rollcall.close());
  for (const it of COLLECTIONS) {
    const { example } =
      contract.operation(operationsOf(it).list).responses.get(200)?.content?.['application/json'] ?? {};
    const older = [build[it]({ created_at: '2000-01-01 00:00:00+00' })] as never; // Of the collection.
    if (JSON.stringify(example).includes('"has_more":true')) await rollcall.put(it, older);
  }
  // As the script of the page does; test/browser has it in a browser.
  page = (await (await fetch(`${rollcall.url}/docs`)).text()).replaceAll(ORIGIN, rollcall.url);
});

const CLIENT = new URL('../../client/index.ts', import.meta.url);

/** Takes the client from its sources, and prints values as JSON. */
const HOOKS = `
  import { registerHooks } from 'node:module';
  const client = ${JSON.stringify(CLIENT.href)};
  registerHooks({
    resolve: (name, context, next) =>
      name === '@rollcall/client' ? { url: client, shortCircuit: true } : next(name, context),
  });
  console.log = (value) => process.stdout.write(JSON.stringify(value));
`;

/** The code of a panel of the page, as somebody copies it. */
function copied(id: string, language: string): string {
  const section = page.split(`<section class="pair operation" aria-labelledby="${id}">`)[1] ?? '';
  const panel = section.split(`value="${language}"`)[1] ?? '';
  return textOf(/<pre class="code">([\s\S]*?)<\/pre>/.exec(panel)?.[1] ?? '');
}

function commandOf(language: string, text: string): readonly [string, ...string[]] {
  if (language === 'curl') return ['sh', '-c', text];
  if (language === 'Python') return ['python3', '-c', text];
  const file = folder.path('example.mts');
  writeFileSync(file, text);
  return [process.execPath, '--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(HOOKS)}`, file];
}

test.each(CASES)('$id in $language', async ({ id, language }) => {
  const text = copied(id, language);
  expect(text).toContain(rollcall.url);
  const [program, ...argv] = commandOf(language, text);
  const env = { ...process.env, ROLLCALL_API_KEY: rollcall.apiKey };
  const before = rollcall.requests.length;
  const { stdout } = await promisify(execFile)(program, argv, { env });
  expect(rollcall.requests.slice(before)).toMatchObject([{ operation: id, status: 200 }]);

  const { example } = operations.find((it) => it.id === id)?.responses.get(200)?.content?.['application/json'] ?? {};
  const isList = language === 'TypeScript' && typeof example === 'object' && example !== null && 'data' in example;
  expect(JSON.parse(stdout)).toEqual(isList ? example.data : example);
});

test('in TypeScript they compile', () => {
  const files = operations.map(({ id }) => {
    const file = folder.path(`${id}.mts`);
    writeFileSync(file, `${copied(id, 'TypeScript')}\nexport {};\n`);
    return file;
  });
  const program = ts.createProgram(files, {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
    ...{ lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
    paths: { '@rollcall/client': [fileURLToPath(CLIENT)] },
  });
  const faults = ts.getPreEmitDiagnostics(program).filter((it) => files.includes(it.file?.fileName ?? ''));
  expect(faults.map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n'))).toEqual([]);
  expect(program.getSourceFiles().map((it) => it.fileName)).toContain(fileURLToPath(CLIENT));
});

test('without a key they are rejected, so that the key they send is the one of the environment', async () => {
  const [{ id }] = operations as [(typeof operations)[0]];
  const env = { ...process.env, ROLLCALL_API_KEY: 'rollcall_nonsense' };
  const { stdout } = await promisify(execFile)('sh', ['-c', copied(id, 'curl')], { env });
  expect(JSON.parse(stdout)).toMatchObject({ statusCode: 401, name: 'invalid_api_key' });
});
