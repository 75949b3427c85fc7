/** A driver on our own client, as a user would write it. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ApiError, NetworkError, TimeoutError, createClient } from '../../../client/index.ts';

const string = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: string, status: string, after: string, before: string },
});
const [task, name = ''] = positionals;

/** The status of the last response; 0 if none arrived. */
let status = 0;
const client = createClient({
  onRequest: () => {
    status = 0;
  },
  onResponse: (response) => {
    ({ status } = response);
  },
});
const collections = new Map(
  Object.entries({
    automations: client.automations,
    'contact-properties': client.contactProperties,
    'contact-imports': client.contactImports,
  } as const),
);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

async function run(): Promise<void> {
  if (task === 'get') {
    print(JSON.stringify(await client.contactImports.get(name)));
    return;
  }
  const collection = collections.get(name);
  if (collection === undefined) {
    print('unsupported');
    return;
  }
  const { limit, ...others } = values;
  // The task may have values that the types reject: they are for the server to judge.
  const options = { ...others, ...(limit === undefined ? {} : { limit: Number(limit) }) } as { limit?: number };
  const list = collection.list(options);
  const items = task === 'list-all' ? list : (await list).data;
  for await (const { id } of items) print(id);
}

try {
  await run();
} catch (error) {
  if (error instanceof ApiError) print(`error ${String(error.status)} ${error.problem?.name ?? 'unreadable'}`);
  else if (error instanceof NetworkError && status > 0) print(`error ${String(status)} unreadable`);
  else if (error instanceof NetworkError || error instanceof TimeoutError) print('error 0 network');
  else throw error;
  process.exitCode = 10;
}
