/** The control API: every operation with every status of `control.yaml`, and requests of every kind. */
import { describe, expect, test } from '@jest/globals';
import { createServerState } from '../../testkit/server-state.ts';
import type { ServerState } from '../../testkit/server-state.ts';
import { automation, contactImport } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { CONTROL_OPERATIONS, openControl } from '../support/control.ts';
import type { ControlOperation, Controlled } from '../support/control.ts';
import { LIMITS } from '../../server/http/connections.ts';

const control = await openControl(createServerState(), LIMITS, afterFile);
/** The same API, where everything that the state is asked for fails. */
const broken = await openControl(brokenEngine(), LIMITS, afterFile);

function brokenEngine(): ServerState {
  const fail = (): never => {
    throw new TypeError('planted');
  };
  const failing = <T extends object>(it: T): T => new Proxy(it, { get: fail, set: fail });
  const state = createServerState();
  const [accounts, faults, requests] = [failing(state.accounts), failing(state.faults), failing(state.requests)];
  return { ...state, accounts, faults, requests, createAccount: fail, reset: fail, snapshot: fail, restore: fail };
}

const first = automation();
const queued = contactImport({ status: 'queued' });
const ended = contactImport({ status: 'completed' });
/** A valid body of each operation that has one, for an account that has these records. */
const BODIES: Readonly<Record<string, unknown>> = {
  createAccount: { records: { automations: [first] } },
  putRecords: { collection: 'automations', records: [automation()] },
  removeRecords: { collection: 'automations', ids: [first.id] },
  moveImport: { id: queued.id },
  addAccountFault: { fault: { status: 503 }, times: 2 },
  addCue: { when: { operation: 'listAutomations' }, then: [{ fail: { status: 503 } }], always: true },
  addScenario: { name: 'import-progresses-per-poll' },
  addFault: { fault: { status: 503 } },
  restoreSnapshot: { version: 1, accounts: { restored: { automations: [first] } } },
};
/** Bodies that do not go with the state of that account. */
const CONFLICTS: Readonly<Record<string, (name: string) => unknown>> = {
  createAccount: (name) => ({ name }),
  moveImport: () => ({ id: ended.id }),
  addScenario: () => ({ name: 'cursor-removed' }), // It needs two pages of automations.
};
const LONG = JSON.stringify('x'.repeat(16 * 1024 * 1024));

let created = 0;
/** @returns the name of a new account. */
async function newAccount({ send }: Controlled = control): Promise<string> {
  created += 1;
  const name = `test-${String(created)}`;
  const records = { automations: [first], contactImports: [queued, ended] };
  expect((await send('POST', '/accounts', { name, records })).status).toBe(201);
  return name;
}

/** Makes an operation respond with a status. */
async function meet({ id, method, path, hasBody }: ControlOperation, status: number): Promise<number> {
  const body = BODIES[id];
  if (hasBody && body === undefined) throw new Error(`BODIES has none for ${id}.`);
  const name = await newAccount();
  const of = (account: string): string => path.replace('{account}', account);
  const cases: Readonly<Record<number, () => ReturnType<Controlled['send']>>> = {
    400: () => control.send(method, of(name), '{'),
    401: () => control.send(method, of(name), body, { authorization: 'Bearer nonsense' }),
    403: () => control.send(method, of(name), body, { 'sec-fetch-site': 'cross-site' }),
    404: () => control.send(method, of('nobody'), body),
    409: () => control.send(method, of(name), CONFLICTS[id]?.(name)),
    413: () => control.send(method, of(name), LONG),
    422: () => control.send(method, `${of(name)}?nope=1`, body),
    500: () => broken.send(method, of(name), body),
  };
  const send = status < 300 ? () => control.send(method, of(name), body) : cases[status];
  if (send === undefined) throw new Error(`No request gets a ${String(status)}.`);
  return (await send()).status;
}

describe('every status of control.yaml', () => {
  const pairs = CONTROL_OPERATIONS.flatMap((it) =>
    [...it.responses.keys()].map((status) => [it.id, status, it] as const),
  );
  test.each(pairs)('%s: %i', async (_, status, operation) => {
    expect(await meet(operation, status)).toBe(status);
  });
});
