/** The code that the reference shows runs as it is, and gets the responses that the reference shows. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { ORIGIN } from '../../scripts/reference/markup.ts';
import { LANGUAGES } from '../../server/pages/assets/reference/samples.ts';
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import { loadContract } from '../../contract/document.ts';
import { build, startRollcall } from '../../testkit/index.ts';
import type { Records, TestServer } from '../../testkit/index.ts';
import { afterFile } from '../../test/support/after-test.ts';
import { textOf } from '../../test/support/html.ts';
import { folder } from '../../test/support/own-folder.ts';

const contract = loadContract();
const { operations } = contract;

const CASES = operations.flatMap(({ id }) => LANGUAGES.map((language) => ({ id, language })));

/** The steps of the quick start that have code in each language. */
const STEPS = ['send-a-request', 'get-the-next-page', 'handle-errors'];

/** @returns the 200 of an operation that the page shows first. */
function exampleOf(id: string): unknown {
  const { example, examples = {} } =
    operations.find((it) => it.id === id)?.responses.get(200)?.content?.['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

/** The records that the page shows. */
const SHOWN = Object.fromEntries(
  COLLECTIONS.map((it) => [it, (exampleOf(operationsOf(it).list) as { readonly data: unknown }).data]), // A list.
) as Records;

let rollcall: TestServer;
let page: string;
beforeAll(async () => {
  rollcall = await startRollcall(SHOWN);
  afterFile(() => rollcall.close());
  for (const it of COLLECTIONS) {
    const usual = exampleOf(operationsOf(it).list);
    // More than one page of the quick start.
    const older = Array.from({ length: 120 }, () => build[it]({ created_at: '2000-01-01 00:00:00+00' })) as never; // Of the collection.
    if (JSON.stringify(usual).includes('"has_more":true')) await rollcall.put(it, older);
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
  const section = page.split(new RegExp(`<section class="pair \\w+" aria-labelledby="${id}">`))[1] ?? '';
  const panel = section.split(`value="${language}"`)[1] ?? '';
  return textOf(/<pre class="code">([\s\S]*?)<\/pre>/.exec(panel)?.[1] ?? '');
}

function commandOf(language: string, text: string): readonly [string, ...string[]] {
  if (language === 'curl') return ['sh', '-c', text];
  if (language === 'Python') return ['python3', '-c', text];
  if (language === 'Go') {
    const file = folder.path('main.go');
    writeFileSync(file, text);
    return ['go', 'run', file];
  }
  const file = folder.path('example.mts');
  writeFileSync(file, text);
  return [process.execPath, '--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(HOOKS)}`, file];
}

/** Runs the code of a panel. @returns what it prints, and the requests that it sent. */
async function run(id: string, language: string): Promise<{ stdout: string; requests: TestServer['requests'] }> {
  const text = copied(id, language);
  expect(text).toContain(rollcall.url);
  const [program, ...argv] = commandOf(language, text);
  const env = { ...process.env, ROLLCALL_API_KEY: rollcall.apiKey };
  const before = rollcall.requests.length;
  const { stdout } = await promisify(execFile)(program, argv, { env, maxBuffer: 2 ** 26 });
  return { stdout, requests: rollcall.requests.slice(before) };
}

test.each(CASES)('$id in $language', async ({ id, language }) => {
  const { stdout, requests } = await run(id, language);
  expect(requests).toMatchObject([{ operation: id, status: 200 }]);

  const example = exampleOf(id);
  const isList = language === 'TypeScript' && typeof example === 'object' && example !== null && 'data' in example;
  expect(JSON.parse(stdout)).toEqual(isList ? example.data : example);
});

describe('the quick start', () => {
  const [first] = operations as [(typeof operations)[0]]; // A list.
  const shown = (id: string): unknown => JSON.parse(copied(id, 'Response'));

  test.each(LANGUAGES)('a request in %s', async (language) => {
    const { stdout, requests } = await run('send-a-request', language);
    expect(requests).toMatchObject([{ operation: first.id, status: 200 }]);
    const body = shown('send-a-request') as { data: unknown };
    expect(JSON.parse(stdout)).toEqual(language === 'TypeScript' ? body.data : body);
  });

  test.each(['TypeScript', 'Python', 'Go'])('all pages in %s', async (language) => {
    const pageAfter = async (after: string): Promise<unknown[]> => {
      const headers = { authorization: `Bearer ${rollcall.apiKey}` };
      const response = await fetch(`${rollcall.url}${first.path}?limit=100${after}`, { headers });
      return ((await response.json()) as { data: unknown[] }).data;
    };
    const page = await pageAfter('');
    const all = [...page, ...(await pageAfter(`&after=${(page.at(-1) as { id: string }).id}`))];
    expect(all.length).toBeGreaterThan(120);
    const { stdout, requests } = await run('get-the-next-page', language);
    expect(requests.map(({ status, query }) => [status, query['limit'], 'after' in query])).toEqual([
      [200, '100', false],
      [200, '100', true],
    ]);
    const items = stdout.replaceAll('}{', '}\n{').trim().split('\n');
    expect(items.map((it) => JSON.parse(it) as unknown)).toEqual(all);
  });

  test('the next page in curl', async () => {
    const { stdout, requests } = await run('get-the-next-page', 'curl');
    const [{ id }] = (shown('send-a-request') as { data: [{ id: string }] }).data;
    expect(requests).toMatchObject([{ operation: first.id, status: 200, query: { limit: '100', after: id } }]);
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(100);
  });

  test.each(LANGUAGES)('an error in %s', async (language) => {
    const { stdout, requests } = await run('handle-errors', language);
    expect(requests).toMatchObject([{ operation: first.id, status: 422 }]);
    expect(JSON.parse(stdout)).toEqual(shown('handle-errors'));
  });
});

test('in Go they are formatted', async () => {
  const ids = [...operations.map(({ id }) => id), ...STEPS];
  for (const id of ids) writeFileSync(folder.path(`${id}.go`), `${copied(id, 'Go')}\n`);
  const { stdout } = await promisify(execFile)('gofmt', ['-l', ...ids.map((it) => folder.path(`${it}.go`))]);
  expect(stdout).toBe('');
});

test('in TypeScript they compile', () => {
  const files = [...operations.map(({ id }) => id), ...STEPS].map((id) => {
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
