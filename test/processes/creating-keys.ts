/** Creates keys one after another until it is killed: `creating-keys.ts DB` prints the id of each once it is stored. */
import process from 'node:process';
import { createKey } from '../../cli/keys.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';

const writer = openWriter(process.argv[2] ?? '');
// Waits while the pipe is full: `writeSync` throws EAGAIN then.
for (;;) process.stdout.write(`${(await createKey(writer, 'acme', '')).id}\n`);
