/**
 * What operators take from `docs/`, as the tools of Prometheus, systemd and HAProxy read it: the alert rules, the configurations, the
 * metrics of real servers, and the unit.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder } from '../../test/support/cli.ts';
import { onlyCodeBelow, textOf } from '../../test/support/docs.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { ROOT } from '../../test/support/project.ts';
import { exchange } from '../../test/support/raw.ts';

process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin`; // Where Debian has HAProxy.

const LIMIT_MS = 120_000;
const ALERTS = 'docs/alerts.yml';
const HAPROXY = 'docs/examples/ha/haproxy.cfg';
const UNIT = 'docs/rollcall.service';
/** Tenths, of the 100 that a unit without hardening nearly has. */
const MAX_EXPOSURE = 20;
const WITH_WORKERS = 'rollcall_worker_restarts_total';

const say = (text: string): void => {
  process.stdout.write(`${text.trimEnd()}\n`);
};

/** Runs a tool that must find nothing wrong. @returns all that it prints. */
function tool(argv: readonly string[], input = ''): string {
  const [program = '', ...words] = argv;
  const ran = spawnSync(program, words, { cwd: ROOT, input, encoding: 'utf8', timeout: LIMIT_MS });
  if (ran.error !== undefined) throw ran.error;
  const output = ran.stdout + ran.stderr;
  assert.equal(ran.status, 0, `${argv.join(' ')}\n${output}`);
  return output;
}

/** Fills a database and serves it, with requests of every kind. @returns the metrics. */
async function scrape(folder: Folder, db: string, workers: number): Promise<string> {
  const env = { ROLLCALL_DB: db };
  const call = async (...argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await folder.run(argv, { env });
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await call('import', 'automations', join(ROOT, 'server/samples/automations.ndjson'), '--account', 'acme');
  const key = await call('keys', 'create', '--account', 'acme');
  const server = folder.start(['serve', '--port', '0', '--admin-port', '0', '--workers', String(workers)], env);
  const [, url = ''] = await server.printed(/Rollcall listens on (http\S+)\n/);
  const [, admin = ''] = await server.printed(/\/metrics are on (http\S+)\n/);
  for (const path of ['/automations', '/automations?limit=1', '/automations', '/contacts/imports/x', '/no/such/path']) {
    // Twice for each worker: on a connection of its own, which goes to the next worker.
    for (let at = 0; at < 2 * workers; at += 1) {
      await exchange(
        url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
      );
    }
  }
  for (let at = 0; at < workers; at += 1) await exchange(url, 'nonsense\r\n\r\n');
  const text = await (await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(LIMIT_MS) })).text();
  server.process.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  return text;
}

/** The metrics are well formed, with a description of each, and the rules use no others. */
function checkMetrics(text: string): void {
  assert.equal(tool(['promtool', 'check', 'metrics'], text), '');
  const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
  const used = [...textOf(ALERTS).matchAll(/\b(?:rollcall|process|nodejs)_\w+/g)].map(([name]) => name);
  const known = new Set([
    ...names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
    WITH_WORKERS,
  ]);
  assert.deepEqual(
    used.filter((name) => !known.has(name)),
    [],
  );
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-operations-'));
try {
  say(tool(['promtool', 'check', 'rules', ALERTS]));
  cpSync(join(ROOT, ALERTS), join(scratch, 'alerts.yml'));
  writeFileSync(join(scratch, 'prometheus.yml'), onlyCodeBelow('docs/monitoring.md', 'Scrape', 'yaml'));
  say(tool(['promtool', 'check', 'config', join(scratch, 'prometheus.yml')]));

  tool(['haproxy', '-c', '-f', HAPROXY]);
  say(`${HAPROXY} is valid.`);

  // With a program that exists.
  const unit = readFileSync(join(ROOT, UNIT), 'utf8').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
  writeFileSync(join(scratch, 'rollcall.service'), unit);
  assert.equal(tool(['systemd-analyze', 'verify', join(scratch, 'rollcall.service')]), '');
  const threshold = `--threshold=${String(MAX_EXPOSURE)}`;
  const exposure = tool([
    'systemd-analyze',
    'security',
    '--offline=true',
    threshold,
    join(scratch, 'rollcall.service'),
  ]);
  say(exposure.trim().split('\n').at(-1) ?? '');

  const folder = openFolder();
  const postgres = await startPostgres();
  try {
    for (const [engine, db, workers] of [
      ['SQLite', folder.path('rollcall.db'), 1],
      ['PostgreSQL, with workers', postgres.address(), 2],
    ] as const) {
      checkMetrics(await scrape(folder, db, workers));
      say(`The metrics of ${engine} are well formed, described, and what the rules use.`);
    }
  } finally {
    await postgres.remove();
    folder.remove();
  }
} finally {
  rmSync(scratch, { recursive: true });
}
