/** `@rollcall/audit/testing`: a server of any paginated list, inside any test suite. */
import { startFake as start } from './fake/start.ts';
import type { startFake as Declared } from './fake/types.ts';

// The package has the declarations of `fake/types.ts` alone: those of all files would be a tenth of it.
export const startFake: typeof Declared = start;
