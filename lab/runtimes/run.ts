/** Tries the packed client on every runtime that it is made for: `npm run runtimes`. Each comes from npm, at one version. */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { automation, contactImport, startRollcall } from '../../testkit/index.ts';
import { series } from '../../test/support/series.ts';
import { must, run } from '../../test/support/tester.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
const RUNTIMES = ['bun@1.4.5', 'deno@2.9.6', 'workerd@1.20261117.1'];
const WORKERD_MS = 60_000;

const NAMES = ['seven', 'six', 'five', 'four', 'three', 'two', 'one'];
const EXPECTED = {
  page: NAMES.slice(0, 5),
  isPromise: true,
  next: NAMES.slice(5),
  walked: NAMES,
  imports: true,
  waited: 'completed',
  body: 1,
  date: '2026-04-16T17:19:40.678Z',
  errors: [
    'ApiError invalid_api_key',
    'NetworkError NetworkError',
    'TimeoutError TimeoutError',
    'TypeError TypeError',
    'RangeError RangeError',
  ],
  classes: [true, true, true],
};
const WITH_ENVIRONMENT = { ...EXPECTED, fromEnvironment: true };

const folder = await mkdtemp(join(tmpdir(), 'rollcall-runtimes-'));
let at = 0;
const automations = series(NAMES.length, (it) => automation({ ...it, name: NAMES[at++] ?? '' }));
const server = await startRollcall({ automations, contactImports: [contactImport()] });
const env = { ROLLCALL_BASE_URL: server.url, ROLLCALL_API_KEY: server.apiKey };
const inFolder = (path: string): string => join(folder, 'node_modules', path);
const install = (prefix: string, ...what: string[]): Promise<void> =>
  must(['npm', 'install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', ...what], { cwd: prefix });

try {
  await cp(HERE, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await must(['npm', 'run', 'build', '--workspace', 'client'], { cwd: ROOT });
  await must(['npm', 'pack', '--ignore-scripts', '--workspace', 'client', '--pack-destination', folder], { cwd: ROOT });
  const packed = (await readdir(folder)).filter((it) => it.endsWith('.tgz')).map((it) => join(folder, it));
  await install(folder, ...packed, ...RUNTIMES);

  for (const version of NODES) await onNode(version);
  // Its own command is a script that an installation would have to run; the program lies beside it.
  const [bun = ''] = await readdir(inFolder('@oven'));
  report('Bun', await outputOf([inFolder(`@oven/${bun}/bin/bun`), 'main.mjs']), WITH_ENVIRONMENT);
  const deno = [inFolder('.bin/deno'), 'run', '--node-modules-dir=manual', '--no-prompt', '--allow-net'] as const;
  report('Deno', await outputOf([...deno, '--allow-env', 'main.mjs']), WITH_ENVIRONMENT);
  const { output } = await run([...deno, 'no-environment.mjs'], { cwd: folder, env });
  const error = 'baseUrl must be an http: or https: URL such as https://api.example.com; or set ROLLCALL_BASE_URL.';
  report('Deno without the environment', output.trim().split('\n').at(-1), error);
  report('workerd', await onWorkerd(), EXPECTED);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function onNode(version: string): Promise<void> {
  const prefix = await mkdtemp(join(folder, 'node-'));
  // With its script: that puts the program in place.
  await must(['npm', 'install', '--prefix', prefix, '--no-audit', '--no-fund', `node@${version}`], { cwd: prefix });
  report(`Node ${version}`, await outputOf([join(prefix, 'node_modules/node/bin/node'), 'main.mjs']), WITH_ENVIRONMENT);
}

/** What the program printed last: JSON. */
async function outputOf(command: readonly [string, ...string[]]): Promise<unknown> {
  const { ok, output } = await run(command, { cwd: folder, env });
  const last = output.trim().split('\n').at(-1) ?? '';
  if (!ok || !last.startsWith('{')) throw new Error(`${command.join(' ')} failed:\n${output}`);
  return JSON.parse(last);
}

async function onWorkerd(): Promise<unknown> {
  const config = await readFile(join(folder, 'workerd.capnp'), 'utf8');
  const made = config.replace('BASE_URL', server.url).replace('API_KEY', server.apiKey);
  await writeFile(join(folder, 'made.capnp'), made);
  // Its own command is a script, which would leave the program behind.
  const [workerd = ''] = await readdir(inFolder('@cloudflare'));
  const child = spawn(inFolder(`@cloudflare/${workerd}/bin/workerd`), ['serve', 'made.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: WORKERD_MS,
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => {
        reject(new Error(`workerd ended with ${String(code)}.`));
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const found = /"port":(\d+)/.exec((printed += text));
        if (found !== null) resolve(Number(found[1]));
      });
    });
    const response = await fetch(`http://127.0.0.1:${String(port)}/`, { signal: AbortSignal.timeout(WORKERD_MS) });
    const text = await response.text();
    if (!response.ok) throw new Error(`workerd responded ${text}`);
    return JSON.parse(text);
  } finally {
    child.kill('SIGKILL');
  }
}

function report(runtime: string, seen: unknown, expected: unknown): void {
  const isAlike = isDeepStrictEqual(seen, expected);
  process.stdout.write(`${isAlike ? 'passed' : 'FAILED'}  ${runtime}\n`);
  if (isAlike) return;
  process.stdout.write(`  expected ${JSON.stringify(expected)}\n  seen     ${JSON.stringify(seen)}\n`);
  process.exitCode = 1;
}
