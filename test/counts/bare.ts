/** Bare `node:http` that sends responses of Rollcall again: below `/n`, that of the file's n-th entry. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './requests.ts';

const answers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly Answer[]; // Written by run.ts.

const server = createServer(({ url = '' }, res) => {
  const answer = answers[Number.parseInt(url.slice(1), 10)];
  if (answer === undefined) throw new Error(`Nothing is at ${url}.`);
  res.writeHead(answer.status, [...answer.headers]);
  res.end(answer.body); // A string: with the head it is one write.
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // It listens on a port.
  process.stdout.write(`http://127.0.0.1:${String(port)}\n`);
});
