/** Faults of a client, each in one place of driver.ts, and the rule of `rollcall examine` that must name each first. */
import { CONTEXT_FAULTS } from './faults/contexts.ts';
import { ERROR_FAULTS } from './faults/errors.ts';
import type { Fault } from './faults/fault.ts';
import { PAGINATION_FAULTS } from './faults/pagination.ts';
import { PROCESS_FAULTS } from './faults/processes.ts';
import { REQUEST_FAULTS } from './faults/requests.ts';
import { RETRY_FAULTS } from './faults/retries.ts';
import { SERVER_FAULTS } from './faults/servers.ts';
import { VALUE_FAULTS } from './faults/values.ts';

export const FAULTS: readonly Fault[] = [
  ...PAGINATION_FAULTS,
  ...ERROR_FAULTS,
  ...RETRY_FAULTS,
  ...VALUE_FAULTS,
  ...REQUEST_FAULTS,
  ...SERVER_FAULTS,
  ...CONTEXT_FAULTS,
  ...PROCESS_FAULTS,
];

/** @throws if no fault, or more than one, has the name. */
export function faultNamed(name: string): Fault {
  const [fault, ...others] = FAULTS.filter((it) => it.name === name);
  if (fault === undefined || others.length > 0) throw new Error(`The faults have no, or more than one, "${name}".`);
  return fault;
}
