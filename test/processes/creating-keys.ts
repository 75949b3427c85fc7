/** Creates keys one after another until it is killed: `creating-keys.ts DB` prints the id of each once it is stored. */
import { writeSync } from 'node:fs';
import { createKey } from '../../server/cli/keys.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';

const writer = openWriter(process.argv[2] ?? '');
for (;;) writeSync(1, `${(await createKey(writer, 'acme', '')).id}\n`);
