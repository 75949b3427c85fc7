/** Bare `node:http` that sends Rollcall's own answer, whatever is asked. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Answer } from '../answers.ts';
import { announce, told } from './setting.ts';

const { status, headers, body } = JSON.parse(readFileSync(told('BENCH_ANSWER'), 'utf8')) as Answer; // The bench has written it.
const bytes = Buffer.from(body);

const server = createServer((_req, res) => {
  res.writeHead(status, [...headers]);
  if (bytes.length === 0) res.end();
  else res.end(bytes);
});
announce(server.listen(0, '127.0.0.1'));
