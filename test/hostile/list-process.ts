/**
 * Runs `audit`, or `conform` at every tenth seed, against hostile servers of lists: `node list-process.ts SEED COUNT`. Prints a line of JSON
 * for each seed: how it has ended, and what it must never do.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { commandsIn } from '../support/ci-commands.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder, Ran } from '../support/cli.ts';
import { shownOf } from '../support/credentials.ts';
import { Dice } from './attacks.ts';
import { startHostileList } from './list-servers.ts';
import type { ListServer } from './list-servers.ts';
import { xmlFaultOf } from './xml.ts';

/** What is known of a seed. */
export interface SeedReport {
  readonly seed: number;
  readonly code: number | null;
  /** How long the command took beyond its time limit. */
  readonly lateMs: number;
  /** The command, and what was wrong with the server. */
  readonly what: string;
  readonly faults: readonly string[];
}

/** The time limit of a command, for a server that keeps it waiting, and for others: these may be restarting, and are tried again. */
const [SLOW_SECONDS, SECONDS] = [1, 5];
const CONFORM_EVERY = 10;
const CODES = [0, 1, 3];
const FILES = ['junit.xml', 'profile.yaml'];
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~';
/** What a saved profile reads from the environment: what the user has given. */
const GIVEN = /\$\{X_API_KEY\}/g;

async function runSeeds(folder: Folder, first: number, count: number): Promise<void> {
  let visits = 0;
  const canary = createServer((socket) => {
    visits += 1;
    socket.on('error', () => undefined).destroy();
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const elsewhere = `127.0.0.1:${String((canary.address() as AddressInfo).port)}`; // It listens on a port.
  for (let seed = first; seed < first + count; seed += 1) {
    const dice = new Dice(seed);
    const key = Array.from({ length: 8 + dice.below(40) }, () => dice.one(Array.from(CHARACTERS))).join('');
    const server = await startHostileList(seed, { key, elsewhere });
    const seconds = server.isSlow ? SLOW_SECONDS : SECONDS;
    const argv = argvOf(seed, server, key, seconds);
    const started = performance.now();
    const ran = await folder.call(argv);
    const lateMs = Math.round(performance.now() - started - seconds * 1000);
    await server.close();
    const faults = faultsOf(folder, ran, key, argv.includes('--json'));
    if (visits > 0) faults.push('another server was requested');
    visits = 0;
    const report: SeedReport = { seed, code: ran.code, lateMs, what: `${String(argv[0])} at ${server.flaws}`, faults };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  canary.close();
}

/** @returns the arguments of a command: by turns with JSON, and with all that people, files and a CI get. */
function argvOf(seed: number, { url }: ListServer, key: string, seconds: number): readonly string[] {
  const isConform = seed % CONFORM_EVERY === 0;
  const isJson = Math.floor(seed / (isConform ? CONFORM_EVERY : 1)) % 2 === 0;
  const bounds = [`--timeout=${String(seconds)}`, '--max-requests=200', '--max-body=1'];
  const reports = isJson ? ['--json'] : ['--github', '--junit=junit.xml'];
  if (isConform) return ['conform', url.replace(/\/list$/, ''), `--key=${key}`, ...bounds, ...reports];
  const more = isJson ? [] : ['--verbose', '--save-profile=profile.yaml'];
  return ['audit', url, `--header=X-Api-Key: ${key}`, ...bounds, ...reports, ...more];
}

/** @returns what is wrong with what a command has printed and written. Removes its files. */
function faultsOf(folder: Folder, { code, stdout, stderr }: Ran, key: string, isJson: boolean): string[] {
  const files = new Map(
    FILES.filter((it) => existsSync(folder.path(it))).map((it) => [it, readFileSync(folder.path(it), 'utf8')]),
  );
  for (const it of files.keys()) rmSync(folder.path(it));
  const printed = `${stdout}\n${stderr}`;
  const all = [printed, ...files.values()].join('\n');
  const shown = shownOf(key, all) ?? shownOf(key, all, encodeURIComponent);
  const junit = files.get('junit.xml');
  const xmlFault = junit === undefined ? undefined : xmlFaultOf(junit);
  // The file keeps what a list has named.
  const read = `${files.get('profile.yaml') ?? ''}${isJson ? profileIn(stdout) : ''}`.replaceAll(GIVEN, '');
  return [
    ...(CODES.includes(code ?? -1) ? [] : [`exit code ${String(code)}: ${stderr.slice(-300)}`]),
    ...(isJson && !isReport(stdout) ? [`no JSON with results: ${stdout.slice(0, 300)}`] : []),
    ...(isJson || junit !== undefined ? [] : ['no JUnit']),
    ...(xmlFault === undefined ? [] : [`JUnit is no XML: ${xmlFault}`]),
    ...(shown === undefined
      ? []
      : [`${shown} of the key is shown in ${all.slice(all.indexOf(shown) - 200).slice(0, 300)}`]),
    ...commandsIn(printed).map((it) => `a command of a CI: ${it.slice(0, 300)}`),
    ...(read.includes('${') ? [`a variable that nobody has given: ${read}`] : []),
    ...(/Please report|Internal error/.test(all)
      ? [`a fault of ours: ${/.*(?:Please report|Internal error).*/.exec(all)?.[0] ?? ''}`]
      : []),
  ];
}

function isReport(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as { readonly results?: unknown }).results);
  } catch {
    return false;
  }
}

const profileIn = (text: string): string =>
  isReport(text) ? JSON.stringify((JSON.parse(text) as { readonly profile?: object }).profile ?? {}) : '';

const folder = openFolder();
try {
  await runSeeds(folder, Number(process.argv[2]), Number(process.argv[3]));
} finally {
  folder.remove();
}
