/**
 * The scheduled backup of `docs/backups.md`, and that what it restores is served as before: the service's command makes a backup, the
 * database is lost, the commands of the page restore it, and the responses are the same.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { COLLECTIONS, pathOf } from '../../server/contract/collections.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder } from '../support/cli.ts';
import { onlyCodeBelow } from '../support/docs.ts';
import { importSamples } from '../support/samples.ts';
import { openShell } from '../support/shell.ts';
import { ROOT } from '../support/project.ts';
import { unitText } from './units.ts';

const LIMIT_MS = 60_000;
const STATE = '/var/lib/'; // Where the units and the commands have their folders.

/** @returns the bodies of all pages of all lists, and of what follows the last one. */
export async function allPages(url: string, key: string): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const collection of COLLECTIONS) {
    let query = '';
    for (let hasMore = true; hasMore;) {
      const response = await fetch(`${url}${pathOf(collection)}?limit=7${query}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const body = await response.text();
      assert.equal(response.status, 200, body);
      bodies.push(body);
      // As the contract declares it.
      const page = JSON.parse(body) as { has_more: boolean; data: readonly { id: string }[] };
      hasMore = page.has_more;
      query = `&after=${String(page.data.at(-1)?.id)}`;
    }
  }
  assert(bodies.length > COLLECTIONS.length);
  return bodies;
}

/** Serves a database while `work` runs. */
async function serving<T>(folder: Folder, db: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = folder.start(['serve', '--db', db, '--port', '0']);
  const [, url = ''] = await server.printed(/listens on (http\S+)\n/);
  try {
    return await work(url);
  } finally {
    server.process.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  }
}

/** @returns the commands that start the service, in the folders of a test. */
function commandOf(state: string): string {
  const unit = unitText('rollcall-backup.service').replaceAll(STATE, state);
  const exports = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, it = '']) => `export ${it}`);
  const [, program = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [, script = ''] =
    /^install -m 0755 (\S+) (\S+)$/m.exec(onlyCodeBelow('docs/backups.md', 'Schedule with systemd')) ?? [];
  assert(program.startsWith('/usr/local/bin/'), 'The service runs what the page installs.');
  return [...exports, join(ROOT, script)].join('\n');
}

export async function restoreBackup(): Promise<void> {
  const folder = openFolder();
  try {
    const state = `${folder.path('state')}/`;
    const db = `${state}rollcall/rollcall.db`;
    mkdirSync(join(db, '..'), { recursive: true });
    await importSamples(folder, 'acme', db);
    const { stdout } = await folder.run(['keys', 'create', '--account', 'acme', '--db', db]);
    const key = stdout.trim();
    const { sh, calls } = openShell(folder, { runuser: 'shift 3\nexec "$@"', systemctl: '' });
    const before = await serving(folder, db, async (url) => {
      const bodies = await allPages(url, key);
      sh(commandOf(state)); // While the server runs.
      return bodies;
    });
    const [backup = '', ...others] = readdirSync(`${state}rollcall-backups`).filter((it) => it.endsWith('.db'));
    assert.deepEqual(others, []);
    for (const end of ['', '-wal', '-shm']) rmSync(db + end, { force: true });

    const commands = onlyCodeBelow('docs/backups.md', 'Restore').replaceAll(STATE, state);
    sh(commands.replace(/^(backup=.*\/)rollcall-.*\.db$/m, `$1${backup}`));
    assert.deepEqual(
      calls().filter((it) => it.startsWith('systemctl')),
      ['systemctl stop rollcall', 'systemctl start rollcall'],
    );
    await serving(folder, db, async (url) => {
      assert.deepEqual(await allPages(url, key), before);
      const conform = await folder.run(['conform', url, '--key', key]);
      assert.equal(conform.code, 0, conform.stdout + conform.stderr);
      process.stdout.write(
        `A restored backup has the same ${String(before.length)} pages: ${/^.* rules passed.*$/m.exec(conform.stdout)?.[0] ?? ''}\n`,
      );
    });
    // A database that is there is moved, not lost.
    sh(commands.replace(/^(backup=.*\/)rollcall-.*\.db$/m, `$1${backup}`));
    assert((await folder.run(['check', '--db', `${state}rollcall/before-restore-rollcall.db`])).code === 0);
  } finally {
    folder.remove();
  }
}
