/** How long a server takes from its start to its first 200, against a Node that does nothing. */
import { execFileSync } from 'node:child_process';
import { ask } from './answers.ts';
import { ROLLCALL } from './contenders.ts';
import { median } from './rows.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';

const STARTS = 9;

export async function startUp(records: number): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const [node, rollcall]: [number[], number[]] = [[], []];
  for (let at = 0; at < STARTS; at += 1) {
    node.push(await wallMs(() => execFileSync(process.execPath, ['-e', '0'])));
    let stop = (): Promise<void> => Promise.resolve();
    rollcall.push(
      await wallMs(async () => {
        const server = await ROLLCALL.start({ seed: seeded, answerFile: '' });
        stop = server.stop;
        const { status } = await ask(server.url, '/contacts/imports', { Authorization: `Bearer ${seeded.key}` });
        if (status !== 200) throw new Error(`The first answer is ${String(status)}.`);
      }),
    );
    await stop();
  }
  const row = (contender: string, ms: readonly number[]): Row => ({
    ...{ work: 'start to first 200', contender, value: median(ms), unit: 'ms', rounds: ms },
    ratio: median(ms) / median(node),
  });
  return [row('node -e 0', node), { ...row(ROLLCALL.name, rollcall), atMost: { ratio: 10, value: 400 } }];
}

async function wallMs(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
