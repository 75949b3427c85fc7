/** Fails on a version of Node that is too old. `index.ts` imports it before the rest of the kit. */
import { nodeVersionError } from '../server/runtime.ts';

const error = nodeVersionError();
if (error !== undefined) throw new Error(error);
