/** The workloads of a soak, each repeated until it is over. They throw on any fault. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackOf } from '../../test/hostile/attacks.ts';
import type { Dice } from '../../test/hostile/attacks.ts';
import { runAttack } from '../../test/hostile/peer.ts';
import type { Folder, Ran } from '../../test/support/cli.ts';
import { ROOT } from '../../test/support/project.ts';

export interface Soak {
  readonly folder: Folder;
  readonly url: string;
  readonly key: string;
  readonly dice: Dice;
}

const LIST = '/contacts/imports';
const SAMPLE = join(ROOT, 'server/samples/contact-imports.ndjson');
// Imported again and again; the rest stays.
const RELOADED = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n').slice(0, 50);
const ids = RELOADED.map((it) => (JSON.parse(it) as { id: string }).id);

/** @throws Error unless the response has this status. */
async function get({ url }: Soak, key: string, target: string, status: number): Promise<void> {
  const response = await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${target}: ${String(response.status)}: ${text}`);
}

async function must(folder: Folder, argv: readonly string[], input?: string): Promise<Ran> {
  const ran = await folder.run(argv, input === undefined ? {} : { input });
  if (ran.code !== 0) throw new Error(`${argv.join(' ')} ends with ${String(ran.code)}: ${ran.stderr}`);
  return ran;
}

interface Worker {
  /** How many do the same at a time. */
  readonly among: number;
  /** How long each of them waits before the next time; 5 ms, unless it says so. */
  readonly pauseMs?: number;
  readonly work: (soak: Soak) => Promise<unknown>;
}

/** By name. */
export const WORKERS: Readonly<Record<string, Worker>> = {
  cached: {
    among: 4,
    work: (soak) => get(soak, soak.key, LIST, 200),
  },
  'distinct pages': {
    among: 4,
    work: (soak) => {
      const { dice } = soak;
      const limit = String(1 + dice.below(100));
      return get(soak, soak.key, `${LIST}?limit=${limit}&${dice.one(['after', 'before'])}=${dice.one(ids)}`, 200);
    },
  },
  'single records': {
    among: 4,
    work: (soak) => get(soak, soak.key, `${LIST}/${soak.dice.one(ids)}`, 200),
  },
  errors: {
    among: 2,
    work: async (soak) => {
      const { dice } = soak;
      await get(soak, soak.key, `${LIST}?limit=${String(101 + dice.below(1_000_000))}`, 422);
      await get(soak, `unknown-${String(dice.below(1_000_000))}`, LIST, 401);
    },
  },
  hostile: {
    among: 4,
    pauseMs: 0,
    work: async ({ url, key, dice }) => {
      const { faults } = await runAttack(new URL(url), attackOf(dice, key));
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  },
  imports: {
    among: 1,
    pauseMs: 1000,
    work: ({ folder }) => must(folder, ['import', 'contact-imports', '--account', 'acme'], `${RELOADED.join('\n')}\n`),
  },
  'keys revoked': {
    among: 1,
    pauseMs: 2000,
    work: async (soak) => {
      const { folder } = soak;
      const { stdout, stderr } = await must(folder, ['keys', 'create', '--account', 'acme']);
      const [key, id] = [stdout.trim(), /^Created key (\S+) /.exec(stderr)?.[1] ?? ''];
      await get(soak, key, LIST, 200);
      await must(folder, ['keys', 'revoke', id]);
      await get(soak, key, LIST, 401);
    },
  },
};
