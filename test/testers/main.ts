/**
 * Runs contract testers of others against Rollcall: `npm run test:e2e -- testers [schemathesis] [respect] [prism] [portman]`.
 * Each must be green with the contract, and red with every copy of it that has a fault the tester should see.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutate } from './contract-mutants.ts';
import type { ContractMutant } from './contract-mutants.ts';
import { portman } from './portman.ts';
import { prism } from './prism.ts';
import { respect } from './respect.ts';
import { schemathesis } from './schemathesis.ts';
import { startTarget } from './target.ts';
import type { Tester } from './tester.ts';

const TESTERS: ReadonlyMap<string, Tester> = new Map(Object.entries({ schemathesis, respect, prism, portman }));
const CONTRACT = fileURLToPath(import.meta.resolve('#openapi'));

const say = (text: string): void => void process.stdout.write(`${text}\n`);
function fail(text: string, output: string): void {
  process.exitCode = 1;
  say(`${output}\nFAILED: ${text}`);
}

async function check(name: string, { prepare, test, finds }: Tester): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `rollcall-${name}-`));
  try {
    await prepare(folder);
    await using server = await startTarget();
    const task = { folder, url: server.url, apiKey: server.apiKey };

    const { ok, output } = await test({ ...task, contract: CONTRACT, quick: false });
    if (ok) say(`${output}\n${name}: green`);
    else fail(`${name} finds a fault`, output);
    if (server.errors.length > 0) fail(`${name} made the server fail`, server.errors.map(String).join('\n'));

    for (const [mutant, says] of Object.entries(finds) as [ContractMutant, RegExp][]) {
      const contract = join(folder, 'wrong.yaml');
      await writeFile(contract, mutate(mutant, await readFile(CONTRACT, 'utf8')));
      const red = await test({ ...task, contract, quick: true });
      if (!red.ok && says.test(red.output)) say(`${name}: red where ${mutant}`);
      else fail(`${name} does not find that ${mutant}`, red.output);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
for (const name of names.length === 0 ? TESTERS.keys() : names) {
  const tester = TESTERS.get(name);
  if (tester === undefined) throw new Error(`There is no tester ${name}: ${[...TESTERS.keys()].join(', ')}.`);
  await check(name, tester);
}
