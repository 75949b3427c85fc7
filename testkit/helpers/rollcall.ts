/**
 * Rollcall for tests over HTTP, such as on another runtime: a server that starts with the first test of a file that needs it, and an
 * account for each test. In Node, `rollcall/testing` needs no copy. Copy this file. It needs Rollcall's command, `rollcall` or the executable
 * that the variable ROLLCALL names, the package `openapi-fetch`, and the types of the control API beside this file. To generate them, run
 * `npx -p typescript@5 -p openapi-typescript openapi-typescript node_modules/rollcall/control.yaml --output <folder>/control.ts` in the
 * folder of your package.json.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import type { TestContext } from 'node:test';
import createClient from 'openapi-fetch';
import type { components, paths } from './control.ts';

type Schemas = components['schemas'];
type Fault = Schemas['Fault'];
/** Properties of a record. */
type Properties = Readonly<Record<string, unknown>>;

/** The time limit of the start: a machine may be busy. */
const DEADLINE_MS = 60_000;

/** The line that the server prints. */
interface Started {
  readonly url: string;
  readonly control: { readonly url: string; readonly key: string };
}

/** A cue of an account. */
export interface Cue {
  /** How often it has fired. A cue with 0 has changed nothing. Rejects if one of its actions has failed. */
  readonly fired: () => Promise<number>;
  /** The messages of its actions that failed. */
  readonly errors: () => Promise<readonly string[]>;
}

/** An account of the server. The client that is tested gets `url` and `key`. Faults and cues are those of control.yaml. */
export interface Account {
  readonly url: string;
  readonly key: string;
  /** Makes the next requests fail so many times, such as `fail({ status: 503, retryAfter: 1 })`. */
  readonly fail: (fault: Fault, times?: number) => Promise<void>;
  /** Changes the records when a request arrives, such as `cue({ when: { nth: 2 }, then: [{ revokeKey: true }] })`. */
  readonly cue: (cue: Schemas['NewCue']) => Promise<Cue>;
  /** Adds the cue of a scenario, such as `scenario({ name: 'cursor-removed' })`. */
  readonly scenario: (scenario: Schemas['NewScenario']) => Promise<Cue>;
  readonly requests: () => Promise<Schemas['RequestList']['data']>;
  /** Adds records, or replaces those with the same ids. */
  readonly put: (body: Schemas['Put']) => Promise<void>;
}

// The server is on this machine: with NODE_USE_ENV_PROXY, `fetch` would ask the proxy of the environment.
process.env['no_proxy'] = `${process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''},127.0.0.1`;

let started: Promise<Started> | undefined;
let stop = (): unknown => undefined;
after(() => stop());

async function start(): Promise<Started> {
  const command = process.env['ROLLCALL'] ?? 'rollcall';
  const options = ['--control', '--json', '--exit-with-parent', '--port', '0', '--key', 'demo'];
  // The server stops when its standard input ends, which the system closes when this process is gone, however that ends.
  const server = spawn(command, ['demo', ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(server, 'spawn').catch((error: unknown) => {
    const hint =
      'Install Rollcall: see its docs/install.md. Or set the variable ROLLCALL to the path of its executable, without arguments.';
    throw new Error(`${command} does not start. ${hint}`, { cause: error });
  });
  const ended = once(server, 'close');
  const late = setTimeout(() => server.kill(), DEADLINE_MS);
  let line = '';
  for await (line of createInterface(server.stdout)) break; // One line of JSON, when it listens.
  clearTimeout(late);
  if (line === '') throw new Error(`${command} demo has ended before it listened. Its message is above.`);
  stop = () => {
    server.stdin.end();
    return ended;
  };
  return JSON.parse(line) as Started; // As `rollcall demo --help` documents it.
}

/** Creates an account with records, such as `{ automations: [automation()] }`, and deletes it after the test. */
export async function createAccount(t: TestContext, records: Schemas['Records']): Promise<Account> {
  const { url, control: access } = await (started ??= start());
  const headers = { authorization: `Bearer ${access.key}` };
  const control = createClient<paths>({ baseUrl: access.url, headers });
  control.use({
    onResponse: async ({ request, response }) => {
      if (!response.ok) throw new Error(`${request.method} ${request.url}: ${await response.text()}`);
    },
  });
  const { data: created = missing() } = await control.POST('/accounts', { body: { records } });
  const params = { path: { account: created.name } };
  t.after(() => control.DELETE('/accounts/{account}', { params }));
  const cueOf = ({ number }: Schemas['Cue']): Cue => {
    const now = async (): Promise<Schemas['Cue']> => {
      const { data: cues = missing() } = await control.GET('/accounts/{account}/cues', { params });
      return cues.data.find((cue) => cue.number === number) ?? missing();
    };
    return {
      fired: async () => {
        const { fired, errors } = await now();
        if (errors.length > 0)
          throw new Error(`Cue ${String(number)} has fired, but its actions failed: ${errors.join(' ')}`);
        return fired;
      },
      errors: async () => (await now()).errors,
    };
  };
  return {
    url,
    key: created.apiKey,
    fail: async (fault, times = 1) => {
      await control.POST('/accounts/{account}/faults', { params, body: { fault, times } });
    },
    cue: async (body) => cueOf((await control.POST('/accounts/{account}/cues', { params, body })).data ?? missing()),
    scenario: async (body) =>
      cueOf((await control.POST('/accounts/{account}/scenarios', { params, body })).data ?? missing()),
    requests: async () => ((await control.GET('/accounts/{account}/requests', { params })).data ?? missing()).data,
    put: async (body) => {
      await control.POST('/accounts/{account}/put', { params, body });
    },
  };
}

function missing(): never {
  throw new Error('The control API did not return it.');
}

const NEWEST = Date.UTC(2026, 3, 16, 8);
let built = 0;

/**
 * @returns the id and the time of a record that is a second older than the one before, so that the first is listed first. Its
 * id is smaller too, so that records that get the same time stay in this order.
 */
function next(): { readonly id: string; readonly at: string } {
  built += 1;
  const at = new Date(NEWEST - built * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return { id: `00000000-0000-4000-8000-${String(1e12 - built)}`, at: `${at}+00` };
}

/** @returns an enabled automation with these properties. */
export function automation(properties: Properties = {}) {
  const { id, at } = next();
  return { id, name: `Automation ${id}`, status: 'enabled', created_at: at, updated_at: at, ...properties };
}

/** @returns a contact property with these properties. One of another type than string has no fallback. */
export function contactProperty(properties: Properties = {}) {
  const { id, at } = next();
  const fallback = (properties['type'] ?? 'string') === 'string' ? 'none' : null;
  return { id, key: `property ${id}`, type: 'string', fallback_value: fallback, created_at: at, ...properties };
}

/** @returns a contact import with these properties, whose counts match its status. It is completed by default. */
export function contactImport(properties: Properties = {}) {
  const { id, at } = next();
  const { status = 'completed' } = properties;
  const done = status === 'queued' ? 0 : status === 'completed' ? 100 : 50;
  const counts = { total: status === 'queued' ? 0 : 100, created: done, updated: 0, skipped: 0, failed: 0 };
  const ended = status === 'completed' || status === 'failed' ? at : null;
  const usual = { object: 'contact_import', id, status, created_at: at, completed_at: ended, counts };
  return { ...usual, ...properties };
}
