/**
 * Examines public clients that page. `node lab/clients/run.ts [client...]` installs those that are named, or all, runs each twice, and prints
 * what happened; `--write` writes docs/clients.md, and `--resume` goes on after a run that was interrupted. The rules about keys are skipped: what leaks is for the makers first.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Result } from '../../audit/rules/rule.ts';
import { ROOT } from '../../test/support/project.ts';
import { goneFaults, page } from './page.ts';
import type { Examined } from './page.ts';
import { CLIENTS } from './rows.ts';
import type { Client } from './rows.ts';

const SKIPPED = 'key,redirect.host,redirect.port,link.host,link.port';
/** It is kept, so that the next run installs nothing. */
const FOLDER = join(tmpdir(), 'rollcall-clients');

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, resume: { type: 'boolean', default: false } },
});
const clients = CLIENTS.filter(({ name }) => named.length === 0 || named.includes(name));
if (clients.length < named.length || (options.write && named.length > 0)) {
  print(
    options.write ? '--write needs all clients.' : `The clients are ${CLIENTS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
await install();
const examined: Examined[] = [];
const saved = join(FOLDER, 'examined.json');
if (options.resume) examined.push(...(JSON.parse(await readFile(saved, 'utf8')) as Examined[])); // Written below.
for (const client of clients.slice(examined.length)) {
  const started = performance.now();
  examined.push({ client, runs: [await examine(client), await examine(client)] });
  await writeFile(saved, JSON.stringify(examined));
  print(`${client.name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
const written = await page(examined, new Date());
print(written);
const gone = goneFaults(examined);
if (gone.length > 0) {
  print(`These are no faults any more: ${gone.join(', ')}`);
  process.exitCode = 1;
} else if (options.write) await writeFile(join(ROOT, 'docs/clients.md'), written);

/** Installs the packages of the clients, if they are not there, and copies their programs. */
async function install(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const of = (language: Client['language'], mark: string): readonly string[] =>
    clients
      .filter((client) => client.language === language)
      .flatMap((it) => [`${it.package}${mark}${it.version}`, ...(it.needs === undefined ? [] : [it.needs])]);
  await writeFile(join(FOLDER, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...of('Node', '@'));
  if (!existsSync(join(FOLDER, 'venv'))) await run('python3', '-m', 'venv', 'venv');
  const python = of('Python', '==');
  if (python.length > 0) await run('venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', ...python);
  for (const client of clients)
    await copyFile(join(import.meta.dirname, 'programs', fileOf(client)), join(FOLDER, fileOf(client)));
}

async function run(command: string, ...words: readonly string[]): Promise<void> {
  const [code] = (await once(spawn(command, words, { cwd: FOLDER, stdio: 'inherit' }), 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
}

function fileOf({ name, language }: Client): string {
  return `${name}.${language === 'Node' ? 'mjs' : 'py'}`;
}

async function examine(client: Client): Promise<readonly Result[]> {
  const program = [client.language === 'Node' ? process.execPath : 'venv/bin/python', fileOf(client)];
  const words = ['examine', client.profile, '--json', '--skip', SKIPPED, '--', ...program];
  const child = spawn(process.execPath, [join(ROOT, 'cli/main.ts'), ...words], {
    ...{ cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const [json, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  if (code !== 0 && code !== 1) throw new Error(`rollcall examine ended with ${String(code)}: ${client.name}`);
  return (JSON.parse(json) as { results: readonly Result[] }).results; // Written by our own program.
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
