/** The nursery grows where much survives, and not beyond its bound. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

// V8 begins with 1 MB and its copy, and some of its pages may be counted before they are in use.
const DOUBLED_MB = 4;

// A process of its own: the flag is one of the whole process.
const program = (isBounded: boolean): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as turn } from 'node:timers/promises';
  import { boundNursery, holdNursery } from '${new URL('../../server/commands/nursery.ts', import.meta.url).href}';
  const mb = () => getHeapSpaceStatistics().find((it) => it.space_name === 'new_space').space_size / 1024 / 1024;
  holdNursery();
  const held = [];
  const survive = async () => {
    for (let at = 0; at < 1000; at += 1) {
      held.push(Array.from({ length: 1000 }, () => ({ at })));
      await turn();
    }
    return mb();
  };
  const before = [await survive(), await survive()];
  ${isBounded ? 'boundNursery();' : ''}
  console.log(JSON.stringify([...before, await survive()]));
  process.exit();
`;
const run = async (isBounded: boolean): Promise<readonly number[]> => {
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }; // What survives its start does not depend on earlier ones.
  const argv = ['--input-type=module', '-e', program(isBounded)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
  return JSON.parse(stdout) as number[];
};

test('it is held until it is bounded, and grows to 4 MB and their copies then', async () => {
  const [before, held, after] = await run(true);
  expect(before).toBeLessThan(DOUBLED_MB);
  expect(held).toBeLessThan(DOUBLED_MB);
  expect(after).toBe(8);
});

test('it stays as it was held otherwise', async () => {
  for (const it of await run(false)) expect(it).toBeLessThan(DOUBLED_MB);
});
