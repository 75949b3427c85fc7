/** This process as one of several workers, and what it says to the one that started it. */
import process from 'node:process';
import type { Lifecycle, Observer } from '../http/events.ts';

/** The variable with a worker's number. */
export const NUMBER_VARIABLE = 'ROLLCALL_WORKER';

/** Its number, from 1; a worker that takes the place of another has the same. `undefined` if this process is not a worker. */
export const workerNumber = process.send === undefined ? undefined : process.env[NUMBER_VARIABLE];

/** It serves, it drains, or it is done. */
export type Report = Pick<Lifecycle, 'state'> & Partial<Lifecycle>;

/** To be told of what this worker notices; nothing happens in a process that is not one. */
export const tellPrimary: Observer = {
  lifecycle: (it) => {
    if (it.state !== 'stopped') report(it);
  },
};

/**
 * Lets a worker that is done end. It waits for the process that started it, which may have handed it more connections meanwhile:
 * while it is there they are handed back, afterwards they would be answered by nobody.
 */
export function leave(): void {
  report({ state: 'stopped' });
}

function report(it: Report): void {
  if (workerNumber === undefined) return;
  // Not by `node:cluster`, whose import would make every start 8 ms longer.
  process.send?.(it, undefined, undefined, () => undefined); // Where nobody is left to be told, Node ends this process.
}
