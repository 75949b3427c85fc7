/** `rollcall demo`: serves samples that look like the records of a real account, or the records of a test. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { COLLECTIONS, commandName, pathOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { ANY_ORIGIN } from '../http/cross-origin.ts';
import type { Intercept } from '../http/pipeline.ts';
import { openInMemory } from '../store/sqlite/open.ts';
import type { Writer } from '../store/store.ts';
import type { FaultEndpoint } from '../testing/fault-endpoint.ts';
import { KEY_FILE, demoKey } from './demo-key.ts';
import { CliError, fileError } from './errors.ts';
import { importFiles } from './import-files.ts';
import { createKey } from './keys.ts';
import { byCommandName, inWords, notify, print } from './output.ts';
import type { Counts } from './output.ts';
import { exitWithParentOption, serveUntilStopped, stopSignal } from './server-process.ts';
import type { ExitWithParent } from './server-process.ts';
import { addSettings, defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';

interface DemoOptions extends Pick<Settings, 'port' | 'host'>, ExitWithParent {
  readonly seed?: string;
  readonly key?: string;
  readonly faults?: true;
  readonly json?: true;
}

/** The values that a running demo prints. */
interface Demo {
  readonly url: string;
  readonly key: string;
  /** Whether the next demo in the folder has the same key. */
  readonly isStored: boolean;
  readonly records: Counts;
  /** The URL to post faults to. */
  readonly faults: string | undefined;
}

const ACCOUNT = 'demo';
// A bearer token as defined by RFC 6750.
const KEY = /^[\w.~+/-]{1,200}=*$/;
const LOOPBACK = /^127\.|^\[::1\]$/;
// For each wildcard address, the loopback address that a browser can open.
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);
// The path in the printed `curl` command.
const EXAMPLE_PATH = pathOf('contactImports');

export function demoCommand(): Command {
  const command = new Command('demo')
    .description(
      'Serve sample records from memory, with a key and a call to copy; or those of a test, with a known key',
    )
    .option('--seed <folder>', 'the records instead of the samples: a file for each collection, named like it')
    .option('--key <key>', `the key, instead of that in ${KEY_FILE}: for tests, as it is no secret`)
    .option('--faults', 'also open an address on loopback, to post faults to')
    .option('--json', 'print one line of JSON when it listens, for programs')
    .addOption(exitWithParentOption())
    .addHelpText('after', HELP);
  return addSettings(command, ['port', 'host']).action(async ({ port, host, ...options }: DemoOptions) => {
    const {
      seed = samplesFolder(),
      key: knownKey,
      faults: isFaulty = false,
      json: isJson = false,
      exitWithParent,
    } = options;
    if (knownKey !== undefined && !KEY.test(knownKey)) {
      command.error(
        "error: option '--key <key>' is invalid. It must be 1 to 200 letters, digits or characters of -._~+/, with = at its end.",
      );
    }
    const files = await seedFiles(seed);
    const { key, isStored } = knownKey === undefined ? folderKey() : { key: knownKey, isStored: false };
    const contract = loadContract();
    const { store, writer } = openInMemory(schemaHashes(contract));
    const records = await load(contract, writer, seed, files);
    await createKey(writer, ACCOUNT, 'demo', null, key);

    const faults = isFaulty ? await openFaults(contract, key) : undefined;
    const stopped = stopSignal(false, exitWithParent);
    void stopped.then(() => faults?.stop()); // Ends the faults of requests in flight, so that draining does not wait for them.
    try {
      await serveUntilStopped(
        { ...defaultSettings(), port, host, corsOrigin: [ANY_ORIGIN] },
        (listensOn) => {
          const url = localUrl(listensOn);
          if (isJson) print(JSON.stringify({ url, key, records: byCommandName(records), faults: faults?.url }));
          else print(...welcome({ url, key, isStored, records, faults: faults?.url }));
          warnIfReachable(listensOn);
        },
        {
          stopped,
          database: { openStore: () => store, putLastUses: () => undefined },
          ...(faults === undefined ? {} : { intercept: faults.intercept }),
        },
      );
    } finally {
      await faults?.stop();
    }
  });
}

/** @returns the key that the demos in the current folder share. */
function folderKey(): Pick<Demo, 'key' | 'isStored'> {
  const { key, notStoredReason } = demoKey('.');
  if (notStoredReason !== undefined)
    notify(`The next demo will have another key, as this one cannot be stored: ${notStoredReason}`);
  return { key, isStored: notStoredReason === undefined };
}

interface OpenFaults extends FaultEndpoint {
  readonly intercept: Intercept;
}

