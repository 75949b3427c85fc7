/** Whether the statements that serve requests are the index searches that they have to be, and how many blocks each reads. */
import type { Client } from 'pg';
import { SERVING } from '../../../server/store/postgres/dialect.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { SERVING_PLANS, executed, mostBlocks, stepsOf } from '../../support/plans.ts';
import type { Row } from '../rows.ts';
import { COMMON, RARE } from '../records.ts';
import { accountsOf, idOf, keyOf } from './fill.ts';
import type { Size } from './fill.ts';

const LIMITS = [10, 100];

/**
 * @param client a connection of its own.
 * @param collection the number of the contact imports.
 * @returns the most blocks that each statement reads, wherever in the list of an account of each size.
 * @throws Error if one is planned in another way than with few records.
 */
export async function plans(client: Client, collection: number, size: Size): Promise<readonly Row[]> {
  await client.query(SERVING);
  const { rows: stores } = await client.query<{ epoch: string }>('SELECT epoch FROM rollcall_store');
  const epoch = stores[0]?.epoch ?? '';
  const rows: Row[] = [];
  for (const { statement, steps } of SERVING_PLANS) {
    const { name, text } = statement;
    const planned = await stepsOf(client, text);
    if (planned.join('\n') !== steps.join('\n')) throw new Error(`${name} is planned as\n${planned.join('\n')}`);
    await client.query(`PREPARE ${name} AS ${text}`);
    const indexes = new Set(planned.flatMap((it) => /using rollcall_(records\w+)/.exec(it)?.[1] ?? []));
    for (const limit of name.startsWith('page') ? LIMITS : [1]) {
      const most: Record<string, number> = {};
      for (const [kind, account] of Object.entries(accountsOf(size))) {
        const blocks: number[] = [];
        for (const values of await parametersOf(client, name, { account, collection, limit, epoch })) {
          const found = await executed(client, name, values);
          if (found.rows === 0 && kind !== 'empty') throw new Error(`${name} finds nothing of the ${kind} account.`);
          blocks.push(found.blocks);
        }
        most[kind] = Math.max(...blocks);
      }
      const each = Object.entries(most).map(([kind, blocks]) => `${kind} ${String(blocks)}`);
      rows.push({
        work: [name, ...indexes].join(', '),
        contender: `limit=${String(limit)}: ${each.join(', ')}`,
        value: Math.max(...Object.values(most)),
        unit: 'blocks',
        atMost: { value: mostBlocks(limit + 1) },
      });
    }
  }
  return rows;
}

interface Where {
  readonly account: number;
  readonly collection: number;
  readonly limit: number;
  readonly epoch: string;
}

/** @returns the parameters of a statement for places at both ends of an account's list and within it, and each kind of status. */
async function parametersOf(
  client: Client,
  name: string,
  { account, collection, limit, epoch }: Where,
): Promise<string[][]> {
  const hash = `\\x${keyHash(keyOf(account)).toString('hex')}`;
  if (name === 'authenticate') return [[hash, epoch]];
  const forKey = name.endsWith('_for_key') ? [hash, new Date().toISOString()] : [];
  const at = [String(account), String(collection)];
  const { rows } = await client.query<{ id: string }>(
    `SELECT ${idOf('account', 'greatest(0, (size - 1) * part / 8)')} AS id
     FROM bench_sizes, generate_series(0, 8) AS part WHERE account = $1`,
    [account],
  );
  const ids = rows.map(({ id }) => id);
  if (name.startsWith('get')) return ids.map((id) => [...at, id, epoch, ...forKey]);
  const filters = name.includes('_filtered') ? [[COMMON], [RARE]] : [[]];
  const cursors = name.startsWith('page_first') ? [[]] : ids.map((id) => [id]);
  return filters.flatMap((filter) =>
    cursors.map((cursor) => [...at, String(limit + 1), epoch, ...filter, ...cursor, ...forKey]),
  );
}
