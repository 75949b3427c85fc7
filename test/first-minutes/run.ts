/**
 * The first ten minutes of README.md's readers: `npm run test:e2e -- first-minutes`. Copies the commands out of README.md and of the pages to
 * which it sends each reader, and runs them at a clean machine: a root file system with Node and curl only. A command that fails, or that prints
 * something else than the page shows, fails the run. Prints how long each command and each reader took.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { copySources } from '../support/project.ts';
import { HOME, Machine, createRoot } from './machine.ts';
import { operate } from './operator.ts';
import { Reader, notCopied } from './reader.ts';
import { consumeApi, generate, packCommand, testContract } from './readers.ts';

/** Blocks of README.md that no reader runs here. They need the whole project, and test/docs/recipes.test.ts checks their scripts. */
const NOT_COPIED = ['README.md, In a clone: sh'];
const PASSED_ON = ['PATH', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'http_proxy', 'https_proxy'];

const times: (readonly [name: string, seconds: number])[] = [];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Does a part, and notes how long it took. */
async function timed(name: string, work: () => void | Promise<void>): Promise<void> {
  say(name);
  const started = performance.now();
  await work();
  times.push([name, (performance.now() - started) / 1000]);
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'rollcall-minutes-'));
  for (const it of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(it, () => {
      rmSync(work, { recursive: true, force: true });
      process.exit(130); // The machines end with this process.
    });
  }
  try {
    const root = join(work, 'root');
    const folder = (name: string): string => {
      const it = join(work, name);
      mkdirSync(it);
      return it;
    };
    await timed('Clean root file system', () => {
      createRoot(root);
    });

    await using operator = new Machine(root, folder('operator'), true);
    await operator.connect();
    const clone = join(operator.home, 'rollcall');
    await timed('Packages, built in a clone', async () => {
      const sources = folder('sources');
      copySources(sources);
      operator.copy(sources, 'rollcall');
      const [install = '', pack = '', ...others] = packCommand().split(' && ');
      assert.deepEqual(others, []);
      const reader = new Reader(operator);
      for (const it of [install, pack]) await reader.run(it, { cwd: `${HOME}/rollcall` });
    });
    const tarballs = readdirSync(clone).filter((it) => it.endsWith('.tgz'));
    assert.equal(tarballs.length, 2);

    for (const [name, read] of Object.entries({
      'API consumer': consumeApi,
      'Generator team': generate,
      'Contract tester': testContract,
    })) {
      await using machine = new Machine(root, folder(name));
      await machine.connect();
      await machine.run('mkdir rollcall');
      for (const it of tarballs) machine.copy(join(clone, it), `rollcall/${it}`);
      await timed(name, () => read(new Reader(machine)));
    }
    await timed('Operator', () => operate(new Reader(operator)));
    assert.deepEqual(notCopied('README.md', NOT_COPIED), []);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  say('\nSeconds');
  for (const [name, seconds] of times) say(`${seconds.toFixed(1).padStart(7)}  ${name}`);
  say(
    `${times
      .reduce((sum, [, it]) => sum + it, 0)
      .toFixed(1)
      .padStart(7)}  in all`,
  );
}

if (process.getuid?.() === 0) {
  await main();
} else {
  // Namespaces, owners and the root file system need root.
  const argv = [
    '-n',
    `--preserve-env=${PASSED_ON.join()}`,
    'env',
    `PATH=${process.env['PATH'] ?? ''}`,
    process.execPath,
    import.meta.filename,
  ];
  process.exitCode = spawnSync('sudo', argv, { stdio: 'inherit' }).status ?? 1;
}
