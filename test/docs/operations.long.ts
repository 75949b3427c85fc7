/** The recipes of docs/data.md, docs/running.md and docs/monitoring.md work as they stand, and docs/examples/ha fits together. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { parse } from 'yaml';
import { SETTING_NAMES, flagOf } from '../../cli/settings.ts';
import { countedOf } from '../support/collections.ts';
import { PAGES, codeBelow, onlyCodeBelow, textOf } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { openShell } from '../support/shell.ts';

const samples = (name: string): string => `"${join(ROOT, 'server/samples', name)}" --account acme --db rollcall.db`;
/** Runs the words of another user as this one. */
const RUNUSER = { runuser: 'shift 3\nexec "$@"' };

interface Rule {
  readonly alert: string;
  readonly annotations: Readonly<Partial<Record<'summary' | 'description', string>>>;
}

describe('operations:', () => {
  test('docs/data.md: "Data", "Import" and "Export and remove"', () => {
    const page = 'docs/data.md';
    const { sh } = openShell(folder);
    writeFileSync(folder.path('automations.ndjson'), textOf('server/samples/automations.ndjson'));
    const asShown = (text: string): string =>
      text
        .replace(/in [\d.]+ s/, 'in 0.1 s')
        .replace(countedOf({ automations: 136 }), '136 automations, 0 contact properties, 0 contact imports');
    expect(asShown(sh(onlyCodeBelow(page, 'Data')))).toBe(onlyCodeBelow(page, 'Data', 'text'));

    const [created, updated] = ['1780000000', '2026-05-29T00:00:00Z'];
    const rows = [
      'id,name,status,Created,updated_at',
      `11111111-1111-4111-8111-111111111111,One,enabled,${created},${updated}`,
      `22222222-2222-4222-8222-222222222222,Two,neither,${created},${updated}`,
    ];
    writeFileSync(folder.path('export.csv'), rows.join('\n'));
    expect(sh(onlyCodeBelow(page, 'Import'))).toContain('it now has 137 (previously 136)');
    expect(readFileSync(folder.path('rejects.ndjson'), 'utf8')).toContain('"neither"');

    expect(sh(onlyCodeBelow(page, 'Export and remove')).split(', ')[0]).toBe(
      '1 automation removed from account "acme".\nDeleted account "acme" with 136 automations',
    );
    expect(readFileSync(folder.path('automations.ndjson'), 'utf8').split('\n')).toHaveLength(138);
  });

  test('docs/data.md, "Upgrade and roll back", keeps the records, and rolling back restores those of before', () => {
    const { sh, calls } = openShell(folder, { ...RUNUSER, systemctl: '' });
    const [upgrade = '', rollback = '', ...others] = codeBelow('docs/data.md', 'Upgrade and roll back');
    expect(others).toEqual([]);
    sh(`rollcall import automations ${samples('automations.ndjson')}`);
    const before = sh('rollcall export automations --account acme --db rollcall.db');
    expect(before.split('\n').length).toBeGreaterThan(10);

    sh(upgrade);
    expect(sh('rollcall export automations --account acme --db rollcall.db')).toBe(before);

    sh('echo [] | rollcall import automations --replace --allow-empty --account acme --db rollcall.db');
    const db = new Database(folder.path('rollcall.db'));
    db.pragma('user_version = 1000'); // As a later version might leave it.
    db.close();
    expect(() => sh('rollcall db check --db rollcall.db')).toThrow('was written by a newer version of Rollcall');
    sh(rollback);
    expect(sh('rollcall export automations --account acme --db rollcall.db')).toBe(before);
    const user = 'runuser -u rollcall --';
    expect(calls()).toEqual([
      `${user} rollcall db backup before-upgrade.db --db rollcall.db`,
      'npm install --global ./rollcall-0.2.0.tgz',
      `${user} rollcall db upgrade --db rollcall.db`,
      `${user} rollcall db check --db rollcall.db`,
      'systemctl restart rollcall',
      'systemctl stop rollcall',
      'npm install --global ./rollcall-0.1.0.tgz',
      `${user} cp before-upgrade.db rollcall.db`,
      `${user} rollcall db check --db rollcall.db`,
      'systemctl start rollcall',
    ]);
  });

  test('docs/running.md, "systemd", ends with a key; the unit itself is verified by `npm run --prefix lab operations`', () => {
    const { sh, calls } = openShell(folder, { ...RUNUSER, useradd: '', install: '', systemctl: '' });
    const commands = onlyCodeBelow('docs/running.md', 'systemd');
    expect(sh(commands.replaceAll('/var/lib/rollcall/', ''))).toMatch(/^rollcall_[0-9a-f]{40}\n$/);
    expect(calls()).toEqual([
      'npm install --global ./rollcall-0.1.0.tgz',
      'useradd --system --home-dir /var/lib/rollcall --shell /usr/sbin/nologin rollcall',
      'install -m 0644 docs/rollcall.service /etc/systemd/system/',
      'install -d -o rollcall -g rollcall -m 0700 /var/lib/rollcall',
      'runuser -u rollcall -- rollcall keys create --account acme --db rollcall.db',
      'systemctl enable --now rollcall',
    ]);
    const unit = textOf('docs/rollcall.service');
    for (const it of ['User=rollcall\n', '/var/lib/rollcall/rollcall.db\n', '=ROLLCALL_LOG=json\n'])
      expect(unit).toContain(it);
  });
});

