/** `rollcall conform`: tests any implementation of the contract. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ConformOptions } from './conform-run.ts';
import { wholeNumber } from './option-values.ts';
import { RequiredOption } from './options.ts';

const MAX_TIMEOUT_SECONDS = 86_400;

export function conformCommand(): Command {
  return new Command('conform')
    .description('Test every rule of the contract on an implementation of it, by requests alone')
    .argument('<url>', 'its base URL, such as http://127.0.0.1:3000', parseUrl)
    .addOption(new RequiredOption('--key <key>', 'a key of an account with records').env('ROLLCALL_API_KEY'))
    .addOption(
      new Option('--key2 <key>', 'a key of another account: nothing of one exists for the other').env(
        'ROLLCALL_API_KEY2',
      ),
    )
    .option('--only <rules>', 'try these rules alone: ids such as list.order, or what they begin with, by commas', ids)
    .option('--skip <rules>', 'do not try these rules', ids)
    .option(
      '--seeded',
      'demand records for every rule, those of the examples in the contract too; say which are missing',
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long the whole run may take')
        .default(300)
        .argParser(wholeNumber(1, MAX_TIMEOUT_SECONDS, 'seconds')),
    )
    .option('--json', 'print the results as JSON instead of a tree')
    .option('--junit <file>', 'also write the results to a file as JUnit XML')
    .addHelpText(
      'after',
      `
It only reads: what is sent with a key is GET and HEAD. Rules are skipped where the account lacks the records they need.
Exit code 0: no rule failed; 1: some did; 2: wrong usage; 3: it could not be tested, or not all of it with --seeded.`,
    )
    .action(async (url: string, options: ConformOptions, command: Command) => {
      const { runConform } = await import('./conform-run.ts');
      await runConform(url, options, (what) => command.error(`error: ${what}`));
    });
}

const ids = (value: string): readonly string[] => value.split(',').map((it) => it.trim());

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:3000.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    throw new InvalidArgumentError(
      'It must be scheme, host, port and path alone, without a user, a query or a fragment.',
    );
  }
  return value.replace(/\/+$/, '');
}
