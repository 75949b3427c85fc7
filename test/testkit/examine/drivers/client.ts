/** The driver of our own client. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ApiError, NetworkError, createClient } from '../../../../client/index.ts';
import type { CollectionName } from '../../../../client/index.ts';

const NAMES: Readonly<Record<string, CollectionName>> = {
  automations: 'automations',
  'contact-properties': 'contactProperties',
  'contact-imports': 'contactImports',
};

const { values, positionals } = parseArgs({
  options: {
    limit: { type: 'string' },
    status: { type: 'string' },
    after: { type: 'string' },
    before: { type: 'string' },
  },
  allowPositionals: true,
});
const [task = '', what = ''] = positionals;
const client = createClient();

function print(id: string): void {
  process.stdout.write(`${id}\n`);
}

async function run(): Promise<void> {
  if (task === 'get') {
    print(JSON.stringify(await client.contactImports.get(what)));
    return;
  }
  const { limit, ...others } = values;
  const options = { ...others, ...(limit !== undefined && { limit: Number(limit) }) };
  const list = client[NAMES[what] ?? 'automations'].list(options as object); // The server judges the values.
  if (task === 'records') for (const it of (await list).data) print(JSON.stringify(it));
  else if (task === 'list') for (const it of (await list).data) print(it.id);
  else for await (const it of list) print(it.id);
}

try {
  await run();
} catch (error) {
  process.exitCode = 10;
  if (error instanceof ApiError) print(`error ${String(error.status)} ${error.problem?.name ?? 'unreadable'}`);
  else if (error instanceof NetworkError && error.status !== undefined)
    print(`error ${String(error.status)} unreadable`);
  else print('error 0 network');
}
