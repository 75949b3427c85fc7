/**
 * Cues of many accounts at once, against a model: 4,000 requests from 50 accounts, each with cues of every kind. No cue fires in another
 * account, none is lost, and every response is the one that the model has.
 */
import { expect, test } from '@jest/globals';
import { createBuilders } from '../../testkit/index.ts';
import type { Action, CueOptions, TestAccount, TestServer } from '../../testkit/index.ts';
import { SEED } from '../support/fast-check.ts';
import { ask, start } from '../support/kit.ts';
import { Dice } from '../hostile/attacks.ts';

const ACCOUNTS = 50;
const REQUESTS = 80;
const CUES = 12;
const LIMIT = 3;
const PROBLEM = { error: 'service_unavailable' } as const;

type Automation = ReturnType<ReturnType<typeof createBuilders>['automation']>;

/** What an account has, newest first, and the cues that wait. */
class Model {
  items: readonly Automation[];
  readonly cues: { readonly cue: CueOptions; seen: number; fired: number }[] = [];

  constructor(items: readonly Automation[]) {
    this.items = items;
  }

  apply(actions: readonly Action[]): boolean {
    let fails = false;
    for (const action of actions) {
      if ('fail' in action) fails = true;
      else if ('put' in action) this.#put(action.put.records as readonly Automation[]);
      else if ('remove' in action) this.#remove(action.remove.ids);
    }
    return fails;
  }

  /** @returns the ids of the page, or a status; and the numbers of the cues that fired. */
  request(cursor: string | undefined): {
    readonly result: readonly string[] | number;
    readonly cues: readonly number[];
  } {
    const firing = this.cues.flatMap((it, at) => {
      const { cursor: wanted, nth = 1 } = it.cue.when;
      if (wanted !== undefined && wanted !== cursor) return [];
      it.seen += 1;
      if (it.seen < nth || it.fired >= (it.cue.times ?? 1)) return [];
      it.fired += 1;
      return [{ ...it.cue, number: at + 1 }];
    });
    const [before, later] = [firing.filter((it) => it.at !== 'after'), firing.filter((it) => it.at === 'after')];
    const fails = before.map((it) => this.apply(it.then)).includes(true) || this.#waiting > 0;
    if (fails && !before.some((it) => it.then.some((action) => 'fail' in action))) this.#waiting -= 1;
    const result = fails ? 503 : this.#page(cursor);
    for (const it of later) this.#waiting += it.then.filter((action) => 'fail' in action).length;
    for (const it of later) this.apply(it.then);
    return { result, cues: firing.map((it) => it.number) };
  }

  /** Faults that cues have added after a response, for the requests to come. */
  #waiting = 0;

  #put(records: readonly Automation[]): void {
    const ids = new Set(records.map((it) => it.id));
    this.items = [...this.items.filter((it) => !ids.has(it.id)), ...records].sort((a, b) =>
      a.created_at < b.created_at ? 1 : -1,
    );
  }

  /** Removes none if one of them is not there. */
  #remove(ids: readonly string[]): void {
    if (ids.every((id) => this.items.some((it) => it.id === id))) {
      this.items = this.items.filter((it) => !ids.includes(it.id));
    }
  }

  #page(cursor: string | undefined): readonly string[] | number {
    const place = this.items.findIndex((it) => it.id === cursor);
    if (cursor !== undefined && place < 0) return 404;
    return this.items.slice(place + 1, place + 1 + LIMIT).map((it) => it.id);
  }
}

test('every response is that of the model, and every cue fires when it has to, in its own account', async () => {
  const server = await start();
  const dice = new Dice(SEED);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, (_, at) => open(server, dice, String(at))));
  await Promise.all(accounts.map((it) => sendAll(server, it)));
  let fired = 0;
  for (const { account, model } of accounts) {
    expect(account.cues.map((it) => it.fired)).toEqual(model.cues.map((it) => it.fired));
    fired += model.cues.reduce((sum, it) => sum + it.fired, 0);
  }
  expect(fired).toBeGreaterThan(ACCOUNTS * CUES); // Most fire, some often.
  expect(server.errors).toEqual([]);
});

interface Tested {
  readonly account: TestAccount;
  readonly model: Model;
  readonly cursors: readonly (string | undefined)[];
}

async function open(server: TestServer, dice: Dice, name: string): Promise<Tested> {
  const { automation } = createBuilders({ seed: name });
  const all = Array.from({ length: 30 }, () => automation());
  const [items, others] = [all.slice(0, 20), all.slice(20)];
  const account = await server.account({ automations: items }, { name });
  const model = new Model(items);
  const actionOf = (): Action => {
    switch (dice.below(3)) {
      case 0:
        return { put: { collection: 'automations', records: [dice.one(others)] } };
      case 1:
        return { remove: { collection: 'automations', ids: [dice.one(all).id] } };
      default:
        return { fail: PROBLEM };
    }
  };
  for (let at = 0; at < CUES; at += 1) {
    const cue: CueOptions = {
      when: {
        ...(dice.below(2) === 0 ? {} : { cursor: dice.one(items).id }),
        ...(dice.below(2) === 0 ? {} : { operation: 'listAutomations' }),
        nth: 1 + dice.below(20),
      },
      then: Array.from({ length: 1 + dice.below(3) }, actionOf),
      at: dice.one(['before', 'after']),
      times: dice.one([1, 1, 2, Infinity]),
    };
    account.cue(cue);
    model.cues.push({ cue, seen: 0, fired: 0 });
  }
  const cursors = Array.from({ length: REQUESTS }, () => (dice.below(3) === 0 ? undefined : dice.one(all).id));
  return { account, model, cursors };
}

async function sendAll({ url }: TestServer, { account, model, cursors }: Tested): Promise<void> {
  for (const cursor of cursors) {
    const after = cursor === undefined ? '' : `&after=${cursor}`;
    const { status, body } = await ask({ url, apiKey: account.apiKey }, `/automations?limit=${String(LIMIT)}${after}`);
    const { result, cues } = model.request(cursor);
    const got = status === 200 ? (body.data as Automation[]).map((it) => it.id) : status;
    expect({ got, cues: account.requests.at(-1)?.cues }).toEqual({ got: result, cues });
  }
}