describe('docs/running.md', () => {
  const page = 'docs/running.md';

  test('"Run the server" creates a key, and serves', async () => {
    const [create = '', serve = ''] = onlyCodeBelow(page, 'Run the server').split('\n');
    const key = openShell(folder).sh(create).trim();
    const { printed } = folder.start(serve.split(' ').slice(1), { ROLLCALL_PORT: '0' });
    const shown = onlyCodeBelow(page, 'Run the server', 'text');
    const [line, url = ''] = await printed(/^Rollcall listens on (http\S+)\n/m);
    expect(line.replace(/\d+\n/, '3000\n')).toBe(shown);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/automations`, { headers })).status).toBe(200);
  });

  test('"Log" shows the fields of a request that was rejected', async () => {
    const shown = JSON.parse(onlyCodeBelow(page, 'Log', 'text')) as object;
    const key = openShell(folder).sh('rollcall keys create --account acme --db rollcall.db').trim();
    const { url, process, ended } = await folder.serve(['--log', 'json']);
    await (await fetch(`${url}/automations?limit=0`, { headers: { authorization: `Bearer ${key}` } })).text();
    process.kill('SIGTERM');
    const lines = (await ended).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    const logged = lines.find(({ event }) => event === 'completed') ?? {};
    expect(Object.keys(shown)).toEqual(Object.keys(logged));
    expect(shown).toMatchObject({ status: 422, problem: 'validation_error', parameter: 'limit' });
  });

  test('"API keys" replaces a key while the server runs', async () => {
    const { sh } = openShell(folder);
    const [commands = ''] = codeBelow(page, 'API keys');
    const [create = '', list = '', revoke = ''] = commands.split('\n');
    const first = sh('rollcall keys create --account acme --db rollcall.db').trim();
    const { url } = await folder.serve();
    const status = async (key: string): Promise<number> =>
      (await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } })).status;

    const second = sh(create).trim();
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const [, oldest = '', newest = ''] = sh(list).split('\n');
    expect(newest).toContain('from December');
    const id = oldest.split(' ')[0] ?? '';
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    sh(revoke.replace('0123456789abcdef', id));
    expect([await status(first), await status(second)]).toEqual([401, 200]);
  });
});

test('docs/monitoring.md shows what /metrics says of itself', async () => {
  const server = folder.start(['serve', '--create', '--port', '0', '--admin-port', '0']);
  const [, url = ''] = await server.printed(/\/metrics are on (http\S+)\n/);
  const page = 'docs/monitoring.md';
  const command = onlyCodeBelow(page, 'Monitoring and failures').replace('http://127.0.0.1:9090', url);
  expect(openShell(folder).sh(command)).toBe(onlyCodeBelow(page, 'Monitoring and failures', 'text'));
});

test('docs/alerts.yml: each alert says what is wrong and what to do, with names that exist', () => {
  const { groups } = parse(textOf('docs/alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] };
  const rules = groups.flatMap((it) => it.rules);
  const without = rules.filter(
    ({ annotations: { summary = '', description = '' } }) => summary === '' || description === '',
  );
  expect(without.map((it) => it.alert)).toEqual([]);
  const texts = rules.map((it) => it.annotations.description).join(' ');
  const alerts = [...texts.matchAll(/\bRollcall[A-Z]\w+/g)].map(([it]) => it);
  expect(alerts.filter((name) => !rules.some((it) => it.alert === name))).toEqual([]);
  const flags = [...texts.matchAll(/ --([a-z-]+)/g)].map(([, it = '']) => it);
  const settings = SETTING_NAMES.map((name) => flagOf(name).replace(/^--/, '').replace(/ .*/, ''));
  expect(flags.filter((it) => !settings.includes(it))).toEqual([]);
  expect([...texts.matchAll(/docs\/\w+\.md/g)].filter(([it]) => !PAGES.includes(it))).toEqual([]);
});

test('docs/examples/ha: the files name the same machines', () => {
  const read = (file: string): string => textOf(`docs/examples/ha/${file}`);
  const patroni = parse(read('patroni.yml')) as {
    readonly name: string;
    readonly etcd3: { readonly hosts: string };
    readonly restapi: { readonly listen: string };
    readonly postgresql: { readonly listen: string };
  };
  const [, cluster = ''] = /^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(read('etcd.env')) ?? [];
  const machines = cluster.split(',').map((it) => /^(db-\d)=http:\/\/([\d.]+):2380$/.exec(it)?.slice(1) ?? []);
  expect(patroni.etcd3.hosts).toBe(machines.map(([, address]) => `${String(address)}:2379`).join(','));
  const servers = [...read('haproxy.cfg').matchAll(/^ +server (\S+) ([\d.]+):5432 check port 8008$/gm)];
  expect(servers.map(([, name, address]) => [name, address])).toEqual(machines.slice(0, 2));
  const [name, address] = machines[0] ?? [];
  expect([patroni.name, patroni.postgresql.listen, patroni.restapi.listen]).toEqual([
    name,
    `${String(address)}:5432`,
    `${String(address)}:8008`,
  ]);
});
