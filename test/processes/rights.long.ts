/**
 * Rights to files and folders. A backup is read and served where nothing can be written. What cannot go on says why, and
 * has changed nothing: no byte of a database, and no file next to it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { automation } from '../../testkit/builders.ts';
import { COMMANDS } from '../cli/commands.ts';
import { afterTest } from '../support/after-test.ts';
import { ORDINARY, isRoot } from '../support/as-nobody.ts';
import type { User } from '../support/as-nobody.ts';
import { openFolder } from '../support/cli.ts';
import type { Folder, Ran } from '../support/cli.ts';
import type { Command } from './run-commands.ts';

const PROGRAM = fileURLToPath(new URL('run-commands.ts', import.meta.url));
const RECORD = automation();

interface Place {
  readonly name: string;
  /** Who runs the commands. */
  readonly user: User;
  /** Whether the files are of this user; otherwise, they are of the user of the tests. */
  readonly own?: true;
  readonly mode: number;
  readonly folderMode: number;
  /** What a shell does first. */
  readonly setUp?: string;
  /** Why it cannot be tried here. */
  readonly notRun: string | undefined;
  /** Why a backup cannot be read; without it, it can. */
  readonly unreadable?: string;
  /** Why a backup cannot be written, nor an empty file, nor one that does not exist. */
  readonly unwritable: { readonly backup: string; readonly empty?: string; readonly none?: string };
  /** Why a database with a log cannot be opened. Without it, files can be created in the folder. */
  readonly unopened?: string;
}

const GRANT = 'Grant this user write access to the file and its folder, and try again.';
const ONLY_READ = 'cannot be written (attempt to write a readonly database).';
const NO_FILE = `cannot be written (no file can be created next to it). ${GRANT}`;
const NOT_OPENED = 'cannot be opened: unable to open database file.';
const NO_RIGHTS = `${NOT_OPENED} Check its permissions and those of its folder.`;
const NO_PATH = `${NOT_OPENED} Check the path.`;
const READ_ONLY = 'Its file system is read-only.';
const needsLog = (why: string): string =>
  `cannot be opened: ${why}, and SQLite needs files next to any database that is not a backup. ` +
  'Make the folder writable, or use a copy by rollcall db backup, which can be read there.';
const NO_FOLDER = needsLog('this user cannot write to its folder');

/** Mounts the folder for what follows alone: an ordinary user does it as root of a namespace. */
const MOUNT = `exec unshare --mount ${isRoot ? '' : '--map-root-user'} bash -c \\
  'mount --bind ro ro && mount -o remount,bind,ro ro && exec "$@"' bash "$@"`;

/** @returns whether a user can run a command in the folder of a test. */
function canRun(user: User, setUp: string): boolean {
  const folder = openFolder();
  try {
    mkdirSync(folder.path('ro'));
    chmodSync(folder.path('.'), 0o755);
    const argv = ['-c', `${setUp}; exec "$@"`, 'bash', process.execPath, '--no-warnings', PROGRAM, '[]'];
    return spawnSync('bash', argv, { ...user, cwd: folder.path('.') }).status === 0;
  } finally {
    folder.remove();
  }
}

const asOther = canRun(ORDINARY, ':') ? undefined : 'another user cannot read this checkout';
const asStranger = isRoot ? asOther : 'only root can make files of another user';

