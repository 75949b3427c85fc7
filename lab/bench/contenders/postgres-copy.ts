/** Bare COPY of ready rows into Rollcall's tables, in list order: `postgres-copy.ts ADDRESS RECORDS` prints its time in ms. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { postgresDatabase } from '../../../server/store/postgres/open.ts';
import { rowAt } from '../records.ts';

const ROWS_PER_TURN = 10_000;
const COPY = 'COPY rollcall_records (account, collection, created_us, id, filter, json) FROM STDIN';

const [address = '', records = ''] = process.argv.slice(2);
await (await postgresDatabase(address).openWriter()).close(); // It makes the tables.
const client = new Client({ connectionString: address });
await client.connect();
const idOf = async (sql: string): Promise<string> => String((await client.query<{ id: string }>(sql)).rows[0]?.id);
const account = await idOf("INSERT INTO rollcall_accounts (name) VALUES ('bench') RETURNING id");
const collection = await idOf("SELECT id FROM rollcall_collections WHERE name = 'contactImports'");

// Made before: the server works on while others are made, and what it does then would not be counted.
const turns: string[] = [];
for (let at = 0; at < Number(records); at += ROWS_PER_TURN) {
  const lines = Array.from({ length: Math.min(ROWS_PER_TURN, Number(records) - at) }, (_, n) => {
    const { createdUs, id, status, json } = rowAt(at + n);
    return `${[account, collection, String(createdUs), id.toString('hex'), status, json.replaceAll('\\', '\\\\')].join('\t')}\n`;
  }).join('');
  turns.push(lines);
}
const started = performance.now();
const stream = client.query(from(COPY));
for (const lines of turns) if (!stream.write(lines)) await once(stream, 'drain');
await finished(stream.end());
process.stdout.write(String(performance.now() - started));
await client.end();
