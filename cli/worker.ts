/** A worker as a process: the number and settings that the primary gives it, and its reports to the primary. */
import process from 'node:process';
import type { Lifecycle, Observer } from '../server/http/events.ts';
import { settingVariables } from './settings.ts';
import type { Settings } from './settings.ts';

/** The environment variables with a worker's number, and with the settings of the primary. */
const [NUMBER_VARIABLE, SETTINGS_VARIABLE] = ['ROLLCALL_WORKER', 'ROLLCALL_WORKER_SETTINGS'];

/** This worker's number, from 1; a replacement has the number of the worker it replaces. `undefined` if this process is not a worker. */
export const workerNumber = process.send === undefined ? undefined : process.env[NUMBER_VARIABLE];

/**
 * @param settings as the primary has read them: a file of settings may have changed, or be gone, when a worker is replaced.
 * @returns the environment of a worker, besides that of the primary.
 */
export const workerEnvironment = (
  number: number,
  settings: Settings,
): Readonly<Record<string, string | undefined>> => ({
  [NUMBER_VARIABLE]: String(number),
  [SETTINGS_VARIABLE]: JSON.stringify(settings),
  // A variable that an option overrides need not be valid.
  ...Object.fromEntries(settingVariables().map((name) => [name, undefined])),
});

/** @returns the settings that the primary has given to this worker. */
export const workerSettings = (): Settings => JSON.parse(process.env[SETTINGS_VARIABLE] ?? '') as Settings; // Of `workerEnvironment`.

/** A worker's report to the primary: the worker listens, drains, or has stopped. */
export type Report = Pick<Lifecycle, 'state'> & Partial<Lifecycle>;

/** Reports that this worker listens or drains; does nothing in a process that is not a worker. */
export const reportToPrimary: Observer = {
  lifecycle: (event) => {
    if (event.state !== 'stopped') report(event);
  },
};

/**
 * Reports that this worker has stopped. The primary then ends it. Until then the primary may still pass connections to this worker, which
 * passes them back. If the worker ended by itself, these connections would get no response.
 */
export function reportStopped(): void {
  report({ state: 'stopped' });
}

function report(message: Report): void {
  if (workerNumber === undefined) return;
  // Not by `node:cluster`, whose import adds 8 ms to every start.
  process.send?.(message, undefined, undefined, () => undefined); // Errors are ignored: if the primary has ended, Node ends this process.
}
