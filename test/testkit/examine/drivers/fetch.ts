/** A driver on `fetch`, without retries: the shortest that is correct. */
import process from 'node:process';
import { parseArgs } from 'node:util';

const { ROLLCALL_BASE_URL: baseUrl = '', ROLLCALL_API_KEY: apiKey = '' } = process.env;
const string = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: string, status: string, after: string, before: string },
});
const [task, name = ''] = positionals;
const paths = new Map([
  ['automations', '/automations'],
  ['contact-properties', '/contact-properties'],
  ['contact-imports', '/contacts/imports'],
]);

interface Page {
  data: { id: string }[];
  has_more: boolean;
}

/** Prints an error and ends. */
function fail(status: number, error: string): never {
  process.stdout.write(`error ${String(status)} ${error}\n`);
  process.exit(10);
}

async function get<Body>(path: string): Promise<Body> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } }).catch(() =>
    fail(0, 'network'),
  );
  const body = (await response.json().catch(() => fail(response.status, 'unreadable'))) as Body & { name?: string }; // As the contract has it.
  return response.ok ? body : fail(response.status, body.name ?? 'unreadable');
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const path = paths.get(name);
if (task === 'get') {
  print(JSON.stringify(await get(`/contacts/imports/${encodeURIComponent(name)}`)));
} else if (path === undefined) {
  print('unsupported');
} else {
  const query = new URLSearchParams(values);
  const direction = values.before === undefined ? 'after' : 'before';
  for (let last: string | undefined; ;) {
    const { data, has_more: hasMore } = await get<Page>(`${path}?${query.toString()}`);
    if (!Array.isArray(data) || typeof hasMore !== 'boolean') fail(200, 'unreadable'); // It is no page.
    for (const it of data) print(task === 'records' ? JSON.stringify(it) : it.id);
    const next = data.at(direction === 'after' ? -1 : 0)?.id;
    if (task !== 'list-all' || !hasMore) break;
    if (next === undefined || next === last) fail(200, 'unreadable'); // The server does not move on.
    last = next;
    query.set(direction, next);
  }
}
