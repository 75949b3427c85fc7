/** `rollcall/testing`: a real server that holds what a test wants, changes while it runs, and fails on demand. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { allowed } from '../../server/contract/allowed.ts';
import { automation, contactImport, contactProperty, startRollcall } from '../../server/testing/index.ts';
import type { Fault, Records, TestServer } from '../../server/testing/index.ts';
import { contract } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { series } from '../support/series.ts';

const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});
async function start(records?: Records): Promise<TestServer> {
  const server = await startRollcall(records);
  open.push(server);
  return server;
}
async function ask(
  { url, apiKey }: TestServer,
  path: string,
): Promise<{ status: number; body: { data: unknown[] }; headers: Record<string, string>; text: string }> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  return {
    status: response.status,
    body: JSON.parse(text) as { data: unknown[] },
    headers: Object.fromEntries(response.headers),
    text,
  };
}

test('it serves the records it is started with', async () => {
  const records = {
    automations: [automation()],
    contactProperties: [contactProperty()],
    contactImports: [contactImport()],
  };
  const server = await start(records);
  expect((await ask(server, '/automations')).body.data).toEqual(records.automations);
  expect((await ask(server, '/contact-properties')).body.data).toEqual(records.contactProperties);
  expect((await ask(server, '/contacts/imports')).body.data).toEqual(records.contactImports);
  expect(server.errors).toEqual([]);
});

test('after the first it is ready in less than 100 ms, and servers do not know each other', async () => {
  const first = await start({ automations: [automation()] });
  let least = Infinity;
  // The least of many: other programs of the machine only make it longer.
  for (let at = 0; at < 100 && least >= 100; at += 1) {
    const started = performance.now();
    const server = await start();
    expect((await ask(server, '/automations')).body.data).toEqual([]);
    least = Math.min(least, performance.now() - started);
  }
  expect(least).toBeLessThan(100);
  expect((await ask(first, '/automations')).body.data).toHaveLength(1);
});

test('put adds and replaces, remove removes, reset makes everything as it was', async () => {
  const [kept, gone, fresh] = [automation(), automation(), automation({ created_at: '2027-01-01 00:00:00+00' })];
  const server = await start({ automations: [kept, gone] });
  await Promise.all([
    server.put('automations', [fresh]),
    server.put('automations', [{ ...kept, status: 'disabled' }]),
    server.remove('automations', [gone.id.toUpperCase(), 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73']),
  ]);
  expect((await ask(server, '/automations')).body.data).toEqual([fresh, { ...kept, status: 'disabled' }]);
  server.fail({ status: 503 });
  await server.reset();
  const { status, body } = await ask(server, '/automations');
  expect(status).toBe(200);
  expect(new Set(body.data)).toEqual(new Set([kept, gone]));
});

describe('a record that is not as the contract has it is refused, and named', () => {
  test.each<[Records, string]>([
    [
      { automations: [automation(), automation({ status: 'paused' as 'enabled' })] },
      'automations[1] is not as the contract has it: /status: must be one of "enabled", "disabled"',
    ],
    [
      { contactImports: [contactImport({ created_at: 'today' })] },
      `contactImports[0] is not as the contract has it: /created_at: must be ${allowed(contract.schemas.Timestamp)}`,
    ],
    [
      { contactImports: [contactImport({ status: 'queued', completed_at: '2026-04-17 00:00:00+00' })] },
      'contactImports[0] is not as the contract has it: /completed_at: must be null while the status is queued',
    ],
  ])('%#', async (records, message) => {
    await expect(startRollcall(records)).rejects.toThrow(new TypeError(message));
    const server = await start({ automations: [automation()] });
    for (const [collection, values] of Object.entries(records)) {
      await expect(server.put(collection as 'automations', values as never)).rejects.toThrow(new TypeError(message));
    }
    expect((await ask(server, '/automations')).body.data).toHaveLength(1);
  });
});

describe('faults', () => {
  test.each<[Fault, number, string, string]>([
    [{ status: 429 }, 429, 'rate_limit_exceeded', '1'],
    [{ status: 429, retryAfter: 7 }, 429, 'rate_limit_exceeded', '7'],
    [{ status: 503, retryAfter: 2 }, 503, 'service_unavailable', '2'],
  ])('%j is the contract’s own answer', async (fault, status, name, retryAfter) => {
    const server = await start();
    server.fail(fault, 2);
    for (let at = 0; at < 2; at += 1) {
      const answer = await ask(server, '/automations');
      expect(answer).toMatchObject({ status, body: { statusCode: status, name } });
      expect(answer.headers['retry-after']).toBe(retryAfter);
      expectDeclared('listAutomations', answer);
    }
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test('a delay is the usual answer, later', async () => {
    const server = await start();
    server.fail({ delayMs: 80 });
    const started = performance.now();
    expect((await ask(server, '/automations')).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  });

  test('a cut connection is no answer', async () => {
    const server = await start();
    server.fail({ disconnect: true });
    await expect(ask(server, '/automations')).rejects.toThrow('fetch failed');
    expect((await ask(server, '/automations')).status).toBe(200);
  });

  test('faults queue up', async () => {
    const server = await start();
    server.fail({ status: 429 });
    server.fail({ status: 503 });
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await ask(server, '/automations')).status);
    expect(statuses).toEqual([429, 503, 200]);
  });
});

describe('an import that moves', () => {
  const zero = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

  test.each(['completed', 'failed'] as const)(
    'goes from queued to %s, with counts that grow and add up',
    async (end) => {
      const queued = contactImport({ status: 'queued', completed_at: null, counts: zero });
      const server = await start({ contactImports: [queued] });
      const steps = [queued];
      for (let at = 0; at < 3; at += 1) {
        const now = await server.moveImport(queued.id, { end, total: 1234 });
        const answer = await ask(server, `/contacts/imports/${queued.id}`);
        expect(answer.body).toEqual(now);
        expectDeclared('getContactImport', answer);
        steps.push(now);
      }
      expect(steps.map((it) => it.status)).toEqual(['queued', 'in_progress', end, end]);
      expect(steps.map((it) => it.completed_at === null)).toEqual([true, true, false, false]);
      const done = steps.map(({ counts }) => counts.created + counts.updated + counts.skipped + counts.failed);
      expect(done).toEqual(end === 'completed' ? [0, 617, 1234, 1234] : [0, 617, 617, 617]);
      expect(steps[3]).toEqual(steps[2]);
    },
  );

  test('an unknown id is refused', async () => {
    const server = await start();
    await expect(server.moveImport('nope')).rejects.toThrow(new RangeError('There is no contact import nope.'));
  });
});

test('closed, it answers no more', async () => {
  const server = await startRollcall({ automations: series(3, automation) });
  await server[Symbol.asyncDispose]();
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});
