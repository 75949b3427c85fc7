/** `rollcall demo`: one command to a server with records that look like a real account's. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { noun } from '../contract/collections.ts';
import { openWriter } from '../store/sqlite/open.ts';
import type { Collection } from '../contract/collections.ts';
import { createKey } from './keys.ts';
import { portOption } from './options.ts';
import { serveUntilStopped } from './serve.ts';

// Ignored by git; the samples are loaded anew each time.
const FOLDER = '.rollcall-demo';
const ACCOUNT = 'demo';
// One of each format that `import` reads.
const SAMPLES: readonly (readonly [Collection, string])[] = [
  ['automations', import.meta.resolve('#samples/automations.json')],
  ['contactProperties', import.meta.resolve('#samples/contact-properties.json')],
  ['contactImports', import.meta.resolve('#samples/contact-imports.ndjson')],
];

export function demoCommand(): Command {
  return new Command('demo')
    .description(`Serve sample records from ${FOLDER}/, with a key and a call to copy`)
    .addOption(portOption())
    .action(async ({ port }: { port: number }) => {
      await mkdir(FOLDER, { recursive: true });
      const db = join(FOLDER, 'rollcall.db');
      const { key, holds } = await prepare(db);
      await serveUntilStopped({ db, port, host: '127.0.0.1' }, ({ url }) => {
        process.stdout.write(welcome(url, key, holds));
      });
    });
}

async function prepare(db: string): Promise<{ key: string; holds: readonly string[] }> {
  const { loadContract } = await import('../contract/document.ts');
  const { importFiles } = await import('./import-files.ts');
  const contract = loadContract();
  const writer = openWriter(db);
  try {
    const holds: string[] = [];
    for (const [collection, url] of SAMPLES) {
      const loaded = await importFiles(writer, contract, {
        account: ACCOUNT,
        collection,
        files: [fileURLToPath(url)],
        replace: true,
      });
      holds.push(`${loaded.after.toLocaleString('en')} ${noun(collection)}`);
    }
    return { key: (await createKey(writer, ACCOUNT, 'demo')).key, holds };
  } finally {
    await writer.close();
  }
}

function welcome(url: string, key: string, holds: readonly string[]): string {
  return `
Rollcall demo

  address   ${url}
  key       ${key}
  account   ${holds.join(', ')}

Copy this into another terminal:

  curl -H 'Authorization: Bearer ${key}' '${url}/contacts/imports?limit=2'

Ctrl-C stops the server.
`;
}
