/** `rollcall/testing`: a real server inside anybody's test suite. */
import './demand-node.ts'; // First.
import '../real-time.ts'; // Before a test can replace its timers.
import type { startRollcall as StartRollcall } from './start.ts';

export { automation, build, contactImport, contactProperty, createBuilders } from './builders.ts';
export type { BuilderOptions, Builders, Move } from './builders.ts';
export type { Records, TestAccount } from './account.ts';
export type { ErrorStatus, Fault } from './faults.ts';
export type { SeenRequest } from './requests.ts';
export type { TestServer, TestServerOptions } from './start.ts';
export type { Collection } from '../contract/collections.ts';

/**
 * Starts a server on a free port of loopback.
 * @param records what its first account holds at the start; they are checked like those of `rollcall import`.
 * @param options how it is set up.
 * @throws TypeError if a record is not as the contract has it, and says which, where and why; or for an unknown collection
 *   or option.
 */
export const startRollcall: typeof StartRollcall = async (records, options) =>
  // What it takes to serve is loaded when it is needed: importing the kit is quick, and harmless where it cannot run.
  (await import('./start.ts')).startRollcall(records, options);
