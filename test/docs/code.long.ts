/** Every block of TypeScript in README.md, client/README.md and docs/*.md runs as it stands, against the demo, and so do the recipes of docs/examples. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { automation, contactImport, startRollcall } from '../../testkit/index.ts';
import { afterFile, afterTest } from '../support/after-test.ts';
import { openFolder } from '../support/cli.ts';
import { PAGES, blocksOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { series } from '../support/series.ts';

// The packages from here instead of from a registry.
const MODULES = {
  "'@tanstack/query-core'": 'node_modules/@tanstack/query-core/build/modern/index.js',
  "'@rollcall/client'": 'client/index.ts',
  "'rollcall/testing'": 'testkit/index.ts',
  "'@rollcall/audit/testing'": 'audit/testing.ts',
};

const blocks = PAGES.flatMap(blocksOf).filter((it) => it.language === 'ts');

let demo: { readonly url: string; readonly key: string };
beforeAll(async () => {
  const shared = openFolder();
  afterFile(shared.remove);
  const [line] = await shared.start(['demo', '--port', '0', '--json']).printed(/^.*\n/);
  demo = JSON.parse(line) as typeof demo;
});

test('there are such blocks', () => {
  expect(blocks.length).toBeGreaterThan(8);
});

/** Writes a block as a program against a server. @returns the arguments of Node that run it, and its environment. */
function programOf(
  code: string,
  { url, key }: typeof demo,
): { readonly argv: string[]; readonly env: NodeJS.ProcessEnv } {
  const runnable = Object.entries(MODULES)
    .reduce((text, [name, path]) => text.replaceAll(name, JSON.stringify(join(ROOT, path))), code)
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('rollcall_…', key);
  writeFileSync(folder.path('example.mts'), runnable);
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return { argv: ['--no-warnings', folder.path('example.mts')], env };
}

test.each(blocks)('$page, $heading runs', ({ code }) => {
  const { argv, env } = programOf(code, demo);
  const { status, stderr, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const tests = code.match(/^test\(/gm)?.length ?? 0;
  if (tests > 0) expect(stdout).toMatch(new RegExp(`^\\S pass ${String(tests)}$`, 'm'));
  else expect(stdout).not.toBe('');
});

const recipe = (name: string): string => readFileSync(join(ROOT, 'docs/examples/tanstack', name), 'utf8');

describe('docs/examples/tanstack/infinite-list.ts', () => {
  const records = series(12, (it) => automation({ ...it, status: 'enabled' }));
  /** Runs the recipe with another start, and then lines of code. @returns what it printed. */
  const runWith = async (start: string, lines: readonly string[]): Promise<string> => {
    const server = await startRollcall({ automations: records });
    afterTest(() => server.close());
    const code = recipe('infinite-list.ts')
      .replace('const start: Cursor = {}', `const start: Cursor = ${start}`)
      .replace(
        'import { InfiniteQueryObserver, QueryClient }',
        'import { dehydrate, InfiniteQueryObserver, QueryClient }',
      );
    const { argv, env } = programOf([code, ...lines].join('\n'), { url: server.url, key: server.apiKey });
    // Asynchronous, because the server is in this process.
    return (await promisify(execFile)(process.execPath, argv, { env })).stdout;
  };

  test('read to the end, in keys and pages that are the same as JSON: Next.js rejects others in the props of a page', async () => {
    const printed = await runWith('{ after: undefined }', [
      'while (list.getCurrentResult().hasNextPage) await list.fetchNextPage();',
      'const { queries: [cached] } = dehydrate(queries);',
      "(await import('node:assert')).deepStrictEqual(cached, JSON.parse(JSON.stringify(cached)));",
      'console.log(JSON.stringify({ queryKey: cached.queryKey, data: cached.state.data }));',
    ]);
    const [example, cached = ''] = printed.trimEnd().split('\n');
    expect(example).toBe('[ 2, 2 ] true');
    const starts = [0, 2, 4, 6, 8, 10];
    expect(JSON.parse(cached)).toEqual({
      queryKey: ['automations', { status: 'enabled', limit: 2 }],
      data: {
        pages: starts.map((at) => ({ data: records.slice(at, at + 2), has_more: at < 10 })),
        pageParams: starts.map((at) => (at === 0 ? {} : { after: records[at - 1]?.id })),
      },
    });
  });

  test.each([
    ['after', 4],
    ['before', 7],
  ])('start in the middle, `%s`, and read to both ends', async (cursor, at) => {
    const printed = await runWith(JSON.stringify({ [cursor]: records[at]?.id }), [
      'while (list.getCurrentResult().hasPreviousPage) await list.fetchPreviousPage();',
      'while (list.getCurrentResult().hasNextPage) await list.fetchNextPage();',
      'console.log(JSON.stringify(list.getCurrentResult().data.pages.map(({ data }) => data)));',
    ]);
    const pages = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as unknown[][];
    expect(pages.flat()).toEqual(records);
    expect(pages).toContainEqual(records.slice(5, 7));
  });
});

test('docs/examples/tanstack/poll-import.ts: in a browser, the query follows the import to its end', async () => {
  const queued = contactImport({ status: 'queued' });
  const server = await startRollcall({ contactImports: [queued] });
  afterTest(() => server.close());
  const cue = server.cue({
    when: { operation: 'getContactImport', nth: 2 },
    then: [{ moveImport: { id: queued.id, total: 100 } }],
    times: 2,
  });
  const code = recipe('poll-import.ts').replace('false : 1000', 'false : 1');
  const { argv, env } = programOf(code, { url: server.url, key: server.apiKey });
  // TanStack Query takes a platform with a window for a browser, where its garbage collection keeps the program running.
  const asBrowser = ['--import', 'data:text/javascript,globalThis.window=globalThis'];
  const program = spawn(process.execPath, [...asBrowser, ...argv], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  afterTest(() => program.kill());
  const shown: string[] = [];
  for await (const line of createInterface(program.stdout)) {
    if (line !== shown.at(-1)) shown.push(line);
    if (line.startsWith('completed')) break;
  }
  expect(shown).toEqual(['queued 0', 'in_progress 39', 'completed 77']);
  expect(cue.fired).toBe(2);
});
