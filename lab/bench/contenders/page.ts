/** Bare `node:http` with the SQLite page: no key, no validation, no tag. */
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { ACCOUNT, readPage, readRecord } from './database.ts';
import { announce } from './setting.ts';

const LIST = '/contacts/imports';

const server = createServer(({ url = '' }, res) => {
  const end = url.indexOf('?');
  const query = end === -1 ? {} : parse(url.slice(end + 1));
  const path = end === -1 ? url : url.slice(0, end);
  const found =
    path === LIST
      ? readPage(ACCOUNT, { ...query, limit: Number(query['limit'] ?? 10) })
      : readRecord(ACCOUNT, path.slice(LIST.length + 1));
  const [status, body] = found === undefined ? [404, '{}'] : [200, found];
  res.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', Buffer.byteLength(body)]);
  res.end(body);
});
announce(server.listen(0, '127.0.0.1'));
