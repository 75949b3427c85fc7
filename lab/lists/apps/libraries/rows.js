/**
 * What the apps of libraries share: a table in PostgreSQL, and a server of lists on it. Of its 240 rows, 24 share each `grade`; every third has
 * no `score`, and 8 share each of the other values. 8 rows share a millisecond of `created`, and none a microsecond.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import pg from 'pg';

export const URL_OF_DATABASE = process.env.DATABASE;

/** @param lists what each path returns for its parameters; what it throws is 500, as in most frameworks, or the `status` of the error. */
export async function serve(lists) {
  await fill();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://app');
    const answer = async () => (await lists[pathname]?.(Object.fromEntries(searchParams))) ?? null;
    answer().then(
      (body) => send(response, body === null ? 404 : 200, body ?? { error: 'not found' }),
      (error) => send(response, error.status ?? 500, { error: error.message }),
    );
  });
  server.listen(Number(process.argv[2]), '127.0.0.1');
}

/** @returns a size from 1 to 100; what is none is 20. */
export const sizeOf = (text) => (/^[1-9]\d*$/.test(text) ? Math.min(100, Number(text)) : 20);

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function fill() {
  const client = new pg.Client(URL_OF_DATABASE);
  await client.connect();
  await client.query(`
    DROP TABLE IF EXISTS rows;
    CREATE TABLE rows (id int PRIMARY KEY, grade int NOT NULL, score int, created timestamptz NOT NULL);
    INSERT INTO rows SELECT n, n * 7 % 10, CASE WHEN n % 3 > 0 THEN n * 7 % 20 END,
      timestamptz '2026-01-01' + n / 8 * interval '1 ms' + n % 8 * interval '100 us' FROM generate_series(1, 240) n`);
  await client.end();
}
