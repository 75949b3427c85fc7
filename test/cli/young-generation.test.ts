/** The young generation grows while many objects survive, up to its bound. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

// V8 begins with 1 MB and its copy.
const DOUBLED_MB = 4;
const BOUND_MB = 8;

// A separate process: the flag applies to a whole process.
const program = (then: string): string => `
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { setImmediate as turn } from 'node:timers/promises';
  import { boundYoungGeneration, holdYoungGeneration } from '${new URL('../../server/cli/young-generation.ts', import.meta.url).href}';
  const mb = () => getHeapSpaceStatistics().find((it) => it.space_name === 'new_space').space_size / 1024 / 1024;
  holdYoungGeneration();
  const held = [];
  const survive = async () => {
    const sizes = [];
    for (let at = 0; at < 1000; at += 1) {
      held.push(Array.from({ length: 1000 }, () => ({ at })));
      await turn();
      sizes.push(mb());
    }
    // Pages that survive as a whole are counted until they are swept: the smallest size between two collections is the true one.
    return Math.min(...sizes.slice(-300));
  };
  const before = [await survive(), await survive()];
  ${then}
  await survive(); // It grows one collection after another.
  console.log(JSON.stringify([...before, await survive()]));
  process.exit();
`;
const run = async (then: string): Promise<readonly number[]> => {
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }; // So that the objects that survive its start do not depend on earlier starts.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(then)], { env });
  return JSON.parse(stdout) as number[];
};

test('it is held until it is bounded, then grows to two semi-spaces of 4 MB', async () => {
  const [before, held, after] = await run('boundYoungGeneration();');
  expect(before).toBeLessThan(DOUBLED_MB);
  expect(held).toBeLessThan(DOUBLED_MB);
  expect(after).toBeGreaterThanOrEqual(BOUND_MB);
  // On a busy machine a collection may be reported after the next one: V8 has doubled it once more.
  expect(after).toBeLessThanOrEqual(2 * BOUND_MB);
});

test('without a bound the same program makes it larger', async () => {
  const [, , after] = await run(`setFlagsFromString('--semi-space-growth-factor=2');`);
  expect(after).toBeGreaterThan(2 * BOUND_MB);
});
