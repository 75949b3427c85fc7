/** `rollcall/testing`: a real server inside anybody's test suite. */
export { automation, build, contactImport, contactProperty } from './builders.ts';
export type { Fault } from './fault.ts';
export type { Move } from './moves.ts';
export { startRollcall } from './start.ts';
export type { Records, TestServer } from './start.ts';
export type { Collection } from '../contract/collections.ts';
