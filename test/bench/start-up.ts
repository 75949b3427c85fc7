/** What a server costs from its start to its first 200, against a Node that does nothing: CPU, which a busy machine does not slow. */
import { ask } from './answers.ts';
import { ROLLCALL } from './contenders.ts';
import { cpuUs, run } from './processes.ts';
import { median } from './rows.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';

const STARTS = 9;

export async function startUp(records: number): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const [node, rollcall, wall]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < STARTS; at += 1) {
    node.push((await run([process.execPath, '-e', '0'])).cpuMs);
    const started = performance.now();
    const server = await ROLLCALL.start({ seed: seeded, responseFile: '' });
    try {
      const { status } = await ask(server.url, '/contacts/imports', { Authorization: `Bearer ${seeded.key}` });
      if (status !== 200) throw new Error(`The first response is ${String(status)}.`);
      wall.push(performance.now() - started);
      rollcall.push(cpuUs(server.pid) / 1000);
    } finally {
      await server.stop();
    }
  }
  const row = (contender: string, ms: readonly number[]): Row => ({
    ...{ work: 'start to first 200, CPU', contender, value: median(ms), unit: 'ms', rounds: ms },
    ratio: median(ms.map((it, at) => it / (node[at] ?? NaN))),
  });
  return [
    row('node -e 0', node),
    { ...row(ROLLCALL.name, rollcall), atMost: { ratio: 15 } },
    { work: 'start to first 200', contender: ROLLCALL.name, value: median(wall), unit: 'ms', rounds: wall },
  ];
}
