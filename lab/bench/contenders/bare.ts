/** Bare `node:http` that sends Rollcall's own answer, whatever is asked. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Answer } from '../answers.ts';
import { announce, setting } from './setting.ts';

const { status, headers, body } = JSON.parse(readFileSync(setting('BENCH_ANSWER'), 'utf8')) as Answer; // The bench has written it.

const server = createServer((_req, res) => {
  res.writeHead(status, [...headers]);
  res.end(body); // A string: with the head it is one write, a buffer would be another.
});
announce(server.listen(0, '127.0.0.1'));
