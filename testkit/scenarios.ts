/** Scenarios: predefined cues, built from the records of an account. `docs/test-kit.md` describes a correct client. */
import { fromMicroseconds, toMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import type { components } from '../generated/control.ts';
import { Conflict, assertInteger, assertKnown, assertObject } from './assert.ts';
import { createBuilders } from './builders.ts';
import type { Action, Cue, CueOptions } from './cues.ts';
import type { EngineAccount } from './engine.ts';

export type ScenarioName = components['schemas']['ScenarioName'];

export interface ScenarioOptions {
  /** The `limit` that the client lists with, from 1 to 100. Default: 2. */
  readonly limit?: number | undefined;
}

type Automation = Schemas['Automation'];

/** The records of an account that a scenario needs. Each function throws Conflict if the account lacks them. */
interface Source {
  /** The `limit` that the client lists with. */
  readonly limit: number;
  /** @returns a matcher for the second request of the list. Asserts that there is a second page. */
  readonly secondPage: () => { readonly operation: 'listAutomations'; readonly nth: number };
  /** @returns the n-th automation of the list, or the n-th with this status, starting at 1. */
  readonly automation: (n: number, status?: Automation['status']) => Automation;
  /** @returns the last automation of a list whose last page is full. */
  readonly lastOfFullPage: () => Automation;
  /** @returns the first contact import of the list that is queued. */
  readonly queuedImport: () => Schemas['ContactImport'];
}

const putAutomations = (...records: readonly Automation[]): Action => ({ put: { collection: 'automations', records } });

const SCENARIOS: Readonly<Record<ScenarioName, (source: Source) => CueOptions>> = {
  'insert-at-head-while-paginating': ({ secondPage, automation }) => ({
    when: secondPage(),
    then: [putAutomations(newerThan(automation(1)))],
  }),
  'cursor-removed': ({ secondPage, automation, limit }) => {
    const { operation } = secondPage();
    const { id } = automation(limit);
    return { when: { operation, cursor: id }, then: [{ remove: { collection: 'automations', ids: [id] } }] };
  },
  'status-changes-out-of-filter': ({ secondPage, automation, limit }) => {
    automation(limit + 1, 'enabled'); // The list of those that are enabled has a second page too.
    return { when: secondPage(), then: [putAutomations({ ...automation(limit, 'enabled'), status: 'disabled' })] };
  },
  'import-progresses-per-poll': ({ queuedImport }) => ({
    when: { operation: 'getContactImport', nth: 3 },
    then: [{ moveImport: { id: queuedImport().id, total: 100 } }],
    times: 2,
  }),
  'rate-limited-midway': ({ secondPage }) => ({
    when: secondPage(),
    then: [{ fail: { error: 'rate_limit_exceeded', retryAfter: 1 } }],
  }),
  'outage-and-recovery': ({ secondPage }) => ({
    when: { operation: secondPage().operation },
    at: 'after',
    then: [{ fail: { status: 503, retryAfter: 1 } }, { fail: { disconnect: true } }, { fail: { status: 500 } }],
  }),
  'last-page-full': ({ lastOfFullPage }) => ({
    when: { operation: 'listAutomations', cursor: lastOfFullPage().id },
    then: [{ fail: { error: 'validation_error' } }],
  }),
  'ties-across-pages': ({ automation, limit }) => {
    // A list has newer records first, and of one time those with the greater id. So these three remain together, and one of
    // them, the first in this order, is the last record of the first page.
    const next = [automation(limit + 2), automation(limit + 1)];
    const { created_at } = automation(limit);
    return {
      when: { operation: 'listAutomations' },
      then: [putAutomations(...next.map((it) => ({ ...it, created_at })))],
    };
  },
  'key-revoked-midway': ({ secondPage }) => ({ when: secondPage(), then: [{ revokeKey: true }] }),
};
const OPTIONS: readonly string[] = ['name', 'limit'] satisfies (keyof ScenarioOptions | 'name')[];
const MAX_LIMIT = 100; // Of a list.
const DEFAULT_LIMIT = 2;
const SECOND_US = 1_000_000n;

/**
 * Adds the cue of a scenario to an account that has the records for it.
 * @param options `name`, and `limit`. They may come from JavaScript or from JSON.
 * @throws TypeError or RangeError if an option is invalid, or the account does not have the records.
 */
export async function addScenario(account: EngineAccount, options: unknown): Promise<Cue> {
  assertObject('A scenario', options, '{ name: "cursor-removed", limit: 2 }');
  assertKnown('scenario option', Object.keys(options), OPTIONS);
  const { name, limit = DEFAULT_LIMIT } = options;
  assertKnown('scenario', [name], Object.keys(SCENARIOS));
  assertInteger('limit', limit, 1, MAX_LIMIT);
  const source = await sourceOf(account, name as ScenarioName, limit as number); // Checked above.
  return account.cues.add(SCENARIOS[name as ScenarioName](source));
}

async function sourceOf({ data }: EngineAccount, name: ScenarioName, limit: number): Promise<Source> {
  const { automations = [], contactImports = [] } = await data.records();
  const found = <T>(record: T | undefined, what: string): T => {
    if (record === undefined) throw new Conflict(`The scenario ${name} requires ${what} in the account.`);
    return record;
  };
  const automation: Source['automation'] = (n, status) => {
    const among = automations.filter((it) => status === undefined || it.status === status);
    return found(among[n - 1], `${String(n)} automations${status === undefined ? '' : ` that are ${status}`}`);
  };
  return {
    limit,
    secondPage: () => {
      automation(limit + 1);
      return { operation: 'listAutomations', nth: 2 };
    },
    automation,
    lastOfFullPage: () =>
      found(
        automations.length % limit === 0 ? automations.at(-1) : undefined,
        `automations whose number is a multiple of ${String(limit)}`,
      ),
    queuedImport: () =>
      found(
        contactImports.find((it) => it.status === 'queued'),
        'a contact import that is queued',
      ),
  };
}

/** @returns an automation that is a second newer than another, always with the same id. */
function newerThan({ created_at: createdAt }: Automation): Automation {
  const us = toMicroseconds(createdAt) ?? 0n; // As every record of the account, it has been validated.
  return createBuilders({ seed: 'scenario' }).automation({ name: 'New', created_at: fromMicroseconds(us + SECOND_US) });
}
