/** The command `fake`: serves the paginated list that a profile describes, right or with one of the table's scenarios. */
import { Command } from 'commander';
import { counted } from '../contract/wording.ts';
import { requestText } from '../audit/examine/verdict.ts';
import { scenariosOf, servedBy, startFake } from '../audit/fake/start.ts';
import type { Served } from '../audit/fake/start.ts';
import type { Fake, FakeOptions, SeenRequest } from '../audit/fake/types.ts';
import { ProfileError } from '../audit/lists/profile-values.ts';
import { createRedaction } from '../audit/session/redact.ts';
import { readProfile } from './bundled.ts';
import { UsageError } from './command-errors.ts';
import { listenError } from './listen-error.ts';
import { numberOption, wholeNumber } from './options.ts';
import { print, table } from './output.ts';
import { addListOptions, contentOf, listOf } from './served-list.ts';
import type { ListOptions } from './served-list.ts';
import { shellWord } from './shell.ts';
import { stopSignal } from './stop-signal.ts';

const MAX_ITEMS = 30_000;
const MAX_PORT = 65_535;
const { show } = createRedaction([]);

interface Options extends ListOptions {
  readonly scenario?: string;
  readonly scenarios?: true;
  readonly items?: number;
  readonly pageSize?: number;
  readonly host: string;
  readonly port: number;
  readonly cert?: string;
  readonly keyFile?: string;
  readonly json?: true;
}

export function fakeCommand(): Command {
  const command = new Command('fake')
    .description('Serve the paginated list of a profile, to test its clients')
    .argument('<profile>', 'YAML file that `audit --save-profile` wrote, or a bundled name such as stripe')
    .option('--scenario <name>', 'what the server does, such as body.cut (default: nothing wrong)')
    .option('--scenarios', 'print the scenarios of this list')
    .option('--items <count>', 'number of items (default: two and a half pages)', wholeNumber(0, MAX_ITEMS))
    .addOption(
      numberOption('--page-size <count>', 'page size that the client asks for (default: the maximum)', 10_000),
    );
  return addListOptions(command)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 chooses a free one', wholeNumber(0, MAX_PORT), 0)
    .option('--cert <file>', 'certificate in PEM, to serve HTTPS')
    .option('--key-file <file>', 'private key of the certificate, in PEM')
    .option('--json', 'print a line of JSON when it is ready, and one for each request')
    .addHelpText(
      'after',
      `
It does not read the environment: each \${NAME} of the profile is the key that it prints. Ctrl-C
stops it.

Exit codes:
  0  it was stopped
  2  incorrect usage, or the port is in use`,
    )
    .action(async (profile: string, options: Options) => {
      const text = readProfile(profile);
      await orUsage(profile, async () => {
        if (options.scenarios === true) print(...tableOf(servedBy(text, fakeOptions(options))));
        else await serve(text, options);
      });
    });
}

const fakeOptions = ({ cert, keyFile, scenario, items, pageSize, host, port, ...options }: Options): FakeOptions => {
  if ((cert === undefined) !== (keyFile === undefined))
    throw new UsageError('--cert and --key-file belong together: add the other one');
  const tls =
    cert === undefined || keyFile === undefined
      ? undefined
      : { cert: contentOf('cert', cert), key: contentOf('key-file', keyFile) };
  return { ...{ scenario, items, pageSize, host, port, tls }, ...listOf(options) };
};

/** @throws UsageError in place of an error of the profile, or of the address. */
async function orUsage(profile: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw error instanceof ProfileError
      ? new UsageError(`the profile ${profile} cannot be served: ${error.message}`)
      : error;
  }
}

function tableOf(served: Served): readonly string[] {
  return table(
    ['SCENARIO', 'CLIENT', 'THE SERVER'],
    scenariosOf(served).map(({ scenario, why, expect }) => [
      scenario.name,
      why === undefined ? expect : '-',
      why === undefined ? scenario.server : `does not apply: ${why}`,
    ]),
  );
}

/** Serves until a signal arrives. */
async function serve(text: string, options: Options): Promise<void> {
  const isJson = options.json === true;
  const seen = (request: SeenRequest): void => {
    print(isJson ? JSON.stringify(lineOf(request)) : show(requestText(request)));
  };
  const stopped = stopSignal(false);
  const fake = await startFake(text, { ...fakeOptions(options), seen }).catch((error: unknown) => {
    throw listenError(error, options, '', UsageError);
  });
  const { url, baseUrl, key, ids } = fake;
  if (isJson) print(JSON.stringify({ url, baseUrl, key, ids }));
  else print(...readyLines(text, fake, options));
  await stopped;
  await fake.close();
}

function readyLines(text: string, { url, key, ids }: Fake, options: Options): readonly string[] {
  const { headers = {}, auth, params = {} } = servedBy(text, fakeOptions(options)).profile;
  const all = [
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(auth === undefined ? [] : [`-u ${shellWord(auth)}`]),
  ];
  const query = new URLSearchParams(params).toString();
  const full = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
  return [
    `${counted(ids.length, 'items')}${options.scenario === undefined ? '' : `, scenario ${options.scenario}`}; the key is ${key}`,
    ['curl', ...all, shellWord(full)].join(' '),
  ];
}

const lineOf = ({ method, target, status, items, hasNext, fault, isElsewhere }: SeenRequest): object => ({
  ...{ method, target, status, items, hasNext, fault },
  ...(isElsewhere && { isElsewhere }),
});
