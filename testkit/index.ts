/** `rollcall/testing`: a real server inside any test suite. */
import './assert-node.ts'; // Before the modules that need a newer Node.
import '../server/real-time.ts'; // Before a test can replace the timers.
import type { startRollcall as StartRollcall } from './start.ts';

export { automation, build, contactImport, contactProperty, createBuilders } from './builders.ts';
export type { BuilderOptions, Builders, Move } from './builders.ts';
export type { Change, Records } from './account.ts';
export type { Action, Cue, CueOptions, When } from './cues.ts';
export type { NewAccount, Snapshot } from './server-state.ts';
export type { ErrorStatus, Fault } from './faults.ts';
export type { SeenRequest } from './requests.ts';
export type { ScenarioName, ScenarioOptions } from './scenarios.ts';
export type { TestAccount, TestServer, TestServerOptions } from './start.ts';
export type { Collection } from '../contract/collections.ts';

/**
 * Starts a server on a free port of loopback. It does not keep its process alive: for a script that only serves, use `rollcall demo`.
 * @param records the records of its first account at the start, validated like those of `rollcall import`.
 * @throws TypeError if a record does not match the contract, with a message that says which record, where and why; or if
 *   a collection or option does not exist.
 */
export const startRollcall: typeof StartRollcall = async (records, options) =>
  // The server and the database engine are loaded on first use: importing the kit is fast, also where it cannot run.
  (await import('./start.ts')).startRollcall(records, options);
