/**
 * Runs `audit` and `conform` against hostile servers of lists: `node hostile/lists.ts [--servers N] [--seed N]`. Fails if a command shows the
 * key, requests another server, prints an invalid report, or does not end within two seconds of its time limit, alone either.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runLists } from '../../test/hostile/list-run.ts';
import { report } from '../support/report.ts';

// They wait most of the time.
const PROCESSES = 8;
const LATE_MS = 2000;

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const [count, seed] = [Number(options.servers), Number(options.seed)];
const { codes, faults } = await runLists({ seed, count, processes: PROCESSES, lateMs: LATE_MS });
for (const fault of faults) process.stdout.write(`     ${fault}\n`);
report(
  faults.length === 0,
  `${String(count)} hostile servers of lists from seed ${String(seed)}: exit codes ${JSON.stringify(codes)}`,
);