const PLACES: readonly Place[] = [
  {
    name: 'the owner of a file, who cannot write to its folder',
    ...{ user: ORDINARY, own: true, mode: 0o600, folderMode: 0o555, notRun: asOther },
    unwritable: { backup: NO_FILE, empty: `${ONLY_READ} ${GRANT}`, none: NO_PATH },
    unopened: NO_FOLDER,
  },
  {
    name: 'the owner of a file that nobody may write',
    ...{ user: ORDINARY, own: true, mode: 0o444, folderMode: 0o755, notRun: asOther },
    unwritable: { backup: `${ONLY_READ} ${GRANT}` },
  },
  {
    name: 'another user, who may read a file',
    ...{ user: ORDINARY, mode: 0o644, folderMode: 0o755, notRun: asStranger },
    unwritable: { backup: `${ONLY_READ} ${GRANT}`, empty: `${ONLY_READ} ${GRANT}`, none: NO_PATH },
    unopened: NO_FOLDER,
  },
  {
    name: 'another user, who may not read a file',
    ...{ user: ORDINARY, mode: 0o600, folderMode: 0o755, notRun: asStranger },
    unreadable: NO_RIGHTS,
    unwritable: { backup: NO_RIGHTS, empty: NO_RIGHTS, none: NO_PATH },
    unopened: NO_RIGHTS,
  },
  {
    name: 'a user of a read-only mount',
    ...{ user: {}, mode: 0o600, folderMode: 0o755, setUp: MOUNT },
    notRun: canRun({}, MOUNT) ? undefined : 'mounting is not permitted',
    unwritable: {
      backup: `${ONLY_READ} ${READ_ONLY}`,
      empty: `${ONLY_READ} ${READ_ONLY}`,
      none: `${NOT_OPENED} ${READ_ONLY}`,
    },
    unopened: needsLog('its file system is read-only'),
  },
];

const COPY = {
  'copy from': ['db', 'copy', 'ro/it.db', 'target.db'],
  'copy to': ['db', 'copy', 'other.db', 'ro/it.db'],
};
const ALL: Readonly<Record<string, readonly string[]>> = { ...COMMANDS, ...COPY };
const READ = ['keys list', 'accounts list', 'accounts stats', 'export', 'check', 'backup', 'copy from'];
const SERVE = ['serve', 'serve --create', 'serve --workers'];
const isCreating = (name: string): boolean =>
  ['serve --create', 'import', 'import --replace', 'keys create', 'copy to'].includes(name);

/** @returns the names of all files in the folder that cannot be written, with their content. */
const contents = (folder: Folder): unknown =>
  readdirSync(folder.path('ro')).map((it) => [it, readFileSync(folder.path(`ro/${it}`), 'base64')]);

/** Makes `ro/it.db`, where `rollcall.db` has a record. */
const MADE = {
  'a backup': ({ call }: Folder): unknown => call(['db', 'backup', 'ro/it.db', '--db', 'rollcall.db']),
  'a database with a log': ({ path }: Folder): void => {
    cpSync(path('rollcall.db'), path('ro/it.db'));
  },
  'an empty file': ({ path }: Folder): void => {
    writeFileSync(path('ro/it.db'), '');
  },
  'no file': (): void => undefined,
} as const;

interface Prepared {
  readonly folder: Folder;
  readonly key: string;
}

async function prepare({ user, own, mode, folderMode }: Place, make: (folder: Folder) => unknown): Promise<Prepared> {
  const folder = openFolder(undefined, { ROLLCALL_DB: 'ro/it.db' }, undefined, user);
  afterTest(() => {
    chmodSync(folder.path('ro'), 0o700);
    folder.remove();
  });
  mkdirSync(folder.path('ro'));
  const db = ['--db', 'rollcall.db', '--account', 'acme'];
  const key = (await folder.call(['keys', 'create', ...db])).stdout.trim();
  await folder.call(['import', 'automations', ...db], { input: JSON.stringify(RECORD) });
  await folder.call(['keys', 'create', '--db', 'other.db', '--account', 'acme']);
  await make(folder);
  const { uid = -1, gid = -1 } = user; // -1 changes nothing.
  chownSync(folder.path('.'), uid, gid);
  chownSync(folder.path('other.db'), uid, gid);
  for (const name of readdirSync(folder.path('ro'))) {
    if (own) chownSync(folder.path(`ro/${name}`), uid, gid);
    chmodSync(folder.path(`ro/${name}`), mode);
  }
  if (own) chownSync(folder.path('ro'), uid, gid);
  chmodSync(folder.path('ro'), folderMode);
  return { folder, key };
}

