/** A suite of a team that writes TypeScript. What it tests is `readAll` and `poll`, which stand for the team's own client. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { automation, contactImport, contactProperty, createAccount } from './rollcall.ts';
import type { Account } from './rollcall.ts';

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

function five(): { readonly automations: ReturnType<typeof automation>[]; readonly names: string[] } {
  const automations = Array.from({ length: 5 }, () => automation());
  return { automations, names: automations.map(({ name }) => name) };
}

/** Sends a request to the API. */
const get = ({ url, key }: Account, target: string): Promise<Response> =>
  fetch(url + target, { headers: { authorization: `Bearer ${key}` } });

/** Reads the whole list, page by page. @returns the names, and the seconds that it was told to wait. */
async function readAll(account: Account): Promise<{ names: string[]; waits: (string | null)[] }> {
  const names: string[] = [];
  const waits: (string | null)[] = [];
  let page: readonly Automation[] = [];
  for (;;) {
    const last = page.at(-1);
    const response = await get(account, `/automations?limit=2${last === undefined ? '' : `&after=${last.id}`}`);
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
async function poll(account: Account, id: string, times: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < times) {
    const response = await get(account, `/contacts/imports/${id}`);
    assert.equal(response.status, 200);
    const { status, counts } = (await response.json()) as Import;
    seen.push(`${status} ${String(counts.total)}`);
    if (status === 'completed' || status === 'failed') break;
  }
  return seen;
}

const statuses = async (account: Account): Promise<unknown> => (await account.requests()).map(({ status }) => status);

describe('a client', { concurrency: 24 }, () => {
  test('the API returns what was built', async (t) => {
    const automations = [automation({ status: 'disabled' })];
    const contactProperties = [contactProperty(), contactProperty({ type: 'number' })];
    const contactImports = ['queued', 'in_progress', 'completed', 'failed'].map((status) => contactImport({ status }));
    const account = await createAccount(t, { automations, contactProperties, contactImports });
    const listed = async (path: string): Promise<unknown> => ((await (await get(account, path)).json()) as Page).data;
    assert.deepEqual(await listed('/automations'), automations);
    assert.deepEqual(await listed('/contact-properties'), contactProperties);
    assert.deepEqual(await listed('/contacts/imports'), contactImports);
  });

  test('an import that moves', async (t) => {
    const queued = contactImport({ status: 'queued' });
    const account = await createAccount(t, { contactImports: [queued] });
    const when = { operation: 'getContactImport', nth: 2 } as const;
    const cue = await account.cue({ when, then: [{ moveImport: { id: queued.id, total: 100 } }], times: 2 });
    assert.deepEqual(await poll(account, queued.id, 5), ['queued 0', 'in_progress 100', 'completed 100']);
    assert.equal(await cue.fired(), 2);
  });

  test('a cursor that is removed', async (t) => {
    const { automations, names } = five();
    const account = await createAccount(t, { automations });
    const cue = await account.scenario({ name: 'cursor-removed', limit: 2 });
    assert.deepEqual(await readAll(account), { names, waits: [] });
    assert.deepEqual(await statuses(account), [200, 404, 200, 200]);
    assert.equal(await cue.fired(), 1);
  });

  test('a 429 midway', async (t) => {
    const { automations, names } = five();
    const account = await createAccount(t, { automations });
    const when = { operation: 'listAutomations', nth: 2 } as const;
    await account.cue({ when, then: [{ fail: { status: 429, retryAfter: 7 } }] });
    assert.deepEqual(await readAll(account), { names, waits: ['7'] });
    assert.deepEqual(await statuses(account), [200, 429, 200, 200]);
  });

  test('a truncated body', async (t) => {
    const { automations, names } = five();
    const account = await createAccount(t, { automations });
    await account.fail({ body: 'cut' });
    await assert.rejects(readAll(account), { name: 'TypeError', message: 'terminated' });
    assert.deepEqual(await readAll(account), { names, waits: [] });
  });

  test('records with one time stay in order', async (t) => {
    const { automations, names } = five();
    const account = await createAccount(t, { automations });
    const cue = await account.scenario({ name: 'ties-across-pages', limit: 2 });
    assert.deepEqual(await readAll(account), { names, waits: [] });
    assert.equal(await cue.fired(), 1);
  });

  test('an action that fails', async (t) => {
    const account = await createAccount(t, {});
    const { id } = contactImport();
    const cue = await account.cue({ when: {}, then: [{ moveImport: { id } }] });
    assert.equal(await cue.fired(), 0);
    assert.deepEqual(await readAll(account), { names: [], waits: [] });
    assert.deepEqual(await cue.errors(), [`There is no contact import ${id}.`]);
    const message = `Cue 1 has fired, but its actions failed: There is no contact import ${id}.`;
    await assert.rejects(cue.fired(), { message });
  });

  for (let number = 1; number <= 20; number += 1) {
    test(`in parallel, ${String(number)}`, async (t) => {
      const [first, second] = [automation(), automation()];
      const account = await createAccount(t, { automations: [first] });
      await account.fail({ error: 'rate_limit_exceeded', retryAfter: number });
      const then = [{ remove: { collection: 'automations', ids: [first.id] } }];
      const cue = await account.cue({ when: { operation: 'listAutomations', nth: 3 }, then });
      assert.deepEqual(await readAll(account), { names: [first.name], waits: [String(number)] });
      await account.put({ collection: 'automations', records: [second] });
      assert.deepEqual((await readAll(account)).names, [second.name]);
      assert.deepEqual(await statuses(account), [429, 200, 200]);
      assert.equal(await cue.fired(), 1);
    });
  }
});
