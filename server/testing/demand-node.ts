/** Imported before the rest of the kit, which loads the database engine only when a server is started. */
import { nodeVersionError } from '../runtime.ts';

const refusal = nodeVersionError();
if (refusal !== undefined) throw new Error(refusal);
