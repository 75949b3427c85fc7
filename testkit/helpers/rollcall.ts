/**
 * Rollcall for tests over HTTP: one server for all tests of a file, and an account for each. Copy this file. It needs Rollcall's
 * command, `rollcall` or what the variable ROLLCALL names, and a client of the control API, which is generated from its contract:
 * `openapi-typescript node_modules/rollcall/control.yaml --output control.ts`, with `openapi-fetch`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import type { TestContext } from 'node:test';
import createClient from 'openapi-fetch';
import type { components, paths } from './control.ts';

/** For the start, and for a response: a machine may be busy. */
const DEADLINE_MS = 60_000;

/** The line that the server prints. */
interface Started {
  readonly url: string;
  readonly control: { readonly url: string; readonly key: string };
}

export interface Account {
  /** For each call of `control` that has the account in its path. */
  readonly params: { readonly path: { readonly account: string } };
  /** Sends a request to the API. */
  readonly get: (target: string) => Promise<Response>;
}

// The server is on this machine: with NODE_USE_ENV_PROXY, `fetch` would ask the proxy of the environment.
process.env['no_proxy'] = `${process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''},127.0.0.1`;

const command = process.env['ROLLCALL'] ?? 'rollcall';
const options = ['--control', '--json', '--exit-with-parent', '--port', '0', '--key', 'demo'];
// The server stops when its standard input ends, which the system closes when this process is gone, however that ends.
const server = spawn(command, ['demo', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = once(server, 'close');
const late = setTimeout(() => server.kill(), DEADLINE_MS);
let line = '';
for await (line of createInterface(server.stdout)) break; // One line of JSON, when it listens.
clearTimeout(late);
assert.notEqual(line, '', 'rollcall has ended before it listens.');
const { url, control: access } = JSON.parse(line) as Started; // As `rollcall demo --help` documents it.
after(async () => {
  server.stdin.end();
  assert.deepEqual(await ended, [0, null], 'The exit code and the signal.');
});

/** The control API. A mistake is an error with the message of the response. */
export const control = createClient<paths>({
  baseUrl: access.url,
  headers: { authorization: `Bearer ${access.key}` },
});
control.use({
  onResponse: async ({ request, response }) => {
    if (!response.ok) throw new Error(`${request.method} ${request.url}: ${await response.text()}`);
  },
});

/** Creates an account with records, and deletes it after the test. */
export async function createAccount(t: TestContext, records: components['schemas']['Records']): Promise<Account> {
  const { data: created } = await control.POST('/accounts', { body: { records } });
  assert(created);
  const params = { path: { account: created.name } };
  t.after(() => control.DELETE('/accounts/{account}', { params }));
  const headers = { authorization: `Bearer ${created.apiKey}` };
  return { params, get: (target) => fetch(url + target, { headers, signal: AbortSignal.timeout(DEADLINE_MS) }) };
}
