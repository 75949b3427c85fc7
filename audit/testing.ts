/** `@rollcall/audit/testing`: a server of any paginated list, inside any test suite. */
export { startFake } from './fake/start.ts';
export type { Fake, FakeOptions, SeenRequest } from './fake/start.ts';
