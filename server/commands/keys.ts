/** `rollcall keys`: issues, lists and revokes the keys of accounts. */
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { Command, Option } from 'commander';
import { keyHash, newKey } from '../store/keys.ts';
import { openWriter } from '../store/sqlite/open.ts';
import type { Key, Writer } from '../store/store.ts';
import { accountOption, dbOption, parseName } from './options.ts';
import { Refusal } from './refusal.ts';

const ID_BYTES = 4;

export function keysCommand(): Command {
  const create = new Command('create')
    .description('Create a key; it is shown once, on standard output')
    .addOption(accountOption())
    .addOption(new Option('--label <text>', 'what the key is for').argParser(parseName))
    .addOption(dbOption())
    .action(async ({ account, label = '', db }: { account: string; label?: string; db: string }) => {
      const { id, key } = await withWriter(openWriter(db), (writer) => createKey(writer, account, label));
      process.stdout.write(`${key}\n`);
      process.stderr.write(`Key ${id} opens account "${account}". It is not shown again.\n`);
    });

  const list = new Command('list')
    .description('List the keys of all accounts, without the keys themselves')
    .addOption(dbOption())
    .action(async ({ db }: { db: string }) => {
      const keys = await withWriter(openWriter(db, true), (writer) => writer.listKeys());
      process.stdout.write(table(keys));
      if (keys.length === 0)
        process.stderr.write('There are no keys yet. Create one: rollcall keys create --account NAME\n');
    });

  const revoke = new Command('revoke')
    .description('Revoke a key; it stops working at once, for good')
    .argument('<id>', 'the id of the key, from `keys list`')
    .addOption(dbOption())
    .action(async (id: string, { db }: { db: string }) => {
      const key = await withWriter(openWriter(db, true), (writer) => writer.revokeKey(id, now()));
      if (key === undefined) throw new Refusal(`There is no key ${JSON.stringify(id)}. See: rollcall keys list`);
      const when = key.revokedAt === null ? 'is revoked' : `was revoked already, at ${key.revokedAt}`;
      process.stdout.write(`Key ${key.id} of account "${key.account}" ${when}.\n`);
    });

  return new Command('keys')
    .description('Create, list and revoke API keys')
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke);
}

/** Makes a key and files its hash. @returns the key, which cannot be had again, and its id. */
export async function createKey(writer: Writer, account: string, label: string): Promise<{ id: string; key: string }> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const key = newKey();
  await writer.createKey({ id, account, label, createdAt: now() }, keyHash(key));
  return { id, key };
}

const now = (): string => new Date().toISOString();

async function withWriter<T>(writer: Writer, work: (writer: Writer) => T | Promise<T>): Promise<T> {
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

function table(keys: readonly Key[]): string {
  const rows = [
    ['ID', 'ACCOUNT', 'CREATED', 'REVOKED', 'LABEL'],
    ...keys.map(({ id, account, createdAt, revokedAt, label }) => [id, account, createdAt, revokedAt ?? '-', label]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
