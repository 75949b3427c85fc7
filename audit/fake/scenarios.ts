/** The table of scenarios, and which of them a list has. */
import type { Profile } from '../lists/profile.ts';
import { whyNot } from './scenario.ts';
import type { Facts, Scenario } from './scenario.ts';
import { FAILURES } from './scenarios/failures.ts';
import { LISTS } from './scenarios/lists.ts';
import { REQUESTS } from './scenarios/requests.ts';
import { VALUES } from './scenarios/values.ts';

export const SCENARIOS: readonly Scenario[] = [...LISTS, ...VALUES, ...FAILURES, ...REQUESTS];

/** Scenarios that share a list. */
export interface Pack {
  readonly name: string;
  readonly scenarios: readonly [Scenario, ...Scenario[]];
}

/** @returns the packs of the scenarios that a list has: each is one run of a client. */
export function packsOf(profile: Profile, facts: Facts): readonly Pack[] {
  const packs = new Map<string, [Scenario, ...Scenario[]]>();
  for (const scenario of SCENARIOS) {
    if (whyNot(scenario, profile, facts) !== undefined) continue;
    const all = packs.get(scenario.pack);
    if (all === undefined) packs.set(scenario.pack, [scenario]);
    else all.push(scenario);
  }
  return [...packs].map(([name, scenarios]) => ({ name, scenarios }));
}
