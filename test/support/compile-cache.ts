/** Before the suite: the hundreds of processes that it starts compile, and strip of types, what has changed, once. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node looks up what it has compiled by the text of a file, so that nothing is run but what stands in it. */
export default function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache'); // Where `rollcall` itself keeps it.
}
