/** The workloads of a soak, each repeated until it is over. They throw on any fault. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { attackOf } from '../hostile/attacks.ts';
import type { Dice } from '../hostile/attacks.ts';
import { runAttack } from '../hostile/peer.ts';
import type { Folder, Ran } from '../support/cli.ts';
import { ROOT } from '../support/project.ts';

export interface Soak {
  readonly folder: Folder;
  readonly url: string;
  readonly key: string;
  readonly dice: Dice;
}

const PAUSE_MS = 5;
const LIST = '/contacts/imports';
const SAMPLE = join(ROOT, 'server/samples/contact-imports.ndjson');
// Imported again and again; the rest stays.
const RELOADED = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n').slice(0, 50);
const ids = RELOADED.map((it) => (JSON.parse(it) as { id: string }).id);

/** @throws Error unless the response has one of these statuses. */
async function get({ url }: Soak, key: string, target: string, statuses: readonly number[]): Promise<void> {
  const response = await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`${target}: ${String(response.status)}: ${text}`);
}

async function must(folder: Folder, argv: readonly string[], input?: string): Promise<Ran> {
  const ran = await folder.run(argv, input === undefined ? {} : { input });
  if (ran.code !== 0) throw new Error(`${argv.join(' ')} ends with ${String(ran.code)}: ${ran.stderr}`);
  return ran;
}

interface Worker {
  /** How many do the same at a time. */
  readonly among: number;
  readonly work: (soak: Soak) => Promise<void>;
}

/** By name. */
export const WORKERS: Readonly<Record<string, Worker>> = {
  cached: {
    among: 4,
    work: async (soak) => {
      await get(soak, soak.key, LIST, [200]);
      await pause(PAUSE_MS);
    },
  },
  'distinct pages': {
    among: 4,
    work: async (soak) => {
      const { dice } = soak;
      const limit = String(1 + dice.below(100));
      await get(soak, soak.key, `${LIST}?limit=${limit}&${dice.one(['after', 'before'])}=${dice.one(ids)}`, [200]);
      await pause(PAUSE_MS);
    },
  },
  'single records': {
    among: 4,
    work: async (soak) => {
      await get(soak, soak.key, `${LIST}/${soak.dice.one(ids)}`, [200]);
      await pause(PAUSE_MS);
    },
  },
  errors: {
    among: 2,
    work: async (soak) => {
      const { dice } = soak;
      await get(soak, soak.key, `${LIST}?limit=${String(101 + dice.below(1_000_000))}`, [422]);
      await get(soak, `unknown-${String(dice.below(1_000_000))}`, LIST, [401]);
      await pause(PAUSE_MS);
    },
  },
  hostile: {
    among: 4,
    work: async ({ url, key, dice }) => {
      const { faults } = await runAttack(new URL(url), attackOf(dice, key));
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  },
  imports: {
    among: 1,
    work: async ({ folder }) => {
      await must(folder, ['import', 'contact-imports', '--account', 'acme'], `${RELOADED.join('\n')}\n`);
      await pause(1000);
    },
  },
  'keys revoked': {
    among: 1,
    work: async (soak) => {
      const { folder } = soak;
      const { stdout, stderr } = await must(folder, ['keys', 'create', '--account', 'acme']);
      const [key, id] = [stdout.trim(), /^Key (\S+) /.exec(stderr)?.[1] ?? ''];
      await get(soak, key, LIST, [200]);
      await must(folder, ['keys', 'revoke', id]);
      await get(soak, key, LIST, [401]);
      await pause(2000);
    },
  },
};
