/**
 * Monitoring with the tools of Prometheus: `npm run monitoring`. Metrics of servers with traffic, on both databases, with
 * workers and without; the alert rules and their tests, and that these tests can fail; the configuration in the docs.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parse, stringify } from 'yaml';
import { openFolder } from '../../test/support/cli.ts';
import type { Folder } from '../../test/support/cli.ts';
import { onlyCodeBelow } from '../../test/support/docs.ts';
import { alertRules, documentedMetrics, metricNamesIn, metricsIn } from '../../test/support/metrics.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { ROOT } from '../../test/support/project.ts';
import { exchange } from '../../test/support/raw.ts';

const LIMIT_MS = 60_000;
const ALERTS = 'docs/alerts.yml';
const TESTS = ['test/monitoring/alerts.test.yml', 'test/monitoring/daily-alerts.test.yml'];
const WITH_WORKERS = 'rollcall_worker_restarts_total';
/** What has the label `worker` anyway. */
const OF_INSTANCE = /^rollcall_(?:build|database|keys|last_import|worker)_/;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Runs promtool. @returns its exit code and all that it prints. @throws Error if it is not installed. */
function promtool(argv: readonly string[], input = '', cwd = ROOT): { status: number | null; output: string } {
  const ran = spawnSync('promtool', argv, { cwd, input, encoding: 'utf8', timeout: LIMIT_MS });
  if (ran.error !== undefined) throw new Error(`promtool, of Debian's package prometheus: ${ran.error.message}`);
  return { status: ran.status, output: ran.stdout + ran.stderr };
}

/** @returns a folder with the rules and their tests, at the same paths; the rules changed. */
function copyRules(scratch: string, change: (rules: { alert: string; expr: string }[]) => void): void {
  for (const it of [ALERTS, ...TESTS]) {
    mkdirSync(join(scratch, it, '..'), { recursive: true });
    cpSync(join(ROOT, it), join(scratch, it));
  }
  const file = join(scratch, ALERTS);
  // As promtool has checked it.
  const all = parse(readFileSync(file, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  for (const { rules } of all.groups) change(rules);
  writeFileSync(file, stringify(all));
}

function checkRules(scratch: string): void {
  const { status, output } = promtool(['check', 'rules', ALERTS]);
  assert.equal(status, 0, output);
  assert.match(output, new RegExp(`SUCCESS: ${String(alertRules().length)} rules found`));
  const tested = promtool(['test', 'rules', ...TESTS]);
  assert.equal(tested.status, 0, tested.output);
  say(`${String(alertRules().length)} rules pass their tests.`);

  for (const expr of ['vector(1) > 2', 'vector(1)']) {
    copyRules(scratch, (rules) => {
      for (const it of rules) it.expr = expr;
    });
    const { status: wrong, output: failures } = promtool(['test', 'rules', ...TESTS], '', scratch);
    assert.equal(wrong, 1, failures);
    const found = new Set([...failures.matchAll(/alertname: (\w+)/g)].map(([, it]) => it));
    assert.deepEqual(found, new Set(alertRules().map((it) => it.alert)), `of the tests that fail if a rule is ${expr}`);
  }
  say('Each rule has tests that fail if it never fires, or always.');
}

function checkConfiguration(scratch: string): void {
  copyRules(scratch, () => undefined);
  const file = join(scratch, 'docs/prometheus.yml');
  const configuration = onlyCodeBelow('docs/monitoring.md', 'Scrape', 'yaml');
  writeFileSync(file, configuration);
  const { status, output } = promtool(['check', 'config', file]);
  assert.equal(status, 0, output);
  assert.match(output, new RegExp(`SUCCESS: ${String(alertRules().length)} rules found`));
  // As promtool has checked it. The rules select this job.
  const { scrape_configs: jobs } = parse(configuration) as { scrape_configs: readonly { job_name: string }[] };
  const selected = alertRules().flatMap(({ expr }) => [...expr.matchAll(/job="(\w+)"/g)].map(([, job]) => job));
  assert.deepEqual(new Set(selected), new Set(jobs.map((it) => it.job_name)));
  say('Prometheus accepts the configuration in docs/monitoring.md.');
}

/** Fills a database and serves it, with requests of every kind. @returns the metrics. */
async function scrape(folder: Folder, db: string, workers: number): Promise<string> {
  const env = { ROLLCALL_DB: db };
  const call = async (...argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await folder.run(argv, { env });
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await call('import', 'automations', join(ROOT, 'server/samples/automations.json'), '--account', 'acme');
  const key = await call('keys', 'create', '--account', 'acme');
  await call('keys', 'create', '--account', 'acme', '--expires', '7d');
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
  const response = await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  server.process.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  return text;
}

function checkMetrics(text: string, engine: string, workers: number): void {
  const hasWorkers = workers > 1;
  const checked = promtool(['check', 'metrics'], text);
  assert.deepEqual(checked, { status: 0, output: '' });
  const found = metricsIn(text);
  const ours = found.filter((it) => it.name.startsWith('rollcall_') && it.samples > 0);
  const documented = documentedMetrics().filter((it) => hasWorkers || it.name !== WITH_WORKERS);
  assert.deepEqual(
    new Map(ours.map(({ name, type, labels }) => [name, { type, labels }])),
    new Map(
      documented.map(({ name, type, labels }) => {
        const all = hasWorkers && !OF_INSTANCE.test(name) ? [...labels, 'worker'].sort() : labels;
        return [name, { type, labels: all }];
      }),
    ),
  );
  const names = new Set(found.map((it) => it.name));
  const used = alertRules().flatMap((it) => metricNamesIn(it.expr));
  assert.deepEqual(
    used.filter((it) => !names.has(it) && it !== WITH_WORKERS),
    [],
    'metrics that rules use',
  );
  assert.match(text, new RegExp(`^rollcall_build_info\\{.*engine="${engine}"\\} 1$`, 'm'));
  assert.match(text, /^rollcall_keys_expiring 1$/m);
  assert.match(text, /^rollcall_keys_expired 0$/m);
  const [, imported] = /^rollcall_last_import_timestamp_seconds\{account="acme"\} (\S+)$/m.exec(text) ?? [];
  assert(Math.abs(Number(imported) - Date.now() / 1000) < LIMIT_MS / 1000);
  say(`${String(found.length)} metrics of ${engine} with ${String(workers)} worker${hasWorkers ? 's' : ''} are sound.`);
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-monitoring-'));
try {
  // That the check finds what it has to find.
  const misnamed = promtool(['check', 'metrics'], '# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n');
  assert.equal(misnamed.status, 3, misnamed.output);
  checkRules(scratch);
  checkConfiguration(scratch);
  const postgres = await startPostgres();
  try {
    for (const workers of [1, 2]) {
      for (const engine of ['sqlite', 'postgresql']) {
        const folder = openFolder();
        try {
          const db = engine === 'sqlite' ? folder.path('rollcall.db') : postgres.address();
          checkMetrics(await scrape(folder, db, workers), engine, workers);
          if (engine !== 'sqlite')
            await folder.run(['accounts', 'delete', 'acme', '--yes'], { env: { ROLLCALL_DB: db } });
        } finally {
          folder.remove();
        }
      }
    }
  } finally {
    await postgres.remove();
  }
} finally {
  rmSync(scratch, { recursive: true });
}
