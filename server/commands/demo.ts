/** `rollcall demo`: one command to a server with records that look like a real account's. */
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { COLLECTIONS, commandName, noun, pathOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { databaseOf } from './database.ts';
import { createKey } from './keys.ts';
import { print } from './output.ts';
import { serveUntilStopped } from './serve.ts';
import { addSettings } from './setting-sources.ts';
import { defaultSettings } from './settings.ts';
import type { Settings } from './settings.ts';

// Ignored by git; the samples are loaded anew each time.
const FOLDER = '.rollcall-demo';
const ACCOUNT = 'demo';
// A file for each collection, named like it, in any format that `import` reads.
const SAMPLES = dirname(fileURLToPath(import.meta.resolve('#samples/file')));
// Of what the demo's call lists.
const LISTED = pathOf('contactImports');

export function demoCommand(): Command {
  const command = new Command('demo').description(
    `Serve sample records from ${FOLDER}/, with a key and a call to copy`,
  );
  return addSettings(command, ['port']).action(async ({ port }: Pick<Settings, 'port'>) => {
    await mkdir(FOLDER, { recursive: true });
    const db = join(FOLDER, 'rollcall.db');
    const { key, holds } = await prepare(db);
    await serveUntilStopped({ ...defaultSettings(), db, port }, (url) => {
      print(...welcome(url, key, holds));
    });
  });
}

async function prepare(db: string): Promise<{ key: string; holds: readonly string[] }> {
  const { loadContract } = await import('../contract/document.ts');
  const { importFiles } = await import('./import-files.ts');
  const contract = loadContract();
  const writer = await databaseOf(db).openWriter();
  try {
    const holds: string[] = [];
    for (const collection of COLLECTIONS) {
      const files = [await sampleOf(collection)];
      const loaded = await importFiles(writer, contract, { account: ACCOUNT, collection, files, replace: true });
      if (loaded.refusals.length > 0) throw new Error(loaded.refusals.join('\n'));
      holds.push(`${loaded.after.toLocaleString('en')} ${noun(collection)}`);
    }
    return { key: (await createKey(writer, ACCOUNT, 'demo')).key, holds };
  } finally {
    await writer.close();
  }
}

async function sampleOf(collection: Collection): Promise<string> {
  const file = (await readdir(SAMPLES)).find((it) => parse(it).name === commandName(collection));
  if (file === undefined) throw new Error(`There is no sample of ${noun(collection)}.`);
  return join(SAMPLES, file);
}

const welcome = (url: string, key: string, holds: readonly string[]): readonly string[] => [
  '',
  'Rollcall demo',
  '',
  `  address   ${url}`,
  `  key       ${key}`,
  `  account   ${holds.join(', ')}`,
  '',
  'Copy this into another terminal:',
  '',
  `  curl -H 'Authorization: Bearer ${key}' '${url}${LISTED}?limit=2'`,
  '',
  'Ctrl-C stops the server.',
  '',
];
