/** A search as Elasticsearch has: POST /search with `from` and `size` in the body. `node search.js PORT`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

const { rows } = JSON.parse(readFileSync('rows.json', 'utf8'));
const isSize = (value) => Number.isInteger(value) && value >= 0 && value <= 10_000;

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const { status, body } = answer(request, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}).listen(Number(process.argv[2]), '127.0.0.1');

function answer({ method, url }, text) {
  if (url === '/') return { status: 200, body: { tagline: 'You know, for tests' } };
  if (method !== 'POST' || url !== '/search') return { status: 405, body: { error: 'only POST /search' } };
  let asked;
  try {
    asked = JSON.parse(text || '{}');
  } catch {
    return { status: 400, body: { error: 'the body is not JSON' } };
  }
  const { from = 0, size = 10 } = asked;
  if (!isSize(from) || !isSize(size)) return { status: 400, body: { error: '[from] and [size] are from 0 to 10000' } };
  const hits = rows
    .slice(from, from + size)
    .map(({ id, ...row }) => ({ _index: 'rows', _id: String(id), _source: row }));
  return { status: 200, body: { timed_out: false, hits: { total: { value: rows.length, relation: 'eq' }, hits } } };
}
