/** `rollcall db copy` that is killed, on the way up and on the way out: what it leaves is whole, and a second run says what is there. */
import { rmSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { databaseOf } from '../../../cli/database.ts';
import { createKey } from '../../../cli/keys.ts';
import { COLLECTIONS } from '../../../contract/collections.ts';
import type { Inspector } from '../../../server/store/inspector.ts';
import type { HashedKey } from '../../../server/store/store.ts';
import { automation, contactImport } from '../../../testkit/builders.ts';
import { contract } from '../../support/app.ts';
import { afterFile } from '../../support/after-test.ts';
import { openFolder } from '../../support/cli.ts';
import { openDatabase } from '../../support/engine.ts';
import { killAt } from '../../support/kill.ts';
import { folder } from '../../support/own-folder.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';

const ACCOUNTS = ['a', 'b', 'c'];
const KEYS = 400;

/** What a database holds. */
interface Content {
  /** Texts by account and collection, of what is not empty. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly keys: readonly HashedKey[];
}

async function read(inspector: Inspector): Promise<Content> {
  const texts = new Map<string, string[]>();
  for (const account of ACCOUNTS) {
    for (const collection of COLLECTIONS) {
      const found: string[] = [];
      for await (const it of (await inspector.texts(account, collection)) ?? []) found.push(it);
      if (found.length > 0) texts.set(`${account} ${collection}`, found);
    }
  }
  return { texts, keys: await inspector.keys() };
}

/** @returns what is read; `undefined` of a database that is not there yet, or not ready. */
async function inspect<T>(address: string, look: (inspector: Inspector) => T): Promise<Awaited<T> | undefined> {
  let inspector: Inspector;
  try {
    inspector = await databaseOf(address).openInspector();
  } catch {
    return undefined;
  }
  try {
    return await look(inspector);
  } finally {
    await inspector.close();
  }
}

const originals = openFolder();
const original = originals.path('original.db');
let whole: Content;
beforeAll(async () => {
  afterFile(originals.remove);
  const writer = await databaseOf(original).openWriter();
  for (const account of ACCOUNTS) {
    await loadInto(writer, 'automations', series(800, automation), { contract, account });
    await loadInto(writer, 'contactImports', series(800, contactImport), { contract, account });
  }
  for (let at = 0; at < KEYS; at += 1) {
    const { id } = await createKey(writer, ACCOUNTS[at % 3] ?? '', String(at));
    if (at % 2 === 0) await writer.revokeKey(id, '2026-01-02T03:04:05.678Z');
  }
  await writer.close();
  whole = (await inspect(original, read)) ?? { texts: new Map(), keys: [] };
  expect([whole.texts.size, whole.keys.length]).toEqual([6, KEYS]);
});

/** The part of a whole that may be there: collections as a whole, and keys once all records are, each as it is. */
function expectPart({ texts, keys }: Content): void {
  for (const [name, found] of texts) expect(found).toEqual(whole.texts.get(name));
  if (keys.length > 0) expect(texts.size).toBe(whole.texts.size);
  const ids = new Set(keys.map((it) => it.id));
  expect(keys).toEqual(whole.keys.filter((it) => ids.has(it.id)));
}

const accounts = async (inspector: Inspector): Promise<number> => (await inspector.accounts()).length;
const keys = async (inspector: Inspector): Promise<number> => (await inspector.keys()).length;

describe.each(['to PostgreSQL', 'to a file'])('%s', (way) => {
  let from: string;
  let to: string;
  /** Makes what is copied into as it was. */
  let empty: () => Promise<void>;
  beforeEach(async () => {
    const { address } = await openDatabase();
    if (way === 'to PostgreSQL') {
      [from, to] = [original, address];
      empty = async () => {
        const writer = await databaseOf(to).openWriter();
        for (const it of ACCOUNTS) await writer.removeAccount(it);
        await writer.close();
      };
    } else {
      [from, to] = [address, folder.path('back.db')];
      expect(await folder.call(['db', 'copy', original, from])).toMatchObject({ code: 0, stderr: '' });
      empty = () => {
        for (const end of ['', '-wal', '-shm']) rmSync(to + end, { force: true });
        return Promise.resolve();
      };
    }
  });

  test.each<[string, number, (inspector: Inspector) => Promise<number>]>([
    ['after its first account', 1, accounts],
    ['after half of its keys', KEYS / 2, keys],
  ])('killed %s', async (_, least, countOf) => {
    await killAt(
      async () => ((await inspect(to, countOf)) ?? 0) >= least,
      async () => {
        await empty();
        return folder.start(['db', 'copy', from, to]);
      },
    );
    const left = await inspect(to, read);
    expectPart(left ?? { texts: new Map(), keys: [] });

    expect(await folder.call(['db', 'copy', from, to])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'rollcall: The target already has an account, "a". Choose an empty database.\n',
    });
    expect(await inspect(to, read)).toEqual(left);
    for (const { name } of (await inspect(to, (it) => it.accounts())) ?? []) {
      expect(await folder.call(['accounts', 'delete', name, '--yes', '--db', to])).toMatchObject({ code: 0 });
    }
    expect(await folder.call(['db', 'copy', from, to])).toMatchObject({ code: 0, stderr: '' });
    const copied = await inspect(to, read);
    expect(copied?.texts).toEqual(whole.texts);
    expectPart(copied ?? { texts: new Map(), keys: [] });
    expect(copied?.keys).toHaveLength(KEYS);
  });
});