async function openFaults(contract: Contract, key: string): Promise<OpenFaults> {
  const { createFaults } = await import('../testing/faults.ts');
  const { startFaultEndpoint } = await import('../testing/fault-endpoint.ts');
  const { add, clear, close, intercept } = createFaults(contract);
  const { url, stop } = await startFaultEndpoint(contract, { add, clear }, key);
  let stopped: Promise<void> | undefined;
  return {
    url,
    intercept,
    stop: () => {
      close();
      return (stopped ??= stop());
    },
  };
}

/**
 * Loads the files into the store.
 * @returns the number of records of each collection.
 * @throws CliError if a record violates the contract; the errors have been printed to standard error.
 */
async function load(contract: Contract, writer: Writer, seed: string, files: SeedFiles): Promise<Counts> {
  const counts: Partial<Record<Collection, number>> = {};
  for (const collection of COLLECTIONS) {
    const request = {
      account: ACCOUNT,
      collection,
      files: files.get(collection) ?? [],
      replace: false,
      allowEmpty: true,
    };
    const { after, errors } = await importFiles(writer, contract, request);
    if (errors.length > 0) {
      notify(...errors);
      throw new CliError(`The records of ${seed} cannot be served; see above.`);
    }
    counts[collection] = after;
  }
  return counts as Counts; // Every collection has been set.
}

const HELP = `
The records are kept in memory, and are gone when it ends. Unless --key gives one, the key is the same for all demos that
are started in a folder: the first of them keeps it there, in ${KEY_FILE}. Scripts of every site may call it.

Files are named after their collections (${COLLECTIONS.map(commandName).join(', ')}), with any ending, in
any format that \`import\` reads; a collection without a file is empty. The line of --json has "url", "key", "records" and, with
--faults, "faults": post faults there, with the key, such as {"status": 503, "times": 2}; DELETE clears them.
With --exit-with-parent it ends when the program that started it does, even if that is killed: give it a pipe as standard input.

  rollcall demo --seed fixtures --key test --port 0 --faults --json --exit-with-parent`;

function welcome({ url, key, isStored, records, faults }: Demo): readonly string[] {
  return [
    '',
    'Rollcall demo',
    '',
    `  console    ${url}/`,
    `  reference  ${url}/docs`,
    `  address    ${url}`,
    `  key        ${key}`,
    `  account    ${inWords(records).join(', ')}`,
    ...(faults === undefined ? [] : [`  faults     ${faults}`]),
    '',
    'Open the console with the key, or copy this into another terminal:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' '${url}${EXAMPLE_PATH}?limit=2'`,
    '',
    ...(isStored ? [`The next demo in this folder has the same key, from ${KEY_FILE}.`] : []),
    'Ctrl-C stops the server.',
    '',
  ];
}

/** @returns a URL of the server that works on this machine. */
function localUrl(listensOn: string): string {
  const { hostname } = new URL(listensOn);
  return listensOn.replace(hostname, LOOPBACK_OF.get(hostname) ?? hostname);
}

function warnIfReachable(listensOn: string): void {
  const { hostname } = new URL(listensOn);
  if (LOOPBACK.test(hostname)) return;
  const reachable = LOOPBACK_OF.has(hostname) ? 'this machine, at any of its addresses,' : hostname;
  notify(`WARNING: anyone who can reach ${reachable} can read these records with the key.`);
}

/** The files of each collection that has files. They are named after their collection, such as `automations.json`. */
type SeedFiles = ReadonlyMap<Collection, readonly string[]>;

/** @returns the folder of the samples that Rollcall ships. */
const samplesFolder = (): string => dirname(fileURLToPath(import.meta.resolve('#samples/file')));

/**
 * @returns the files of each collection that has files. Hidden files are ignored.
 * @throws CliError if the folder cannot be read, is empty, or has a file whose name matches no collection and may be mistyped.
 */
async function seedFiles(folder: string): Promise<SeedFiles> {
  const names = (await namesIn(folder)).filter((it) => !it.startsWith('.')).sort();
  const files = new Map<Collection, string[]>();
  for (const name of names) {
    const collection = COLLECTIONS.find((it) => commandName(it) === name.split('.', 1)[0]);
    if (collection === undefined) throw new CliError(`${join(folder, name)} has the name of no collection. ${KNOWN}`);
    files.set(collection, [...(files.get(collection) ?? []), join(folder, name)]);
  }
  if (files.size === 0) throw new CliError(`${folder} has no records. ${KNOWN}`);
  return files;
}

const KNOWN = `Name files after their collections, with any ending: ${COLLECTIONS.map(commandName).join(', ')}.`;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new CliError(`The folder of --seed, ${folder}, ${fileError(error, 'read')}.`);
  }
}
