/** What a server costs besides its requests: its start. */
import { ask } from './answers.ts';
import { ROLLCALL } from './contenders.ts';
import { run } from './processes.ts';
import { cpuNs, median } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';

const STARTS = 9;

/** What a server costs from its start to its first 200, against a Node that does nothing: CPU, which a busy machine does not slow. */
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
      rollcall.push(cpuNs(server.pid) / 1e6);
    } finally {
      await server.stop();
    }
  }
  const row = (contender: string, ms: readonly number[]): Row => ({
    ...{ work: 'start to first 200, CPU', contender, value: median(ms), unit: 'ms' },
    ratio: median(ms.map((it, at) => it / (node[at] ?? NaN))),
  });
  return [
    row('node -e 0', node),
    row(ROLLCALL.name, rollcall),
    { work: 'start to first 200', contender: ROLLCALL.name, value: median(wall), unit: 'ms' },
  ];
}
