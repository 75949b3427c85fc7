/** `rollcall conform` finds each fault that is planted in Rollcall, by the rule that fails. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Intercept } from '../../server/http/application.ts';
import type { Result } from '../../server/conform/conform.ts';
import { json } from '../../server/contract/types.ts';
import type { Json, OperationId } from '../../server/contract/types.ts';
import type { Store } from '../../server/store/store.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { rewrite } from '../support/rewrite.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';
import { RECORDS, open, results, rulesOf } from './subject.ts';

describe('planted faults', () => {
  interface Fault {
    readonly name: string;
    /** The rule that finds it, and the operation where it is not that of a list. */
    readonly rule: string;
    readonly operation?: OperationId;
    /** What differs from the sound store. */
    readonly store?: (sound: Store) => Partial<Store>;
    /** Sees every request first. */
    readonly intercept?: Intercept;
  }
  const faulty = async ({ store, intercept }: Partial<Fault>): Promise<TestApp> => {
    const sound = await openTestApp(RECORDS);
    const app = await openTestApp({}, { ...sound.store, ...store?.(sound.store) }, intercept);
    return { ...app, key: sound.key };
  };
  const completed = <R>(text: Json<R>): Json<R> => {
    const record = JSON.parse(text) as Record<string, unknown>;
    const isOpen = record['status'] === 'queued';
    return json({ ...record, ...(isOpen && { completed_at: record['created_at'] }) }) as Json<R>; // Of the same schema.
  };

  const faults: readonly Fault[] = [
    {
      name: 'the cursor is ignored',
      rule: 'list.after',
      store: (sound) => ({
        list: (account, collection, query) => sound.list(account, collection, { ...query, cursor: undefined }),
      }),
    },
    {
      name: 'has_more is wrong backwards',
      rule: 'list.has-more',
      store: (sound) => ({
        list: async (account, collection, query) => {
          const page = await sound.list(account, collection, query);
          return page === undefined || query.cursor?.direction !== 'before' ? page : { ...page, hasMore: true };
        },
      }),
    },
    {
      name: 'before answers the head of the list',
      rule: 'list.before',
      store: (sound) => ({
        list: async (account, collection, query) => {
          const page = await sound.list(account, collection, query);
          if (page === undefined || query.cursor?.direction !== 'before') return page;
          return sound.list(account, collection, { ...query, cursor: undefined });
        },
      }),
    },
    {
      name: 'an unknown cursor is answered with page one',
      rule: 'list.cursor-unknown',
      store: (sound) => ({
        list: async (account, collection, query) =>
          (await sound.list(account, collection, query)) ??
          sound.list(account, collection, { ...query, cursor: undefined }),
      }),
    },
    {
      name: 'the limit is clamped',
      rule: 'list.limit-refused',
      intercept: (req, _res, next) => {
        req.url = req.url?.replace(
          /limit=(\d+)/,
          (_, limit: string) => `limit=${String(Math.min(Math.max(Number(limit), 1), 100))}`,
        );
        next();
      },
    },
    {
      name: 'the filter is ignored',
      rule: 'list.filter',
      store: (sound) => ({
        list: (account, collection, query) => sound.list(account, collection, { ...query, filter: undefined }),
      }),
    },
    {
      name: 'an error lacks a field',
      rule: 'key.invalid',
      intercept: rewrite(({ body }) => body.replace(/"name":"invalid_api_key",/, '')),
    },
    {
      name: 'ties are reordered',
      rule: 'list.order',
      store: (sound) => ({
        list: async (account, collection, query) => {
          const page = await sound.list(account, collection, query);
          if (page === undefined) return page;
          const instant = (text: string): string => (JSON.parse(text) as { created_at: string }).created_at;
          const items = page.items.toSorted((a, b) => (instant(a) === instant(b) ? (a < b ? -1 : 1) : 0));
          return { ...page, items };
        },
      }),
    },
    {
      name: 'a queued import is listed as completed at some time',
      rule: 'record.rules',
      operation: 'listContactImports',
      store: (sound) => ({
        list: async (account, collection, query) => {
          const page = await sound.list(account, collection, query);
          return page && { ...page, items: page.items.map((it) => completed(it)) };
        },
      }),
    },
    {
      name: 'a queued import is looked up as completed at some time',
      rule: 'record.rules',
      operation: 'getContactImport',
      store: (sound) => ({
        get: async (account, collection, id) => {
          const found = await sound.get(account, collection, id);
          return found && completed(found);
        },
      }),
    },
  ];

  test.each(faults)('$name', async ({ rule, operation = 'listAutomations', ...fault }) => {
    const all = await results(await faulty(fault));
    expect(all.find((it) => it.rule === rule && it.operation === operation)).toMatchObject({
      outcome: 'failed',
      request: expect.stringMatching(/^GET \//) as unknown,
      expected: expect.stringMatching(/./) as unknown,
      actual: expect.stringMatching(/./) as unknown,
    });
  });

  test('a sound server behind the same wrapper conforms', async () => {
    expect(rulesOf(await results(await faulty({})), 'failed')).toEqual(new Set());
  });
});

describe('the command', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = openFolder();
  });
  afterEach(() => {
    folder.remove();
  });

  test('exits with 0 and prints a tree; writes JUnit', async () => {
    const { url, key } = await open(await openTestApp(RECORDS));
    const ran = await folder.run(['conform', `${url}/`, '--junit', 'out.xml'], { env: { ROLLCALL_KEY: key } });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('\nlistAutomations\n  ✓ list.order ');
    expect(ran.stdout).toMatch(/\n\d+ rules passed, 0 failed, 0 were skipped\.\n$/);
    const xml = readFileSync(folder.path('out.xml'), 'utf8');
    expect(xml).toMatch(
      /^<\?xml .*\n<testsuites name="rollcall conform">\n {2}<testsuite name="listAutomations" tests="\d+" failures="0" skipped="0">/,
    );
    expect(xml).not.toContain(key);
  });

  test('exits with 1 and says which rule failed, also as JSON', async () => {
    const { url } = await open(await openTestApp(RECORDS));
    const ran = await folder.run(['conform', url, '--key', 'nonsense', '--json', '--junit', 'out.xml']);
    expect(ran).toMatchObject({ code: 1, stderr: `rollcall: ${url} does not conform to the contract.\n` });
    const report = JSON.parse(ran.stdout) as { failed: number; results: Result[] };
    expect(report.failed).toBeGreaterThan(10);
    expect(report.results.find((it) => it.rule === 'list.order')).toMatchObject({
      outcome: 'failed',
      request: 'GET /automations?limit=100',
      expected: 'a page',
      actual: expect.stringMatching(/^401 /) as unknown,
    });
    expect(readFileSync(folder.path('out.xml'), 'utf8')).toContain('<failure message="expected a page">');
  });

  test.each([
    [['http://127.0.0.1:1', '--key', 'k'], 1, /^rollcall: http:\/\/127\.0\.0\.1:1 cannot be reached: .*\.\n$/],
    [['nonsense', '--key', 'k'], 2, /It must be a URL such as http:\/\/127\.0\.0\.1:3000\./],
    [['http://127.0.0.1:1'], 2, /required option '--key <key>' not specified/],
  ])('%j exits with %i', async (argv, code, message) => {
    const ran = await folder.run(['conform', ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(message);
  });
});
