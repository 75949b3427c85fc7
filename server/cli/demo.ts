/** `rollcall demo`: one command to a server with records that look like a real account's, or with those of a test. */
import { Command } from 'commander';
import { COLLECTIONS, commandName, pathOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Intercept } from '../http/pipeline.ts';
import { ANY_ORIGIN } from '../http/cross-origin.ts';
import type { Contract } from '../contract/document.ts';
import type { Writer } from '../store/store.ts';
import type { FaultEndpoint } from '../testing/fault-endpoint.ts';
import { byCommandName, inWords } from './counts.ts';
import type { Counts } from './counts.ts';
import { KEY_FILE, demoKey } from './demo-key.ts';
import { createKey } from './keys.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';
import { filesOf, samplesFolder } from './seed.ts';
import type { SeedFiles } from './seed.ts';
import { serveUntilStopped } from './serve.ts';
import { addSettings } from './setting-sources.ts';
import { defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { exitWithParentOption, stopSignal } from './stop-signals.ts';
import type { ExitWithParent } from './stop-signals.ts';

interface DemoOptions extends Pick<Settings, 'port' | 'host'>, ExitWithParent {
  readonly seed?: string;
  readonly key?: string;
  readonly faults?: true;
  readonly json?: true;
}

/** A demo that runs. */
interface Demo {
  readonly url: string;
  readonly key: string;
  readonly isKept: boolean;
  readonly records: Counts;
  /** Where to post faults. */
  readonly faults: string | undefined;
}

const ACCOUNT = 'demo';
// A bearer token, as RFC 6750 has it.
const KEY = /^[\w.~+/-]{1,200}=*$/;
const LOOPBACK = /^127\.|^\[::1\]$/;
// Addresses that stand for all of the machine, and one of them that a browser can open.
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);
// Of what the demo's call lists.
const LISTED = pathOf('contactImports');

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
      key: given,
      faults: isFaulty = false,
      json: isJson = false,
      exitWithParent,
    } = options;
    if (given !== undefined && !KEY.test(given)) {
      command.error(
        "error: option '--key <key>' is invalid. It must be 1 to 200 letters, digits or characters of -._~+/, with = at its end.",
      );
    }
    const files = await filesOf(seed);
    const { key, isKept } = given === undefined ? ownKey() : { key: given, isKept: false };
    const { loadContract } = await import('../contract/document.ts');
    const { fingerprintsOf } = await import('../contract/fingerprint.ts');
    const { openInMemory } = await import('../store/sqlite/open.ts');
    const contract = loadContract();
    const { store, writer } = openInMemory(fingerprintsOf(contract));
    const records = await load(contract, writer, seed, files);
    await createKey(writer, ACCOUNT, 'demo', null, key);

    const faults = isFaulty ? await openFaults(contract, key) : undefined;
    const stopped = stopSignal(false, exitWithParent);
    void stopped.then(() => faults?.stop()); // Lets go of requests that meet with one, so that nobody waits for them.
    try {
      await serveUntilStopped(
        { ...defaultSettings(), port, host, corsOrigin: [ANY_ORIGIN] },
        (listensOn) => {
          const url = reachable(listensOn);
          if (isJson) print(JSON.stringify({ url, key, records: byCommandName(records), faults: faults?.url }));
          else print(...welcome({ url, key, isKept, records, faults: faults?.url }));
          warnOfOthers(listensOn);
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

/** @returns the key of the current folder's demos. */
function ownKey(): Pick<Demo, 'key' | 'isKept'> {
  const { key, whyNotKept } = demoKey('.');
  if (whyNotKept !== undefined)
    notify(`The next demo will have another key, as this one cannot be kept: ${whyNotKept}`);
  return { key, isKept: whyNotKept === undefined };
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

/** @throws Refusal if a record is not as the contract has it; what is wrong has been written to standard error. */
async function load(contract: Contract, writer: Writer, seed: string, files: SeedFiles): Promise<Counts> {
  const { importFiles } = await import('./import-files.ts');
  const counts: Partial<Record<Collection, number>> = {};
  for (const collection of COLLECTIONS) {
    const request = {
      account: ACCOUNT,
      collection,
      files: files.get(collection) ?? [],
      replace: false,
      allowEmpty: true,
    };
    const { after, refusals } = await importFiles(writer, contract, request);
    if (refusals.length > 0) {
      notify(...refusals);
      throw new Refusal(`The records of ${seed} cannot be served; see above.`);
    }
    counts[collection] = after;
  }
  return counts as Counts; // Of each collection.
}

const HELP = `
The records are kept in memory, and are gone when it ends. Unless --key gives one, the key is the same for all demos that
are started in a folder: the first of them keeps it there, in ${KEY_FILE}. Scripts of every site may call it.

Files are named after their collections (${COLLECTIONS.map(commandName).join(', ')}), with any ending, in
any format that \`import\` reads; a collection without a file is empty. The line of --json has "url", "key", "records" and, with
--faults, "faults": post faults there, with the key, such as {"status": 503, "times": 2}; DELETE clears them.
With --exit-with-parent it ends when the program that started it does, even if that is killed: give it a pipe as standard input.

  rollcall demo --seed fixtures --key test --port 0 --faults --json --exit-with-parent`;

function welcome({ url, key, isKept, records, faults }: Demo): readonly string[] {
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
    `  curl -H 'Authorization: Bearer ${key}' '${url}${LISTED}?limit=2'`,
    '',
    ...(isKept ? [`The next demo in this folder has the same key, from ${KEY_FILE}.`] : []),
    'Ctrl-C stops the server.',
    '',
  ];
}

/** @returns an address of a server that can be opened on this machine. */
function reachable(listensOn: string): string {
  const { hostname } = new URL(listensOn);
  return listensOn.replace(hostname, LOOPBACK_OF.get(hostname) ?? hostname);
}

function warnOfOthers(listensOn: string): void {
  const { hostname } = new URL(listensOn);
  if (LOOPBACK.test(hostname)) return;
  const whom = LOOPBACK_OF.has(hostname) ? 'this machine, at any of its addresses,' : hostname;
  notify(`WARNING: whoever can reach ${whom} reads these records with the key.`);
}