/** Runs commands. @returns what each ended with and wrote to standard error, by its name. */
function runAll(folder: Folder, { user, setUp = ':' }: Place, names: readonly string[]): Record<string, unknown> {
  const input = `${JSON.stringify(RECORD)}\n`;
  const commands = names.map((it): Command => ({ argv: ALL[it] ?? [], input }));
  const program = [process.execPath, '--no-warnings', PROGRAM, JSON.stringify(commands)];
  const env = { ...process.env, ROLLCALL_DB: 'ro/it.db' };
  const { stdout, stderr } = spawnSync('bash', ['-c', `${setUp}; exec "$@"`, 'bash', ...program], {
    ...{ ...user, cwd: folder.path('.'), env, encoding: 'utf8' },
    timeout: 200_000, // A server that should not have started.
  });
  expect(stderr).toBe('');
  const ran = JSON.parse(stdout) as readonly Ran[];
  return Object.fromEntries(names.map((name, at) => [name, [ran[at]?.code, ran[at]?.stderr]]));
}

const refused = (message = ''): unknown => [1, `rollcall: ro/it.db ${message}\n`];
const NO_DATABASE = [
  1,
  'rollcall: There is no Rollcall database at ro/it.db. Check the address, or create one with import, keys create or serve --create.\n',
];
const expected = (names: readonly string[], of: (name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((it) => [it, of(it)]));

describe.each(PLACES)('$name', (place) => {
  const { notRun, unreadable, unwritable, unopened, setUp } = place;
  const attempt = notRun === undefined ? test : test.skip;
  const because = notRun === undefined ? '' : ` (not run: ${notRun})`;

  attempt(`a backup is ${unreadable === undefined ? 'read' : 'not read'}, and not written${because}`, async () => {
    const { folder } = await prepare(place, MADE['a backup']);
    const before = contents(folder);
    const names = Object.keys(ALL).filter((it) => unreadable !== undefined || !SERVE.includes(it));
    const isRead = (name: string): boolean => unreadable === undefined && READ.includes(name);
    expect(runAll(folder, place, names)).toEqual(
      expected(names, (it) => (isRead(it) ? [0, ''] : refused(unreadable ?? unwritable.backup))),
    );
    expect(contents(folder)).toEqual(before);
  });

  if (unreadable === undefined) {
    attempt.each([[[]], [['--create', '--workers', '2']]])(`a backup is served: %j${because}`, async (argv) => {
      const { folder, key } = await prepare(place, MADE['a backup']);
      const before = contents(folder);
      const server = folder.start(['serve', '--port', '0', ...argv], {}, setUp);
      const [, url = ''] = await server.printed(/listens on (http\S+)\n/);
      const response = await fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } });
      expect([response.status, await response.json()]).toEqual([
        200,
        { object: 'list', has_more: false, data: [RECORD] },
      ]);
      expect(contents(folder)).toEqual(before);
      server.process.kill('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
      expect(contents(folder)).toEqual(before);
    });
  }

  if (unopened === undefined) return;
  attempt.each<[keyof typeof MADE, (name: string) => unknown]>([
    ['a database with a log', () => refused(unopened)],
    ['an empty file', (name) => ((unreadable ?? isCreating(name)) ? refused(unwritable.empty) : NO_DATABASE)],
    ['no file', (name) => (isCreating(name) ? refused(unwritable.none) : NO_DATABASE)],
  ])(`%s is not opened, and none is created${because}`, async (what, outcome) => {
    const { folder } = await prepare(place, MADE[what]);
    const before = contents(folder);
    const names = Object.keys(ALL);
    expect(runAll(folder, place, names)).toEqual(expected(names, outcome));
    expect(contents(folder)).toEqual(before);
  });
});
