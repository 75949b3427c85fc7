/** Before the suite: the hundreds of processes that it starts compile, and strip of types, what has changed, once. */
import { fileURLToPath } from 'node:url';

/** Of this checkout: others change other files at the same time. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/rollcall-compiled', import.meta.url));

/** Node looks up what it has compiled by the text of a file, so that nothing is run but what stands in it. */
export default function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= FOLDER;
}
