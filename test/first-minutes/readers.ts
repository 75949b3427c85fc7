/** What three of README.md's readers do in their first minutes. The fourth, the operator, has a file of his own. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parse } from 'yaml';
import { recordsOf } from '../conform/records.ts';
import { ROOT } from '../support/project.ts';
import { spansOf, textOf } from '../support/docs.ts';
import { HOME } from './machine.ts';
import { ADDRESS, copy, copyLines, withKeys } from './reader.ts';
import type { Reader } from './reader.ts';

const PROJECT = `${HOME}/project`;
const GREEN = /^\d{3} rules passed, 0 failed, \d+ not checked\.$/m;

/** README.md, Start: installs the packages and starts the demo. @returns the key that the demo prints. */
async function startDemo(reader: Reader): Promise<string> {
  const [install = '', demo = '', ...others] = copyLines('README.md', 'Start');
  assert.deepEqual(others, []);
  await reader.run('mkdir project');
  await reader.run(install, { cwd: PROJECT });
  const { match } = await reader.start(demo, /Bearer (\S+)' '(http:\/\/[^/]+)/, { cwd: PROJECT });
  const [, key = '', url] = match;
  assert.equal(url, ADDRESS);
  return key;
}

/** Gets a first response, then runs the programs of README.md and of the client's page. */
export async function consumeApi(reader: Reader): Promise<void> {
  const key = await startDemo(reader);
  const [command = '', ...shown] = copyLines('README.md', 'Start', 'console');
  assert.equal(await reader.run(withKeys(command.replace(/^\$ /, ''), key)), shown.join('\n'));

  const [use = ''] = copy('README.md', 'Use the API', 'ts');
  await reader.runProgram(withKeys(use, key), PROJECT);
  const [suite = ''] = copy('README.md', 'Test against it', 'ts');
  assert.match(await reader.runProgram(suite, PROJECT), /^\S pass 1$/m);

  const contract = /\n## Download the contract\n(.*?)\n## /s.exec(textOf('docs/contract.md'))?.[1] ?? '';
  const paths = new Set([...contract.matchAll(/`(?:GET )?(\/[\w.-]+)`/g)].map(([, it = '']) => it));
  assert.ok(paths.size > 3);
  for (const it of paths) await reader.run(`curl --silent --show-error --fail --output /dev/null ${ADDRESS}${it}`);
  await reader.run(`curl --silent ${ADDRESS}/openapi.yaml | cmp - node_modules/rollcall/openapi.yaml`, {
    cwd: PROJECT,
  });

  for (const heading of ['Client', 'Lists', 'Responses', 'Errors', 'Limits, retries and headers']) {
    for (const it of copy('docs/client.md', heading, 'ts')) await reader.runProgram(withKeys(it, key), PROJECT);
  }
}

/** The generators that the team tries, by their row of docs/codegen.md, with what else their code needs, and a program that uses it. */
const GENERATORS: Readonly<Record<string, { readonly needs: string; readonly program: string }>> = {
  'openapi-typescript': {
    needs: 'openapi-fetch@0.17.0',
    program: `import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi.ts';
const client = createClient<paths>({ baseUrl: '${ADDRESS}', headers: { Authorization: 'Bearer rollcall_…' } });
const { data } = await client.GET('/automations', { params: { query: { status: 'enabled', limit: 2 } } });
const names: string[] | undefined = data?.data.map((it) => it.name);
console.log(names?.length);
`,
  },
  'hey-api': {
    needs: '',
    program: `import { client } from './generated/client.gen.ts';
import { listAutomations } from './generated/index.ts';
client.setConfig({ baseUrl: '${ADDRESS}', auth: 'rollcall_…' });
const { data } = await listAutomations({ query: { status: 'enabled', limit: 2 } });
const names: string[] | undefined = data?.data.map((it) => it.name);
console.log(names?.length);
`,
  },
};
const COMPILER = ['typescript', '@types/node'];

