/** The driver of a generated client: it runs one task of `rollcall examine`. A row's program says how, with its generated code. */
import { parseArgs } from 'node:util';

/** The parameters of a list, of which `Status` is the generated type of its filter. */
export interface Query<Status = never> {
  readonly limit?: number;
  readonly after?: string;
  readonly before?: string;
  readonly status?: Status;
}
export interface List<Item> {
  /** Of a page: what lacks it is none. */
  readonly has_more?: boolean;
  readonly data: readonly Item[];
}
interface Item {
  readonly id: string;
}
interface ContactImport extends Item {
  readonly completed_at: string | null;
  readonly counts: { readonly created: number };
}
type AutomationStatus = 'enabled' | 'disabled';
type ContactImportStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

export interface Client {
  readonly automations: (query: Query<AutomationStatus>) => Promise<List<Item>>;
  readonly contactProperties: (query: Query) => Promise<List<Item>>;
  readonly contactImports: (query: Query<ContactImportStatus>) => Promise<List<ContactImport>>;
  readonly contactImport: (id: string) => Promise<ContactImport>;
}

/** An error as the driver prints it. `0` is for no status: nothing was received, or the client does not tell. */
export class Failed extends Error {
  readonly line: string;

  constructor(status: number, name: string) {
    const line = `error ${String(status)} ${name}`;
    super(line);
    this.line = line;
  }

  /** @param body of the error response, as the client returns it: its type is a promise of the contract. */
  static response(status: number, body: unknown): Failed {
    const isProblem = typeof body === 'object' && body !== null && 'name' in body && 'statusCode' in body;
    return new Failed(status, isProblem && body.statusCode === status ? String(body.name) : 'unreadable');
  }
}

/** What `fetch`, and reading its body, reject with. @returns undefined for an error of another kind. */
export function fetchFailed(error: unknown): Failed | undefined {
  if (error instanceof SyntaxError) return new Failed(0, 'unreadable');
  return error instanceof TypeError && /^(?:fetch failed|terminated)$/.test(error.message)
    ? new Failed(0, 'network')
    : undefined;
}

/**
 * Runs the task of the command line.
 * @param connect makes a client that has a key.
 * @param failureOf what an error of the client says; without a result the program crashes with the error.
 */
export async function drive(
  connect: (baseUrl: string, key: string) => Client,
  failureOf: (error: unknown) => Failed | undefined,
): Promise<void> {
  const { ROLLCALL_BASE_URL: url = '', ROLLCALL_API_KEY: key = '' } = process.env;
  try {
    await run(connect(url, key));
  } catch (error) {
    const failed = error instanceof Failed ? error : failureOf(error);
    if (failed === undefined) throw error;
    print([failed.line]);
    process.exitCode = 10;
  }
}

async function run(client: Client): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { limit: text, status: text, after: text, before: text },
  });
  const [task, what = ''] = positionals;
  const { limit, ...others } = values;
  // The server judges the text of a filter.
  const query = { ...others, ...(limit === undefined ? {} : { limit: Number(limit) }) } as Query;
  const lists: Readonly<Record<string, (query: Query) => Promise<List<Item>>>> = {
    automations: client.automations,
    'contact-properties': client.contactProperties,
    'contact-imports': client.contactImports,
  };
  const list = lists[what];
  if (task === 'list' && list !== undefined) print(idsOf(await list(query)));
  else if (task === 'list-all' && list !== undefined) await listAll(list, query);
  else if (task === 'get') print([JSON.stringify(await client.contactImport(what))]);
  else if (task === 'records' && list !== undefined) print((await list(query)).data.map((it) => JSON.stringify(it)));
  else print(['unsupported']);
}

async function listAll(list: (query: Query) => Promise<List<Item>>, query: Query): Promise<void> {
  const isBackward = query.before !== undefined;
  let cursor = query.before ?? query.after;
  for (let hasMore = true; hasMore;) {
    const position = cursor === undefined ? {} : isBackward ? { before: cursor } : { after: cursor };
    const page = await list({ ...query, ...position });
    print(idsOf(page));
    const next = page.data.at(isBackward ? 0 : -1)?.id;
    // A server that does not move on must not keep the program for ever.
    if (page.has_more === undefined || (page.has_more && (next === undefined || next === cursor)))
      throw new Failed(200, 'unreadable');
    hasMore = page.has_more;
    cursor = next;
  }
}

const idsOf = ({ data }: List<Item>): readonly string[] => data.map(({ id }) => id);

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
