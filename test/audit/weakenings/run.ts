/**
 * Weakens each rule of `conform` in turn, by one value or one check, and tells which planted fault it no longer finds; and the model of the
 * contract, by one condition, and tells which of its cases it no longer has: `npm run test:weakenings -- [PART OF A FILE'S NAME...]`.
 * What nothing notices needs a fault or a case, or is superfluous.
 */
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { forEach, say } from '../../support/catalogue.ts';
import { weakeningsOfModel } from './model.ts';
import { weakeningsOf } from './weakenings.ts';
import type { Weakening } from './weakenings.ts';

/** Replaces a part of a source file when it is loaded, and looks for a fault that is no longer found. */
async function work({ file, start, end, instead, rules }: Weakening): Promise<void> {
  const weakened = pathToFileURL(file).href;
  const source = readFileSync(file, 'utf8');
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== weakened) return loaded;
      return { ...loaded, source: source.slice(0, start) + instead + source.slice(end) };
    },
  });
  // Loaded only now, with what it imports.
  const noticed = rules.length === 0 ? await lostCase() : await lostFault(rules);
  if (noticed !== undefined) parentPort?.postMessage(noticed);
}

/** @returns a case that the model does not have. */
async function lostCase(): Promise<string | undefined> {
  const { CASES } = await import('../conform/model-cases.ts');
  return CASES.find(({ run }) => {
    try {
      const { actual, expected } = run();
      return !isDeepStrictEqual(actual, expected);
    } catch {
      return true; // It cannot answer at all.
    }
  })?.name;
}

/** @returns a fault that its rule does not find. */
async function lostFault(rules: readonly string[]): Promise<string | undefined> {
  const [{ FAULTS }, { judged, openServer }] = await Promise.all([
    import('../mutants/faults.ts'),
    import('../mutants/server.ts'),
  ]);
  await using server = await openServer();
  for (const { name, rule, ...change } of FAULTS) {
    if (!rules.includes(rule)) continue;
    let isFound = false;
    try {
      for await (const result of judged(server, change, { only: [rule], crossed: 0, seed: 1 }))
        isFound ||= result.outcome === 'failed' && result.rule === rule;
    } catch {
      // The weakened rule, or the run, cannot go on: that is noticed.
    }
    if (!isFound) return name;
  }
  return undefined;
}

/** @returns what notices a weakening. One with which the rules do not load, or do not end, is noticed too. */
async function noticedBy(weakening: Weakening): Promise<string | undefined> {
  const worker = new Worker(new URL(import.meta.url), { workerData: weakening });
  let noticed: string | undefined;
  worker.on('message', (name: string) => (noticed = name));
  try {
    await once(worker, 'exit');
  } catch (error) {
    return `an error: ${String(error)}`;
  }
  return noticed;
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const files = globSync('audit/conform/{*-rules,values,cases}.ts').sort();
  const every = [...weakeningsOfModel('audit/conform/model.ts'), ...weakeningsOf(files)];
  const all = every.filter(({ file }) => names.length === 0 || names.some((name) => file.includes(name)));
  const unnoticed: string[] = [];
  await forEach(all, availableParallelism(), async (weakening) => {
    const { file, line, what } = weakening;
    const noticed = await noticedBy(weakening);
    const text = `${file}:${String(line)} ${what}`;
    say(noticed === undefined ? `  ✗ ${text}` : `  ✓ ${text}: ${noticed}`);
    if (noticed === undefined) unnoticed.push(text);
  });
  say(`\n${String(all.length)} weakenings, of which nothing notices ${String(unnoticed.length)}:`);
  for (const text of unnoticed.sort()) say(`  ${text}`);
}

await (isMainThread ? main() : work(workerData as Weakening));
