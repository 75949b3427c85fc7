/** The command `audit`: finds out how a list paginates, checks it, and prints what is wrong and what may be wrong. */
import process from 'node:process';
import { Command } from 'commander';
import { RULES } from '../audit/lists/audit.ts';
import type { Body } from '../audit/lists/body.ts';
import { isHttp, parseProfile, parseWay } from '../audit/lists/profile.ts';
import { ProfileError } from '../audit/lists/profile-values.ts';
import type { Given, Profile, Way } from '../audit/lists/profile.ts';
import { runAudits } from './audit-run.ts';
import type { RunOptions } from './audit-run.ts';
import { bundledFile, bundledUrl, hasOwnParts } from './bundled.ts';
import { UsageError } from './command-errors.ts';
import { ruleLines } from './findings.ts';
import { onlyOption, orUsageError, withReports, words } from './judging.ts';
import { withNetwork } from './network.ts';
import { MAX_TIMEOUT_SECONDS, numberOption, repeated } from './options.ts';
import { print } from './output.ts';
import { subjectsOf } from './subjects.ts';

const MAX_COUNT = 10_000_000;

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('Find the items that any paginated list loses or repeats, over HTTP')
    .argument('[url]', 'URL of the list, such as http://localhost:8000/orders, or a bundled profile such as stripe')
    .option('--url <url>', 'URL of the list of a bundled profile, instead of its own')
    .addOption(repeated('-H, --header <header>', "header of every request, such as 'Authorization: Bearer KEY'"))
    .option('--key <key>', 'key of every request: Authorization: Bearer KEY')
    .option('--auth <user:password>', 'user and password of Basic authentication')
    .addOption(repeated('--param <name=value>', 'parameter of every request'))
    .option('--data <body>', 'read the list by POST, with this body: a JSON object, or a form such as limit=2')
    .option('--allow-post', 'allow the POST of a --profile, whose URL must only read')
    .option('--profile <file>', 'YAML file with the pagination of the list; options override it')
    .option('--openapi <file>', 'audit every list in this OpenAPI document, below the URL')
    .option('--items <path>', "path of the items in the body, such as data or data.orders; '' is the body itself")
    .option('--id <path>', "path of the id in an item; '' is the item itself")
    .option('--size <name>', 'parameter of the page size, such as limit or {param: limit, max: 100, default: 10}')
    .option('--next <way>', 'pagination: how to get the next page, such as {token: cursor, from: meta.next}')
    .option('--previous <way>', 'how to get the previous page')
    .addOption(repeated('--page2 <url>', 'URL of the second page, which shows the pagination'))
    .option('--error-body <value>', 'mark of an error that is sent with status 200, such as {ok: false}')
    .option('--same-origin', 'fail if a link leads to another origin')
    .option('--order <keys>', 'promised order, such as -created,id')
    .addOption(repeated('--filter <name=value>', 'filter to check too, such as status=open'))
    .addOption(repeated('--sort-param <name=value>', 'sort to check too, such as sort=score; up to four'))
    .option('--get <path>', 'path of an item, such as /orders/{id}')
    .option('--other-url <url>', 'another list of the same API: this list must reject its cursors')
    .option('--other-key <key>', 'key of another account: its cursors must show none of its items')
    .addOption(repeated('--other-header <header>', 'the same, as a header'))
    .option('--rules', 'print the rules')
    .addOption(onlyOption('items.missing', 'items'))
    .option('--skip <rules>', 'skip these rules', words)
    .addOption(
      numberOption(
        '--max-requests <count>',
        'maximum number of requests (default: 1000 on loopback, otherwise 300)',
        MAX_COUNT,
        'requests',
      ),
    )
    .addOption(
      numberOption('--timeout <seconds>', 'maximum duration of the audit', MAX_TIMEOUT_SECONDS, 'seconds').default(600),
    )
    .option('--save-profile <file>', 'write the profile that was found to a new file, with ${NAME} in place of keys')
    .option('--sample', 'add a sample page with made-up values to the profile, for `fake`')
    .option('--save-items <file>', 'write every item to a new file, as one line of JSON, byte for byte')
    .option('--lists <names>', 'audit only these lists of the --profile or --openapi file, separated by commas', words)
    .option('--add <command>', 'shell command that adds an item; runs between two pages')
    .option('--remove <command>', 'shell command that removes the item {id}; runs between two pages')
    .option('--resize <command>', 'DELETES THE LIST: shell command that replaces it with {count} items')
    .option('--expect-ids <command>', 'shell command, or URL, that prints the ids of all items')
    .option('--verbose', 'print every request, and each pagination that was tried')
    .action(async (url: string | undefined, options: Options) => {
      if (options.rules === true) {
        print(
          ...ruleLines(
            'CHECKS THAT',
            RULES.map((rule) => [rule.id, rule.title]),
          ),
        );
        return;
      }
      const named = withBundled(url, options);
      await runAudits(
        subjectsOf(named.url, named.options, (at, saved) => givenBy(at, saved, options)),
        named.options,
      );
    });
  return withReports(
    withNetwork(command),
    `Sends only GET requests, and with --data or --allow-post also POST requests to the URL of the list,
one at a time, and at most five a second to other machines. It obeys Retry-After and rate limits.
Only your own commands change the list: --add, --remove and --resize. No file can set them.
It never shows keys, and of the items only ids and the values that a finding is about.`,
    'a list could not be audited completely, or kept changing',
  );
}

type Text =
  | 'key'
  | 'otherKey'
  | 'auth'
  | 'items'
  | 'id'
  | 'size'
  | 'next'
  | 'previous'
  | 'errorBody'
  | 'order'
  | 'get'
  | 'otherUrl';
