/** The options of `fake` and `examine` that say what list is served. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { FakeOptions } from '../audit/fake/types.ts';
import { UsageError, fileError } from './command-errors.ts';

export interface ListOptions {
  readonly list?: string;
  readonly url?: string;
  readonly key?: string;
  readonly basePath?: string;
  /** Files by the paths at which they are served. */
  readonly serve?: ReadonlyMap<string, string>;
}

export const addListOptions = (command: Command): Command =>
  command
    .option('--list <name>', 'list to serve, if the profile names several')
    .option('--url <url>', "URL of the list in the API, if the profile's URL has parts such as ORG")
    .option('--key <key>', 'key of the requests, in place of each ${NAME} of the profile')
    .option('--base-path <path>', 'path such as /api/v3 before all paths; ROLLCALL_BASE_URL ends with it')
    .addOption(
      new Option(
        '--serve <path=file>',
        'file to serve at another path, such as /user=user.json; may be repeated',
      ).argParser((value: string, earlier?: ReadonlyMap<string, string>) => {
        const [, path = '', file = ''] = /^(\/[^=]*)=(.+)$/.exec(value) ?? [];
        if (file === '') throw new InvalidArgumentError('It must be like /user=user.json.');
        return new Map([...(earlier ?? []), [path, file]]);
      }),
    );

/** @returns what is served. @throws UsageError for a file that cannot be read. */
export const listOf = ({ list, url, key, basePath, serve = new Map() }: ListOptions): FakeOptions => ({
  ...{ list, url, key, basePath },
  serve: Object.fromEntries([...serve].map(([path, file]) => [path, contentOf('serve', file)])),
});

/** @returns the options as they are given again. */
export const listWords = ({ list, url, key, basePath, serve = new Map() }: ListOptions): readonly string[] => [
  ...Object.entries({ list, url, key, 'base-path': basePath }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  ),
  ...[...serve].flatMap(([path, file]) => ['--serve', `${path}=${file}`]),
];

/** @returns the text of a file that an option names. @throws UsageError */
export function contentOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`the --${option} file ${file} ${fileError(error, 'read')}`);
  }
}