/** Downloads the contract from the demo, generates two clients, compiles them, and sends a request with each. */
export async function generate(reader: Reader): Promise<void> {
  const key = await startDemo(reader);
  const page = textOf('docs/codegen.md');
  const commands = copyLines('docs/codegen.md', 'Commands');
  const { devDependencies: versions } = JSON.parse(textOf('package.json')) as {
    devDependencies: Record<string, string>;
  };
  const compiler = COMPILER.map((it) => `${it}@${versions[it] ?? ''}`).join(' ');
  for (const [row, { needs, program }] of Object.entries(GENERATORS)) {
    // The version of the table, and the command that ends with the name of the row.
    const cells = new RegExp(`^\\| \\[\`${row}\`\\]\\S+ +\\| (\\S+?)(?:,.*?)? +\\| (\\S+) `, 'm').exec(page);
    const [, tool = '', version = ''] = cells ?? [];
    assert.match(version, /^\d+\.\d+\.\d+$/, `docs/codegen.md has no row ${row}.`);
    const command = commands.find((it) => it.endsWith(` # ${row}`)) ?? '';
    const [, contract = ''] = /(openapi[\w.-]*\.(?:json|yaml))/.exec(command) ?? [];
    const cwd = `${HOME}/${row}`;
    await reader.run(`mkdir ${row}`);
    await reader.run(`npm install --no-audit --no-fund --loglevel=error ${tool}@${version} ${compiler} ${needs}`, {
      cwd,
    });
    await reader.run(`curl --silent --show-error --fail --remote-name ${ADDRESS}/${contract}`, { cwd });
    await reader.run(command, { cwd });
    reader.machine.write('program.mts', withKeys(program, key));
    const options =
      '--strict --skipLibCheck --target es2023 --module nodenext --rewriteRelativeImportExtensions --outDir out';
    await reader.run(`mv ~/program.mts . && npx --no-install tsc ${options} --types node program.mts`, { cwd });
    assert.equal(await reader.run('node out/program.mjs', { cwd }), '2\n');
  }
}

/** Where the implementation of the contract tester is; the pages have another address. */
const IMPLEMENTATION = { port: 4000, control: 4001, pages: /https:\/\/api\.example\.com|"\$API_URL"/g } as const;

/** Tests the demo as README.md does, then an implementation as docs/conform.md does. */
export async function testContract(reader: Reader): Promise<void> {
  const key = await startDemo(reader);
  const inProject = { cwd: PROJECT };
  const [prove = '', ...others] = copyLines('README.md', 'Prove your implementation');
  assert.deepEqual(others, []);
  assert.match(await reader.run(withKeys(prove, key), inProject), GREEN);
  assert.match(reader.machine.read('project/report.xml'), /^<\?xml/);

  // The reader has an implementation with two accounts: another demo stands for it.
  const url = `http://127.0.0.1:${String(IMPLEMENTATION.port)}`;
  const control = `http://127.0.0.1:${String(IMPLEMENTATION.control)}`;
  const ports = `--port ${String(IMPLEMENTATION.port)} --control-port ${String(IMPLEMENTATION.control)}`;
  await reader.start(
    `npx --no-install rollcall demo ${ports} --control --control-key control --key key-1 --json`,
    /^\{.*\n/,
    inProject,
  );
  reader.machine.write(
    'other.json',
    JSON.stringify({ name: 'other', apiKey: 'key-2', records: recordsOf('other', 30) }),
  );
  await reader.run(
    `curl --silent --show-error --fail -H 'Authorization: Bearer control' ${control}/accounts -d @$HOME/other.json`,
  );

  const conform = (command: string, code = 0): Promise<string> => {
    const filled = withKeys(command, 'key-1', 'key-2').replaceAll(IMPLEMENTATION.pages, url);
    assert.doesNotMatch(filled, /…|example\.com/);
    return reader.run(filled.replace(/^rollcall /, 'npx --no-install rollcall '), { ...inProject, code });
  };
  const page = 'docs/conform.md';
  const [first = ''] = copyLines(page, 'Test any implementation of the contract');
  assert.match(await conform(first), GREEN);
  const [write = '', read = ''] = copyLines(page, 'Known failures');
  assert.match(await conform(write), GREEN);
  assert.match(await conform(read), GREEN);
  assert.match(reader.machine.read('project/known-failures.txt'), /^# Known failures of rollcall conform/);

  const [block = ''] = copy(page, 'In CI', 'yaml');
  const [step] = parse(block) as { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  const tarball = /\.\/(\S+\.tgz)/.exec(step?.run ?? '')?.[1] ?? '';
  await reader.run(`cp ../rollcall/${tarball} .`, inProject);
  // The job has installed the package at its end, which needs the Internet; the run of it does not.
  const variables = Object.keys(step?.env ?? {}).map((name, at) => `${name}=key-${String(at + 1)}`);
  await reader.run(`npx --yes --package ./${tarball} rollcall --version`, inProject);
  const offline = (step?.run ?? '').replace('npx --yes', 'npx --yes --offline');
  assert.match(await conform(`env ${variables.join(' ')} ${offline}`), GREEN);

  const [har = '', ...shown] = copyLines('docs/har.md', 'Check captured traffic', 'console');
  reader.machine.copy(join(ROOT, 'test/fixtures/capture.har'), 'project/capture.har');
  assert.equal(await conform(har.replace(/^\$ /, ''), 1), `\n${shown.join('\n')}\n`);
}

/** The command with which README.md creates the tarballs in a clone. */
export const packCommand = (): string => spansOf('README.md').find((it) => it.startsWith('npm ci && npm pack ')) ?? '';
