/** Fails on a version of Node that is too old. `index.ts` imports it before the rest of the kit. */
import { nodeRefusal } from '../runtime.ts';

const refusal = nodeRefusal();
if (refusal !== undefined) throw new Error(refusal);
