/** Imported before the rest of the kit, which loads the database engine only when a server is started. */
import { nodeRefusal } from '../runtime.ts';

const refusal = nodeRefusal();
if (refusal !== undefined) throw new Error(refusal);
