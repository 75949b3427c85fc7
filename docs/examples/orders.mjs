// A list of 240 orders with a common bug: its cursor holds only `created`, and some orders were created at the same time.
// Whatever has the same time as the last order of a page is skipped. `node orders.mjs [port]`
import { createServer } from 'node:http';

const timeOf = (n) => new Date(Date.UTC(2026, 2, 1) + 7_000_000 * (n % 8 === 7 ? n - 1 : n)).toISOString();
const orders = Array.from({ length: 240 }, (_, n) => ({ id: 1000 + n, created: timeOf(n) })).reverse();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const limit = Number(searchParams.get('limit') ?? 20);
  const created = Buffer.from(searchParams.get('cursor') ?? '', 'base64url').toString();
  if (pathname !== '/orders') return send(404, { error: 'not found' });
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return send(400, { error: 'limit must be 1 to 100' });
  if (searchParams.has('cursor') && !/^2026-.*Z$/.test(created)) return send(400, { error: 'unknown cursor' });
  // The bug. Right: everything after (created, id) of the last order.
  const rest = created === '' ? orders : orders.filter((order) => order.created < created);
  const page = rest.slice(0, limit);
  const next = rest.length > limit ? Buffer.from(page.at(-1).created).toString('base64url') : null;
  send(200, { orders: page, next_cursor: next });
});
server.listen(Number(process.argv[2] ?? 8000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/orders`);
});