type Texts = 'header' | 'param' | 'filter' | 'otherHeader' | 'sortParam';
interface Options extends RunOptions, Partial<Record<Text, string>>, Partial<Record<Texts, readonly string[]>> {
  readonly url?: string;
  readonly rules?: true;
  readonly sameOrigin?: true;
  readonly allowPost?: true;
}

/** @returns the URL and the options, with the file of a bundled profile that the argument names. @throws UsageError */
function withBundled(
  argument: string | undefined,
  options: Options,
): { readonly url?: string; readonly options: Options } {
  const file = argument === undefined ? undefined : bundledFile(argument);
  if (argument === undefined || file === undefined) {
    if (options.url !== undefined) throw new UsageError('--url needs the name of a bundled profile, such as stripe');
    return { ...(argument !== undefined && { url: argument }), options };
  }
  if (options.profile !== undefined || options.openapi !== undefined)
    throw new UsageError(`${argument} is a bundled profile: leave --profile and --openapi out`);
  const { url = bundledUrl(file) } = options;
  if (hasOwnParts(url)) throw new UsageError(`the profile ${argument} needs your URL: --url ${url}`);
  return { url, options: { ...options, profile: file } };
}

/** @returns what the user says of a list, in a file and in options. @throws UsageError */
function givenBy(url: string | undefined, saved: Partial<Profile>, options: Options): Given {
  const { auth, items, id, next, previous, size, errorBody, order, get, otherUrl, filter, data, sortParam } = options;
  const at = url ?? saved.url;
  if (at === undefined) throw new UsageError('missing the URL of the list, as an argument or as `url` of --profile');
  if (!isHttp(at)) throw new UsageError('the URL of a list is like http://localhost:8000/orders');
  if (saved.method === 'POST' && data === undefined && options.allowPost !== true)
    throw new UsageError('the profile reads by POST: add --allow-post if a POST to its URL changes nothing');
  const headers = { ...saved.headers, ...headersIn(options.header, options.key, '--key') };
  const otherHeaders = headersIn(options.otherHeader, options.otherKey, '--other-key');
  const other = {
    ...saved.other,
    ...inYaml('other', otherUrl && `{ url: ${JSON.stringify(otherUrl)} }`, 'other-url').other,
    ...(Object.keys(otherHeaders).length > 0 && { headers: otherHeaders }),
  };
  for (const [name, value] of [...Object.entries(headers), ...Object.entries(other.headers ?? {})]) {
    // Node would print the value.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new UsageError(`the header ${JSON.stringify(name)} has a character that a header cannot have`);
  }
  const hasUser = auth !== undefined || new URL(at).username !== '';
  if (hasUser && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    throw new UsageError('an Authorization header and a user cannot be combined');
  const origin = options.sameOrigin === true ? 'same' : undefined;
  const given = Object.entries({ auth, items, id, origin }).filter(([, it]) => it !== undefined);
  return {
    ...saved,
    ...Object.fromEntries(given),
    ...(next !== undefined && { next: wayIn('next', next) }),
    ...(previous !== undefined && { previous: wayIn('previous', previous) }),
    ...(data !== undefined && postOf(data)),
    ...inYaml('size', size),
    ...inYaml('error', errorBody, 'error-body'),
    ...inYaml('order', order),
    ...inYaml('get', get && JSON.stringify(get)),
    ...inYaml('sorts', sortParam && JSON.stringify(sortParam), 'sort-param'),
    ...(filter && { filter: pairs(filter, '=', 'filter') }),
    ...(Object.keys(other).length > 0 && { other }),
    url: at.replace(/#.*$/, ''),
    headers,
    params: { ...saved.params, ...pairs(options.param, '=', 'parameter') },
  };
}

/** @returns headers, with a key as one. @throws UsageError if both name the same header. */
function headersIn(
  texts: readonly string[] | undefined,
  key: string | undefined,
  option: string,
): Readonly<Record<string, string>> {
  const headers = pairs(texts, ':', 'header');
  if (key === undefined) return headers;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    throw new UsageError(`an Authorization header and ${option} cannot be combined`);
  return { ...headers, Authorization: `Bearer ${key}` };
}

const wayIn = (key: 'next' | 'previous', text: string): Way =>
  orUsageError(ProfileError, `--${key} is invalid: `, () => parseWay(key, text));

/** @returns what --data says of a list. @throws UsageError */
function postOf(data: string): Pick<Given, 'method' | 'body'> {
  if (!data.trimStart().startsWith('{')) return { method: 'POST', body: data };
  try {
    return { method: 'POST', body: JSON.parse(data) as Body }; // An object, by its first character.
  } catch {
    throw new UsageError(`--data must be a JSON object such as '{"limit": 2}', or a form such as limit=2`);
  }
}

/** @returns what an option says in YAML of a key of profiles. */
const inYaml = (key: keyof Profile, text: string | undefined, option: string = key): Partial<Profile> =>
  text === undefined
    ? {}
    : orUsageError(ProfileError, `--${option} is invalid: `, () => parseProfile(`${key}: ${text}`, process.env));

/** @returns names and values. Commander would print the value of a wrong argument, which may be a key. */
function pairs(texts: readonly string[] = [], mark: string, what: string): Readonly<Record<string, string>> {
  const known = new Set<string>();
  const all = texts.map((it): [string, string] => {
    const at = it.indexOf(mark);
    if (at < 1) throw new UsageError(`a ${what} is a name, \`${mark}\` and a value`);
    const name = it.slice(0, at).trim();
    const key = what === 'header' ? name.toLowerCase() : name;
    if (known.has(key)) throw new UsageError(`the ${what} ${JSON.stringify(name)} is given twice`);
    known.add(key);
    return [name, it.slice(at + 1).trim()];
  });
  return Object.fromEntries(all);
}
