/** `rollcall keys`: issues, lists and revokes the keys of accounts. */
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isKey, keyHash, newKey } from '../server/store/keys.ts';
import type { Key, Writer } from '../server/store/store.ts';
import { commandFor, inspect, isNewFile, notifyCreated, waitOption, withWriter } from './database.ts';
import { CliError, isSystemError, wordsOf } from '../command/command-errors.ts';
import { accountOption, jsonOption, parseName } from './options.ts';
import { notify, print, printJson, printOrThrow, table } from '../command/output.ts';
import { dbOption, existingDbOption } from './settings.ts';

const ID_BYTES = 8;

export function keysCommand(): Command {
  const create = new Command('create')
    .description('Create a key and print it once')
    .addOption(accountOption())
    .addOption(new Option('--label <text>', 'purpose of the key').argParser(parseName))
    .option(
      '--expires <when>',
      'expiry: a number of days, such as 90d, or a UTC date at whose start the key expires, such as 2030-12-31',
      parseExpiry,
    )
    .addOption(dbOption())
    .addOption(waitOption())
    .action(async ({ account, label = '', expires, ...options }: CreateOptions) => {
      const isNew = isNewFile(options.db);
      const { id, accountIsNew } = await withWriter(options, async (writer) => {
        const created = await createKey(writer, account, label, expires);
        await printKey(created, writer);
        return created;
      });
      const until = expires === undefined ? '' : `, valid until ${expires}`;
      notify(`Created key ${id} for account "${account}"${until}. The key is not shown again.`);
      if (isNew) notifyCreated(options.db);
      if (accountIsNew) notify(`Created account "${account}", which has no records.`);
    });

  const list = new Command('list')
    .description('List the keys of all accounts, without the secret keys themselves')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .action(async ({ db, json }: { db: string; json?: true }) => {
      const keys = (await inspect(db, (inspector) => inspector.keys())).map(({ hash: _, ...key }): Key => key);
      if (json === true) printJson(keys);
      else print(...table(['ID', 'ACCOUNT', 'CREATED', 'EXPIRES', 'REVOKED', 'LABEL'], keys.map(rowOf)));
      if (keys.length === 0)
        notify(`No keys yet. To create one, run: ${commandFor(db, 'keys create --account <account>')}`);
    });

  const revoke = new Command('revoke')
    .description('Revoke a key permanently')
    .argument('<id>', 'id of the key, as shown by `rollcall keys list`, or the key itself')
    .addOption(existingDbOption())
    .addOption(waitOption())
    .action(async (given: string, options: { db: string; wait: number }) => {
      const id = isKey(given) ? await idOf(options.db, given) : given;
      const unchanged = `Key ${id} was not revoked and remains active.`;
      const key = await withWriter({ ...options, mustExist: true, unchanged }, (writer) => writer.revokeKey(id, now()));
      if (key === undefined)
        throw new CliError(
          `Key ${JSON.stringify(id)} does not exist. To list the keys, run: ${commandFor(options.db, 'keys list')}`,
        );
      const when = key.revokedAt === null ? 'was revoked' : `was already revoked at ${key.revokedAt}`;
      print(`Key ${key.id} of account "${key.account}" ${when}.`);
    });

  /** @returns the id of a key: whoever has only the key, such as one that has leaked, can revoke it. */
  const idOf = async (db: string, key: string): Promise<string> => {
    const hash = keyHash(key);
    const found = (await inspect(db, (inspector) => inspector.keys())).find((stored) => stored.hash.equals(hash));
    if (found === undefined) throw new CliError('This key does not exist in the database.');
    return found.id;
  };

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
  readonly wait: number;
}

interface CreatedKey {
  readonly id: string;
  /** The key itself, which cannot be retrieved again. */
  readonly key: string;
  readonly accountIsNew: boolean;
}

/**
 * Creates a key and stores its hash.
 * @param expiresAt the time at which the key expires, if it does: ISO 8601, UTC, with milliseconds.
 * @param key the key itself; a new one by default.
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

/** Prints a key. If that fails, revokes the key: it was never shown, but would give access to its account forever. */
async function printKey({ id, key }: CreatedKey, writer: Writer): Promise<void> {
  try {
    await printOrThrow(key);
  } catch (error) {
    const lost = `Key ${id} could not be printed: ${messageOf(error)}.`;
    try {
      await writer.revokeKey(id, now());
    } catch (reason) {
      throw new CliError(`${lost} It is still active, because it could not be revoked: ${messageOf(reason)}`);
    }
    throw new CliError(`${lost} It has been revoked.`);
  }
}

function messageOf(error: unknown): string {
  if (isSystemError(error)) return wordsOf(error);
  return error instanceof Error ? error.message : String(error);
}

const now = (): string => new Date().toISOString();

const rowOf = ({ id, account, createdAt, expiresAt, revokedAt, label }: Key): readonly string[] => [
  id,
  account,
  createdAt,
  expiresAt ?? '-',
  revokedAt ?? '-',
  label,
];

const MS_PER_DAY = 86_400_000;
const ALLOWED =
  'It must be a number of days from 1d to 9999d, or a future UTC date such as 2030-12-31 or 2030-12-31T12:00:00Z.';

/**
 * Parses `--expires WHEN`.
 * @returns the instant, as ISO 8601 in UTC with milliseconds.
 * @throws InvalidArgumentError, which commander reports as wrong usage.
 */
function parseExpiry(value: string): string {
  const instant = new Date(
    /^[1-9]\d{0,3}d$/.test(value) ? Date.now() + Number.parseInt(value) * MS_PER_DAY : date(value),
  );
  if (!(instant.getTime() > Date.now())) throw new InvalidArgumentError(ALLOWED);
  return instant.toISOString();
}

/** @returns milliseconds since 1970; NaN if the value is no date. */
function date(value: string): number {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(value)) return Number.NaN;
  const time = Date.parse(value);
  // Date.parse accepts an impossible day, and returns a day of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.replace('Z', '')) ? time : Number.NaN;
}
