/** `rollcall keys`: issues, lists and revokes the keys of accounts. */
import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { keyHash, newKey } from '../store/keys.ts';
import { openWriter } from '../store/sqlite/open.ts';
import type { Key, Writer } from '../store/store.ts';
import { parseName } from './option-values.ts';
import { accountOption, dbOption } from './options.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';

const ID_BYTES = 8;

export function keysCommand(): Command {
  const create = new Command('create')
    .description('Create a key; it is shown once, on standard output')
    .addOption(accountOption())
    .addOption(new Option('--label <text>', 'what the key is for').argParser(parseName))
    .addOption(dbOption())
    .action(async ({ account, label = '', db }: { account: string; label?: string; db: string }) => {
      const { id, key, accountIsNew } = await withWriter(openWriter(db), (writer) => createKey(writer, account, label));
      print(key);
      notify(`Key ${id} opens account "${account}". It is not shown again.`);
      if (accountIsNew) notify(`Account "${account}" is new and empty.`);
    });

  const list = new Command('list')
    .description('List the keys of all accounts, without the keys themselves')
    .addOption(dbOption())
    .action(async ({ db }: { db: string }) => {
      const keys = await withWriter(openWriter(db, true), (writer) => writer.listKeys());
      print(...table(keys));
      if (keys.length === 0) notify('There are no keys yet. Create one: rollcall keys create --account NAME');
    });

  const revoke = new Command('revoke')
    .description('Revoke a key; it stops working at once, for good')
    .argument('<id>', 'the id of the key, from `keys list`')
    .addOption(dbOption())
    .action(async (id: string, { db }: { db: string }) => {
      const key = await withWriter(openWriter(db, true), (writer) => writer.revokeKey(id, now()));
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

interface CreatedKey {
  readonly id: string;
  /** The key itself, which cannot be had again. */
  readonly key: string;
  readonly accountIsNew: boolean;
}

/** Creates a key and stores its hash. */
export async function createKey(writer: Writer, account: string, label: string): Promise<CreatedKey> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = newKey();
  const { accountIsNew } = await writer.createKey({ id, account, label, createdAt: now() }, keyHash(key));
  return { id, key, accountIsNew };
}

const now = (): string => new Date().toISOString();

async function withWriter<T>(writer: Writer, work: (writer: Writer) => T | Promise<T>): Promise<T> {
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

function table(keys: readonly Key[]): readonly string[] {
  const rows = [
    ['ID', 'ACCOUNT', 'CREATED', 'REVOKED', 'LABEL'],
    ...keys.map(({ id, account, createdAt, revokedAt, label }) => [id, account, createdAt, revokedAt ?? '-', label]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd());
}
