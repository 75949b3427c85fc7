/** `rollcall keys`: issues, lists and revokes the keys of accounts. */
import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { keyHash, newKey } from '../store/keys.ts';
import type { Key, MaybePromise, Writer } from '../store/store.ts';
import { databaseOf } from './database.ts';
import { expiry } from './expiry.ts';
import { parseName } from './option-values.ts';
import { accountOption, dbOption, existingDbOption, jsonOption } from './options.ts';
import { notify, print, printJson, table } from './output.ts';
import { Refusal } from './refusal.ts';

const ID_BYTES = 8;

export function keysCommand(): Command {
  const create = new Command('create')
    .description('Create a key; it is shown once, on standard output')
    .addOption(accountOption())
    .addOption(new Option('--label <text>', 'what the key is for').argParser(parseName))
    .option(
      '--expires <when>',
      'days from now such as 90d, or a UTC date such as 2030-12-31, at whose start it ends',
      expiry,
    )
    .addOption(dbOption())
    .action(async ({ account, label = '', expires, db }: CreateOptions) => {
      const { id, key, accountIsNew } = await withWriter(databaseOf(db).openWriter(), (writer) =>
        createKey(writer, account, label, expires),
      );
      print(key);
      const until = expires === undefined ? '' : ` until ${expires}`;
      notify(`Key ${id} opens account "${account}"${until}. It is not shown again.`);
      if (accountIsNew) notify(`Account "${account}" is new and empty.`);
    });

  const list = new Command('list')
    .description('List the keys of all accounts, without the keys themselves')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .action(async ({ db, json }: { db: string; json?: true }) => {
      const listed = await withWriter(databaseOf(db).openWriter(true), (writer) => writer.listKeys());
      const used = await usesOf(db);
      const keys = listed.map((it): ListedKey => ({ ...it, lastUsedAt: used.get(it.id) ?? null }));
      if (json === true) printJson(keys);
      else print(...table(['ID', 'ACCOUNT', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED', 'LABEL'], keys.map(rowOf)));
      if (keys.length === 0) notify('There are no keys yet. Create one: rollcall keys create --account NAME');
    });

  const revoke = new Command('revoke')
    .description('Revoke a key; it stops working at once, for good')
    .argument('<id>', 'the id of the key, from `keys list`')
    .addOption(existingDbOption())
    .action(async (id: string, { db }: { db: string }) => {
      const key = await withWriter(databaseOf(db).openWriter(true), (writer) => writer.revokeKey(id, now()));
      if (key === undefined) throw new Refusal(`There is no key ${JSON.stringify(id)}. See: rollcall keys list`);
      const when = key.revokedAt === null ? 'is revoked' : `was revoked already, at ${key.revokedAt}`;
      print(`Key ${key.id} of account "${key.account}" ${when}.`);
    });

  return new Command('keys')
    .description('Create, list and revoke API keys')
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke);
}

interface CreateOptions {
  readonly account: string;
  readonly label?: string;
  readonly expires?: string;
  readonly db: string;
}

interface ListedKey extends Key {
  /** As servers have written it down: up to a minute late. */
  readonly lastUsedAt: string | null;
}

interface CreatedKey {
  readonly id: string;
  /** The key itself, which cannot be had again. */
  readonly key: string;
  readonly accountIsNew: boolean;
}

/**
 * Creates a key and stores its hash.
 * @param expiresAt the instant at which it ends, if it does: ISO 8601, UTC, with milliseconds.
 * @param key the key itself: a new one, unless one is given.
 */
export async function createKey(
  writer: Writer,
  account: string,
  label: string,
  expiresAt: string | null = null,
  key = newKey(),
): Promise<CreatedKey> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const { accountIsNew } = await writer.createKey({ id, account, label, createdAt: now(), expiresAt }, keyHash(key));
  return { id, key, accountIsNew };
}

const now = (): string => new Date().toISOString();

/** @returns when keys were last used. Where that cannot be read, keys can be listed all the same. */
async function usesOf(db: string): Promise<ReadonlyMap<string, string>> {
  try {
    return await databaseOf(db).lastUses();
  } catch (error) {
    notify(`When keys were last used cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return new Map();
  }
}

async function withWriter<T>(opened: MaybePromise<Writer>, work: (writer: Writer) => MaybePromise<T>): Promise<T> {
  const writer = await opened;
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

const rowOf = ({ id, account, createdAt, lastUsedAt, expiresAt, revokedAt, label }: ListedKey): readonly string[] => [
  id,
  account,
  createdAt,
  lastUsedAt ?? '-',
  expiresAt ?? '-',
  revokedAt ?? '-',
  label,
];
