/** Requests while another connection writes: no response is older than what had been committed when its request was sent. */
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { keyHash } from '../../server/store/keys.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { contactImport } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import { interruptStatements } from '../support/between-statements.ts';
import { file } from '../support/own-folder.ts';
import { lastText, parseResponse } from '../support/raw.ts';
import { loadInto } from '../support/store.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';

const KEY = 'the-key';
const OLD = contactImport({ status: 'queued' });
const NEW = { ...OLD, status: 'in_progress' } as const;
const TARGETS = ['/contacts/imports', '/contacts/imports?limit=1', `/contacts/imports/${OLD.id}`];

/** Responses with each: see `ask`. */
const [OLDER, NEWER] = ['200 "queued"', '200 "in_progress"'];

/** A server with a cache, over a store with one record and a key. */
interface Served {
  readonly server: Server;
  /** @returns the status of the response to a request, and that of the record in it. */
  readonly ask: (target: string) => Promise<string>;
  /** Another connection to the store. */
  readonly other: Database.Database;
  /** Stores another version of the record, in one commit. */
  readonly put: (version: typeof OLD) => unknown;
}
async function open(): Promise<Served> {
  const writer = openWriter(file);
  const other = new Database(file);
  const stored = new Map<typeof OLD, unknown>();
  for (const version of [NEW, OLD]) {
    await loadInto(writer, 'contactImports', [version], { contract, account: 'acme' });
    stored.set(version, other.prepare('SELECT json FROM records').pluck().get());
  }
  await writer.createKey(
    { id: 'key', account: 'acme', label: '', createdAt: new Date(0).toISOString(), expiresAt: null },
    keyHash(KEY),
  );
  await writer.close();
  const update = other.prepare('UPDATE records SET json = ?');
  const server = await startServer(file, { cacheBytes: 1_000_000 });
  afterTest(async () => {
    await server.stop();
    other.close();
  });
  return {
    ...{ server, other, put: (version) => update.run(stored.get(version)) },
    ask: async (target) => {
      const { status, text } = parseResponse(await server.send(lastText(KEY, target)));
      return [status, ...(/"(?:queued|in_progress)"/.exec(text) ?? [])].join(' ');
    },
  };
}

describe.each([
  ['the cache is empty', 0],
  ['the response is cached', 2],
])('where %s', (_, times) => {
  test('a record that changes after any statement of a request is in the next response, and cached', async () => {
    const { server, ask, other, put } = await open();
    const interrupted = interruptStatements(other);
    const seen = new Set<string>();
    for (const target of TARGETS) {
      await interrupted({
        prepare: async () => {
          put(OLD);
          for (let time = 0; time < times; time += 1) await ask(target);
        },
        work: () => ask(target),
        interrupt: () => put(NEW),
        check: async (response, nth) => {
          seen.add(response);
          const next = [await ask(target), await ask(target)]; // The second one is cached.
          const reads = { ...server.calls };
          expect([target, nth, ...next, await ask(target)]).toEqual([target, nth, ...Array<string>(3).fill(NEWER)]);
          expect(server.calls).toEqual(reads);
        },
      });
    }
    expect(seen).toEqual(new Set(times === 0 ? [OLDER, NEWER] : [OLDER]));
  });

  test('a key that is revoked after any statement of a request is rejected next', async () => {
    const { ask, other } = await open();
    const revoke = other.prepare('UPDATE keys SET revoked_at = ?');
    const interrupted = interruptStatements(other);
    const seen = new Set<string>();
    for (const target of TARGETS) {
      await interrupted({
        prepare: async () => {
          revoke.run(null);
          for (let time = 0; time < times; time += 1) await ask(target);
        },
        work: () => ask(target),
        interrupt: () => revoke.run(new Date(0).toISOString()),
        check: async (response, nth) => {
          seen.add(response);
          expect([target, nth, await ask(target), await ask(target)]).toEqual([target, nth, '401', '401']);
        },
      });
    }
    expect(seen).toEqual(new Set(times === 0 ? [OLDER, '401'] : [OLDER]));
  });
});
