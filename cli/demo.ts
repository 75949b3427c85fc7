/** `rollcall demo`: serves realistic sample records, or the records of a test. */
import { isUtf8 } from 'node:buffer';
import { readFile, readdir, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { COLLECTIONS, commandName, pathOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { pointer } from '../contract/schema.ts';
import { ANY_ORIGIN } from '../server/http/cross-origin.ts';
import { AlteredError, JsonError, parseUnaltered } from '../import/json-text.ts';
import { isBearerToken, newKey } from '../server/store/keys.ts';
import { WrongType, WrongValue } from '../testkit/assert.ts';
import type { Control } from '../testkit/control.ts';
import type { ServerState, Snapshot } from '../testkit/server-state.ts';
import { CliError, fileError } from '../command/command-errors.ts';
import { listenError } from '../command/listen-error.ts';
import { importFiles } from './import-files.ts';
import { byCommandName, inWords } from './collections.ts';
import { notify, print } from '../command/output.ts';
import type { Counts } from './collections.ts';
import { warnIfRefused } from './refused-ports.ts';
import { serveUntilStopped } from './server-process.ts';
import { exitWithParentOption, stopSignal } from '../command/stop-signal.ts';
import type { ExitWithParent } from '../command/stop-signal.ts';
import { wholeNumber } from '../command/options.ts';
import { MAX_PORT, addSettings, defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';

interface ControlOptions {
  readonly controlHost: string;
  readonly controlPort: number;
  readonly controlKey?: string;
}

interface DemoOptions extends Pick<Settings, 'port' | 'host'>, ExitWithParent, ControlOptions {
  readonly seed?: string;
  readonly key?: string;
  readonly control?: true;
  readonly json?: true;
}

/** The values that a running demo prints. */
interface Demo {
  readonly url: string;
  readonly key: string;
  readonly records: Counts;
  /** The control API. */
  readonly control: { readonly url: string; readonly key: string } | undefined;
}

const ACCOUNT = 'demo';
const LOOPBACK = /^127\.|^\[::1\]$/;
const WILDCARDS = ['0.0.0.0', '[::]'];
// The path in the printed `curl` command.
const EXAMPLE_PATH = pathOf('contactImports');

export function demoCommand(): Command {
  const command = new Command('demo')
    .description('Serve sample records, or your own test records, from memory')
    .option(
      '--seed <path>',
      'records to serve instead of the samples: a folder with a file per collection, or a snapshot file',
    )
    .option('--key <key>', 'API key to accept instead of a new random one; not secret, for tests only')
    .option('--control', 'start the control API, with which tests in any language change records and inject faults')
    .addOption(
      new Option('--control-host <host>', 'address on which the control API listens').default('127.0.0.1', '127.0.0.1'),
    )
    .option('--control-port <port>', 'port of the control API; 0 picks a free port', wholeNumber(0, MAX_PORT), 0)
    .option('--control-key <key>', 'key of the control API (default: a random key)')
    .option('--json', 'print one line of JSON when the server is ready')
    .addOption(exitWithParentOption())
    .addHelpText('after', HELP);
  return addSettings(command, ['port', 'host']).action(async ({ port, host, ...options }: DemoOptions) => {
    const { seed = samplesFolder(), key = newKey(), json: isJson = false, exitWithParent } = options;
    for (const [name, value] of Object.entries({ key, 'control-key': options.controlKey })) {
      if (value !== undefined && !isBearerToken(value)) {
        command.error(
          `error: option '--${name} <key>' is invalid. It must be 1 to 200 letters, digits or characters of -._~+/, optionally followed by =.`,
        );
      }
    }
    const { createServerState } = await import('../testkit/server-state.ts');
    const state = createServerState();
    const read = await readSeed(seed);
    const records = await load(state, seed, read, key);

    const control = options.control && (await openControl(state, options));
    const stopped = stopSignal(false, exitWithParent);
    const stop = (): Promise<void> => {
      state.close(); // Ends the faults of requests in flight, so that draining does not wait for them.
      return control?.stop() ?? Promise.resolve();
    };
    const ended = stopped.then(stop);
    try {
      await serveUntilStopped(
        { ...defaultSettings(), port, host, corsOrigin: [ANY_ORIGIN] },
        (listensOn) => {
          const url = localUrl(listensOn);
          const shown = control && { url: localUrl(control.url), key: control.key };
          if (isJson) print(JSON.stringify({ url, key, records: byCommandName(records), control: shown }));
          else print(...welcome({ url, key, records, control: shown }));
          warnIfRefused(port);
          warnIfReachable(listensOn, 'read these records with the key');
          if (control !== undefined) warnIfReachable(control.url, 'change these records with the control key');
        },
        {
          stopped,
          database: { openStore: () => state.store, usage: noUsage },
          ...(control === undefined ? {} : { intercept: state.intercept }),
        },
      );
      await ended;
    } catch (error) {
      await stop();
      throw error;
    }
  });
}

/** A demo has no admin port, so nothing reads the usage of its database. */
const noUsage = (): never => {
  throw new Error('A demo has no metrics.');
};

interface OpenControl extends Control {
  readonly key: string;
}

/** @throws CliError if the control API cannot listen on its address. */
async function openControl(
  state: ServerState,
  { controlHost: host, controlPort: port, controlKey: key = newKey() }: ControlOptions,
): Promise<OpenControl> {
  const { startControl } = await import('../testkit/control.ts');
  try {
    return { ...(await startControl(state, key, { host, port })), key };
  } catch (error) {
    throw listenError(error, { host, port }, 'control-');
  }
}

/**
 * Loads the records into the account that the key gives access to: the first of a snapshot, or a new one.
 * @returns the number of its records in each collection.
 * @throws CliError if a record violates the contract; the errors have been printed to standard error.
 */
async function load(state: ServerState, seed: string, { files, snapshot }: Seed, apiKey: string): Promise<Counts> {
  const [name = ACCOUNT] = snapshot === undefined ? [] : Object.keys(snapshot.accounts);
  const account = await state.createAccount({ name, apiKey });
  if (snapshot !== undefined) await restore(state, seed, snapshot);
  for (const collection of COLLECTIONS) {
    const request = {
      account: name,
      collection,
      files: files.get(collection) ?? [],
      replace: false,
      allowEmpty: true,
    };
    const { errors } = await importFiles(state.writer, state.contract, request);
    if (errors.length > 0) {
      notify(...errors);
      throw new CliError(`The records in ${seed} are invalid. See above.`);
    }
  }
  await account.begin();
  const records = account.data.records();
  return Object.fromEntries(
    COLLECTIONS.map((collection) => [collection, records[collection]?.length ?? 0]),
  ) as unknown as Counts; // One for each collection.
}

/** @throws CliError if the snapshot cannot be restored. */
async function restore(state: ServerState, file: string, snapshot: Snapshot): Promise<void> {
  try {
    await state.restore(snapshot);
  } catch (error) {
    if (error instanceof WrongType || error instanceof WrongValue)
      throw new CliError(`The snapshot ${file} is invalid: ${error.message}`);
    throw error;
  }
}

const HELP = `
Records are kept in memory and are lost when the server stops. Each demo creates a new key, unless --key sets one. Scripts of
any origin may call the API.

Name the files of a --seed folder after their collections (${COLLECTIONS.map(commandName).join(', ')}),
with any extension, in any format that \`rollcall import\` reads. A collection without a file is empty.
The JSON line has "url", "key" and "records". With --control, it also has "control", with the "url" and the "key" of the
control API. The control API serves its own contract at /openapi.yaml.
--exit-with-parent stops the demo when the program that started it ends or is killed. That program must connect a pipe to
standard input.

  rollcall demo --seed fixtures --key test --port 0 --control --json --exit-with-parent`;

function welcome({ url, key, records, control }: Demo): readonly string[] {
  return [
    '',
    'Rollcall demo',
    '',
    `  console    ${url}/#key=${encodeURIComponent(key)}`,
    `  reference  ${url}/docs`,
    `  base URL   ${url}`,
    `  key        ${key}`,
    `  records    ${inWords(records).join(', ')}`,
    ...(control === undefined ? [] : [`  control    ${control.url} (key ${control.key})`]),
    '',
    'The link to the console signs you in. To call the API, run this command in another terminal:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' '${url}${EXAMPLE_PATH}?limit=1'`,
    '',
    'The next demo has a new key, unless you set one with --key.',
    'Press Ctrl-C to stop the server.',
    '',
  ];
}

/** @returns a URL of the server that works on this machine. */
function localUrl(listensOn: string): string {
  const { hostname } = new URL(listensOn);
  return WILDCARDS.includes(hostname) ? listensOn.replace(hostname, loopback(hostname)) : listensOn;
}

/** @returns a loopback address that a server of all addresses listens on. Not every machine has one of IPv6. */
const loopback = (wildcard: string): string =>
  wildcard === '[::]' && Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
    ? '[::1]'
    : '127.0.0.1';

function warnIfReachable(listensOn: string, what: string): void {
  const { hostname } = new URL(listensOn);
  if (LOOPBACK.test(hostname)) return;
  const reachable = WILDCARDS.includes(hostname) ? 'any address of this machine' : hostname;
  notify(`WARNING: anyone who can reach ${reachable} can ${what}.`);
}

/** The input of `--seed`: files by their collections, such as `automations.json`, or a snapshot. */
interface Seed {
  readonly files: ReadonlyMap<Collection, readonly string[]>;
  readonly snapshot?: Snapshot;
}

/** @throws CliError if the path cannot be read. */
async function readSeed(path: string): Promise<Seed> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return { files: await seedFiles(path) };
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CliError(`The --seed file ${path} ${fileError(error, 'read')}.`);
  });
  return { files: new Map(), snapshot: snapshotIn(path, bytes) };
}

function snapshotIn(file: string, bytes: Buffer): Snapshot {
  const reject = (why: string): never => {
    throw new CliError(`The --seed file ${file} is not a snapshot: ${why}.`);
  };
  if (!isUtf8(bytes)) return reject('it is not UTF-8 text');
  try {
    return parseUnaltered(bytes.toString('utf8')) as Snapshot; // Validated by `restore`.
  } catch (error) {
    if (error instanceof JsonError) return reject('it is not JSON');
    if (error instanceof AlteredError) return reject(`${pointer(error.path)} ${error.message}`);
    throw error;
  }
}

/** @returns the folder of the samples that Rollcall ships. */
const samplesFolder = (): string => dirname(fileURLToPath(import.meta.resolve('#samples/file')));

/**
 * @returns the files of each collection that has files. Hidden files are ignored.
 * @throws CliError if the folder cannot be read, is empty, or has a file whose name matches no collection and may be mistyped.
 */
async function seedFiles(folder: string): Promise<Seed['files']> {
  const names = (await namesIn(folder)).filter((name) => !name.startsWith('.')).sort();
  const files = new Map<Collection, string[]>();
  for (const name of names) {
    const collection = COLLECTIONS.find((known) => commandName(known) === name.split('.', 1)[0]);
    if (collection === undefined) throw new CliError(`${join(folder, name)} is not named after a collection. ${KNOWN}`);
    files.set(collection, [...(files.get(collection) ?? []), join(folder, name)]);
  }
  if (files.size === 0) throw new CliError(`${folder} contains no files. ${KNOWN}`);
  return files;
}

const KNOWN = `Name each file after its collection, with any extension: ${COLLECTIONS.map(commandName).join(', ')}.`;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new CliError(`The --seed folder ${folder} ${fileError(error, 'read')}.`);
  }
}
