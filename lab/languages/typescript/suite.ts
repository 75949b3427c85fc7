/** A suite of a team that writes TypeScript. What it tests is `readAll` and `poll`, which stand for the team's own client. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { control, createAccount } from './rollcall.ts';
import type { Account } from './rollcall.ts';

const IMPORT = '00000000-0000-4000-9000-000000000001';
const NAMES = ['Welcome', 'Review request', 'Cart left', 'Win back', 'Birthday'];

interface Automation {
  readonly id: string;
  readonly name: string;
}
interface Page {
  readonly has_more: boolean;
  readonly data: readonly Automation[];
}
interface Import {
  readonly status: string;
  readonly counts: { readonly total: number };
}

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** @returns an automation: the larger the number, the newer. */
function automation(number: number, name: string): Automation & Record<string, unknown> {
  const at = `2026-04-${String(10 + number)} 08:00:00+00`;
  return { id: idOf(number), name, status: 'enabled', created_at: at, updated_at: at };
}

const five = {
  automations: [
    automation(1, 'Birthday'),
    automation(2, 'Win back'),
    automation(3, 'Cart left'),
    automation(4, 'Review request'),
    automation(5, 'Welcome'),
  ],
};

/** Reads the whole list, page by page. @returns the names, and the seconds that it was told to wait. */
async function readAll(account: Account): Promise<{ names: string[]; waits: (string | null)[] }> {
  const names: string[] = [];
  const waits: (string | null)[] = [];
  let page: readonly Automation[] = [];
  for (;;) {
    const last = page.at(-1);
    const response = await account.get(`/automations?limit=2${last === undefined ? '' : `&after=${last.id}`}`);
    if (response.status === 429) {
      waits.push(response.headers.get('retry-after')); // Here a client sleeps. Then it repeats the request.
    } else if (response.status === 404) {
      page = page.slice(0, -1); // The record of the cursor has been removed: go on from its neighbour.
    } else {
      assert.equal(response.status, 200);
      const { data, has_more: hasMore } = (await response.json()) as Page;
      page = data;
      names.push(...data.map(({ name }) => name));
      if (!hasMore) return { names, waits };
    }
  }
}

/** Polls the import until it has ended, or so many times. @returns the status and the total of each time. */
async function poll(account: Account, times: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < times) {
    const response = await account.get(`/contacts/imports/${IMPORT}`);
    assert.equal(response.status, 200);
    const { status, counts } = (await response.json()) as Import;
    seen.push(`${status} ${String(counts.total)}`);
    if (status === 'completed' || status === 'failed') break;
  }
  return seen;
}

async function statuses({ params }: Account): Promise<unknown> {
  const { data: requests } = await control.GET('/accounts/{account}/requests', { params });
  return requests?.data.map(({ status }) => status);
}

async function fired({ params }: Account): Promise<unknown> {
  const { data: cues } = await control.GET('/accounts/{account}/cues', { params });
  return cues?.data.map((it) => it.fired);
}

describe('a client', { concurrency: 24 }, () => {
  test('an import that moves', async (t) => {
    const counts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
    const queued = { object: 'contact_import', id: IMPORT, status: 'queued', counts };
    const times = { created_at: '2026-04-16 08:00:00+00', completed_at: null };
    const account = await createAccount(t, { contactImports: [{ ...queued, ...times }] });
    const when = { operation: 'getContactImport', nth: 2 };
    const body = { when, then: [{ moveImport: { id: IMPORT, total: 100 } }], times: 2 };
    await control.POST('/accounts/{account}/cues', { params: account.params, body });
    assert.deepEqual(await poll(account, 5), ['queued 0', 'in_progress 100', 'completed 100']);
    assert.deepEqual(await fired(account), [2]);
  });

  test('a cursor that is removed', async (t) => {
    const account = await createAccount(t, five);
    const body = { when: { cursor: idOf(4) }, then: [{ remove: { collection: 'automations', ids: [idOf(4)] } }] };
    await control.POST('/accounts/{account}/cues', { params: account.params, body });
    assert.deepEqual(await readAll(account), { names: NAMES, waits: [] });
    assert.deepEqual(await statuses(account), [200, 404, 200, 200]);
  });

  test('a 429 midway', async (t) => {
    const account = await createAccount(t, five);
    const when = { operation: 'listAutomations', nth: 2 };
    const body = { when, then: [{ fail: { status: 429, retryAfter: 7 } }] };
    await control.POST('/accounts/{account}/cues', { params: account.params, body });
    assert.deepEqual(await readAll(account), { names: NAMES, waits: ['7'] });
    assert.deepEqual(await statuses(account), [200, 429, 200, 200]);
  });

  test('a truncated body', async (t) => {
    const account = await createAccount(t, five);
    await control.POST('/accounts/{account}/faults', { params: account.params, body: { fault: { body: 'cut' } } });
    await assert.rejects(readAll(account), { name: 'TypeError', message: 'terminated' });
    assert.deepEqual(await readAll(account), { names: NAMES, waits: [] });
  });

  for (let number = 1; number <= 20; number += 1) {
    test(`in parallel, ${String(number)}`, async (t) => {
      const [first, second] = [`First of ${String(number)}`, `Second of ${String(number)}`];
      const account = await createAccount(t, { automations: [automation(1, first)] });
      const { params } = account;
      const fault = { error: 'rate_limit_exceeded', retryAfter: number };
      await control.POST('/accounts/{account}/faults', { params, body: { fault } });
      const then = [{ remove: { collection: 'automations', ids: [idOf(1)] } }];
      const cue = { when: { operation: 'listAutomations', nth: 3 }, then };
      await control.POST('/accounts/{account}/cues', { params, body: cue });
      assert.equal((await account.get('/automations')).headers.get('retry-after'), String(number));
      assert.deepEqual((await readAll(account)).names, [first]);
      const put = { collection: 'automations', records: [automation(2, second)] };
      await control.POST('/accounts/{account}/put', { params, body: put });
      assert.deepEqual((await readAll(account)).names, [second]);
      assert.deepEqual(await statuses(account), [429, 200, 200]);
      assert.deepEqual(await fired(account), [1]);
    });
  }
});
