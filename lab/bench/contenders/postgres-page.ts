/** Bare `node:http` with the page of PostgreSQL: Rollcall's very statement through its driver, for a key of which the hash is known. */
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Pool } from 'pg';
import { STATE, UNKNOWN_CURSOR, pageOf } from '../../../server/store/postgres/statements.ts';
import { announce, setting } from './setting.ts';

const CONNECTIONS = 10; // As many as Rollcall has.
const LIMIT = 10;

const pool = new Pool({ connectionString: setting('BENCH_DB'), max: CONNECTIONS });
pool.on('error', () => undefined);
const { rows } = await pool.query<{ epoch: string; name: string; id: number }>(STATE.text);
const { epoch, id: collection } = rows.find(({ name }) => name === 'contactImports') ?? {};
const [{ account } = {}] = (await pool.query<{ account: string }>('SELECT account FROM rollcall_keys')).rows;
const keyHash = hash('sha256', setting('BENCH_KEY'), 'buffer');
const pages = {
  first: pageOf('first', false, true),
  after: pageOf('after', false, true),
  before: pageOf('before', false, true),
};

async function readPage(url: string): Promise<string | undefined> {
  const { after, before } = parse(url.slice(url.indexOf('?') + 1));
  const cursor = after ?? before;
  const direction = after !== undefined ? 'after' : before !== undefined ? 'before' : 'first';
  const { rows: found } = await pool.query<[string | null]>({
    ...pages[direction],
    values: [
      account,
      collection,
      LIMIT + 1,
      epoch,
      ...(cursor === undefined ? [] : [cursor]),
      keyHash,
      new Date().toISOString(),
    ],
    rowMode: 'array',
  });
  if (found[0]?.[0] === UNKNOWN_CURSOR) return undefined;
  const texts = found.flatMap(([text]) => (text === null ? [] : [text]));
  const hasMore = texts.length > LIMIT;
  if (hasMore) texts.pop();
  if (direction === 'before') texts.reverse();
  return `{"object":"list","has_more":${String(hasMore)},"data":[${texts.join(',')}]}`;
}

const server = createServer(({ url = '' }, res) => {
  readPage(url).then(
    (found) => {
      const [status, body] = found === undefined ? [404, '{}'] : [200, found];
      res.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', Buffer.byteLength(body)]);
      res.end(body);
    },
    () => res.destroy(),
  );
});
announce(server.listen(0, '127.0.0.1'));
