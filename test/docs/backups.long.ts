/** docs/rollcall-backup.sh: a backup is verified before it counts and before an older one is deleted; otherwise nothing is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { afterTest } from '../support/after-test.ts';
import { onlyCodeBelow } from '../support/docs.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT } from '../support/project.ts';
import { openShell } from '../support/shell.ts';

const SCRIPT = join(ROOT, 'docs/rollcall-backup.sh');
const NAME = /^rollcall-\d{4}-\d\d-\d\dT\d{6}Z\.db$/;
const OLD = ['1', '2', '3'].map((day) => `rollcall-2026-01-0${day}T023000Z.db`);
const OTHERS = ['.lock', 'notes.txt', 'rollcall-2026-01-01.db', 'rollcall.db'];
/** @returns the words that run the script. */
const backup = (variables = 'BACKUP_KEEP=3'): string =>
  `ROLLCALL_DB=rollcall.db BACKUP_FOLDER=backups ${variables} '${SCRIPT}'`;

const backups = (): readonly string[] => readdirSync(folder.path('backups')).sort();
const isNew = (name: string): boolean => NAME.test(name) && !OLD.includes(name);

beforeEach(() => {
  mkdirSync(folder.path('backups'));
  for (const it of [...OLD, ...OTHERS]) writeFileSync(folder.path(`backups/${it}`), it);
});

describe('with a database', () => {
  beforeEach(async () => {
    await folder.call(['keys', 'create', '--account', 'acme']);
  });

  test('a verified copy is added, and the oldest copies beyond the number are deleted', async () => {
    const { sh } = openShell(folder);
    const printed = sh(backup());
    const [made = '', ...more] = backups().filter(isNew);
    expect(more).toEqual([]);
    expect(backups()).toEqual([...OTHERS, ...OLD.slice(1), made].sort());
    expect(printed).toContain('No errors found in backups/unverified-');
    expect(printed).toContain(`Deleted backups/${String(OLD[0])}.\n`);
    expect(statSync(folder.path(`backups/${made}`)).mode & 0o777).toBe(0o600);
    expect(await folder.call(['check', '--db', `backups/${made}`])).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['BACKUP_KEEP=1', []],
    ['BACKUP_KEEP=4', OLD],
    ['BACKUP_KEEP=10', OLD],
    ['', OLD],
  ])('%j keeps so many', (variables, kept) => {
    openShell(folder).sh(backup(variables));
    expect(backups().filter((it) => NAME.test(it) && !isNew(it))).toEqual(kept);
    expect(backups().filter(isNew)).toHaveLength(1);
  });

  test('the new copy is kept where the clock was set back', () => {
    const later = OLD.map((it) => it.replace('2026', '2999'));
    for (const it of later) writeFileSync(folder.path(`backups/${it}`), it);
    openShell(folder).sh(backup('BACKUP_KEEP=2'));
    const kept = backups().filter((it) => NAME.test(it));
    expect(kept).toEqual([expect.stringMatching(/^rollcall-2[^9]/), later[2]]);
  });

  test('what a killed run has left is removed', () => {
    for (const end of ['', '-journal', '.x.partial']) {
      writeFileSync(folder.path(`backups/unverified-${String(OLD[0])}${end}`), '');
    }
    openShell(folder).sh(backup());
    expect(backups().filter((it) => it.startsWith('unverified'))).toEqual([]);
  });

  test('there is one run at a time', async () => {
    const { sh } = openShell(folder);
    const other = spawn('flock', [folder.path('backups/.lock'), 'sh', '-c', 'echo locked; read -r line'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    afterTest(() => other.stdin.end());
    await once(other.stdout, 'data');
    expect(() => sh(backup())).toThrow('rollcall-backup: Another backup is running.');
    expect(backups()).toEqual([...OTHERS, ...OLD].sort());
    other.stdin.end('\n');
    await once(other, 'close');
    sh(backup());
  });

  test.each([
    ['the check finds errors', '[ "$1" != check ] || exit 1\nexec real "$@"'],
    ['the backup is cut off', '[ "$1" != backup ] || { echo x > "$2"; exit 1; }\nexec real "$@"'],
    ['the process is killed', '[ "$1" != check ] || kill -9 $$\nexec real "$@"'],
  ])('nothing is deleted, and no copy added, where %s', (_, script) => {
    const { sh } = openShell(folder);
    sh('mv .bin/rollcall .bin/real');
    writeFileSync(folder.path('.bin/rollcall'), `#!/bin/sh\n${script}\n`);
    chmodSync(folder.path('.bin/rollcall'), 0o755);
    expect(() => sh(backup('BACKUP_KEEP=1'))).toThrow();
    expect(backups()).toEqual([...OTHERS, ...OLD].sort());
  });

  test('a damaged database is not kept as a backup', () => {
    const { sh } = openShell(folder);
    sh(`rollcall import automations '${join(ROOT, 'server/samples/automations.json')}' --account acme`);
    sh(`node -e "
      const db = new (require('${ROOT}/node_modules/better-sqlite3'))('rollcall.db');
      db.exec(\\"UPDATE records SET stored = replace(stored, 'name', 'nome')\\")"`);
    expect(() => sh(backup('BACKUP_KEEP=1'))).toThrow('Errors found in backups/unverified-');
    expect(backups()).toEqual([...OTHERS, ...OLD].sort());
  });
});

test.each([
  ['BACKUP_KEEP=0', 'BACKUP_KEEP is 0; it must be a whole number, 1 or more.'],
  ['BACKUP_KEEP=-1', 'BACKUP_KEEP is -1'],
  ['BACKUP_KEEP=all', 'BACKUP_KEEP is all'],
  ['ROLLCALL_DB=postgres://user@host/db', 'ROLLCALL_DB is not a file. Back up PostgreSQL with pg_dump.'],
  ['ROLLCALL_DB=', 'ROLLCALL_DB'],
  ['BACKUP_FOLDER=', 'BACKUP_FOLDER'],
  ['ROLLCALL_DB=none.db', 'There is no Rollcall database at none.db.'],
])('%s is an error, and changes nothing', (variables, message) => {
  expect(() => openShell(folder).sh(backup(variables))).toThrow(message);
  expect(backups()).toEqual([...OTHERS, ...OLD].sort());
});

test('docs/backups.md, Schedule with systemd: the commands install files that are there', () => {
  const { sh, calls } = openShell(folder, {
    install: 'for it; do case $it in docs/*) cat "$it" > /dev/null ;; esac; done',
    systemctl: '',
  });
  sh(`ln -s '${join(ROOT, 'docs')}' docs\n${onlyCodeBelow('docs/backups.md', 'Schedule with systemd')}`);
  expect(calls()).toEqual([
    'install -m 0755 docs/rollcall-backup.sh /usr/local/bin/rollcall-backup',
    'install -m 0644 docs/rollcall-backup.service docs/rollcall-backup.timer /etc/systemd/system/',
    'systemctl daemon-reload',
    'systemctl enable --now rollcall-backup.timer',
    'systemctl start rollcall-backup.service',
  ]);
  expect(existsSync(folder.path('backups'))).toBe(true);
});
