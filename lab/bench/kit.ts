/** What an account of the test kit costs, in JavaScript and through the control API. */
import { createBuilders, startRollcall } from '../../testkit/index.ts';
import { openFolder } from '../../test/support/cli.ts';
import { cpuNs, median } from '../support/measure.ts';
import type { Row } from './rows.ts';

const ROUNDS = 5;
const ACCOUNTS = 200;
/** Of each account. */
const AUTOMATIONS = 10;
const NS_PER_MS = 1e6;

/** @returns the CPU of the server for an account that is created, in milliseconds; the accounts of the first round are not counted. */
export async function accounts(): Promise<readonly Row[]> {
  const { automation } = createBuilders();
  const records = { automations: Array.from({ length: AUTOMATIONS }, () => automation()) };
  const measure = async (contender: string, pid: number, create: () => Promise<unknown>): Promise<Row> => {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = cpuNs(pid);
      for (let at = 0; at < ACCOUNTS; at += 1) await create();
      rounds.push((cpuNs(pid) - before) / NS_PER_MS / ACCOUNTS);
    }
    const work = `account with ${String(AUTOMATIONS)} records, CPU`;
    return { work, contender, value: median(rounds.slice(1)), unit: 'ms' };
  };

  const server = await startRollcall();
  const folder = openFolder();
  try {
    const inJavaScript = await measure('JavaScript', process.pid, () => server.account(records));
    const demo = folder.start(['demo', '--port', '0', '--key', 'k', '--control', '--json']);
    const [line] = await demo.printed(/^.*\n/);
    const { control } = JSON.parse(line) as { control: { url: string; key: string } };
    const body = JSON.stringify({ records });
    const headers = { authorization: `Bearer ${control.key}` };
    const byControl = await measure('control API', demo.process.pid ?? 0, async () => {
      const response = await fetch(`${control.url}/accounts`, { method: 'POST', headers, body });
      if (response.status !== 201) throw new Error(await response.text());
      await response.arrayBuffer();
    });
    return [inJavaScript, byControl];
  } finally {
    folder.remove();
    await server.close();
  }
}
