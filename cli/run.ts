/** The command line: its commands. */
import process from 'node:process';
import { Command } from 'commander';
import { runProgram } from '../command/program.ts';
import { addressesIn, shownAddress } from '../server/store/address.ts';
import { StoreError, StoreUnavailable } from '../server/store/store.ts';
import { keepHeapSmall } from './heap.ts';

const VERSION_FLAGS = ['-V', '--version'];

type Load = () => Promise<Command>;

/** The commands, in the order of the help. A file is loaded only if its command is needed: no command loads the libraries of another. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Start here:': {
    demo: async () => (await import('./demo.ts')).demoCommand(),
  },
  'Check any paginated list and its clients, or serve one:': {
    audit: async () => {
      keepHeapSmall(); // Before its code is loaded: most of what a run holds.
      return (await import('../command/audit.ts')).auditCommand();
    },
    examine: async () => (await import('../command/examine.ts')).examineCommand(),
    fake: async () => (await import('../command/fake.ts')).fakeCommand(),
  },
  'Check servers of the Rollcall API:': {
    conform: async () => (await import('./conform.ts')).conformCommand(),
  },
  'Serve lists:': {
    serve: async () => (await import('./serve.ts')).serveCommand(),
    import: async () => (await import('./import.ts')).importCommand(),
    export: async () => (await import('./export.ts')).exportCommand(),
    remove: async () => (await import('./remove.ts')).removeCommand(),
    accounts: async () => (await import('./accounts.ts')).accountsCommand(),
    keys: async () => (await import('./keys.ts')).keysCommand(),
    db: async () => (await import('./db.ts')).dbCommand(),
  },
};

/**
 * @param version the version that `--version` prints.
 * @param word the first word of the command line. If it names a command, only that command is loaded; if it is `--version`, none. Otherwise
 *   all are loaded, for the help and for suggestions.
 * @returns the program with the loaded commands.
 */
export async function createProgram(version: string, word = ''): Promise<Command> {
  const program = new Command('rollcall')
    .description('Find the items that a paginated API loses. Serve one to test against.')
    .version(version, '-V, --version', 'print the version');
  const all = Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ group, name, load })),
  );
  const named = all.filter(({ name }) => name === word);
  const needed = named.length === 0 && !VERSION_FLAGS.includes(word) ? all : named;
  for (const { group, load } of needed) program.addCommand((await load()).helpGroup(group));
  return program;
}

/**
 * Runs a command to its end.
 * @param argv the words after the program's name.
 * @param version the version that `--version` prints.
 * @returns the exit code, see `runProgram`.
 */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const program = await createProgram(version, argv[0]);
  hidePasswords(argv);
  return runProgram(program, argv, { isForPeople, hidden: (text) => hidden(text, argv) });
}

const isForPeople = (error: unknown): error is Error =>
  error instanceof StoreError || error instanceof StoreUnavailable;

/**
 * Hides the passwords of databases in the list of processes, which every user of a machine may read.
 * @param argv the words of the command line. If one of them has a password, `ps` shows the words without passwords from now on.
 */
function hidePasswords(argv: readonly string[]): void {
  const shown = shownWords(argv);
  if (shown.some((word, index) => word !== argv[index])) process.title = ['rollcall', ...shown].join(' ');
}

/** @returns a text, such as an error of commander, in which the words of the command line stand without passwords. */
const hidden = (text: string, argv: readonly string[]): string =>
  shownWords(argv).reduce((shownText, shown, index) => shownText.replaceAll(argv[index] ?? shown, () => shown), text);

/** @returns the words of a command line, without the passwords of databases. */
function shownWords(argv: readonly string[]): readonly string[] {
  return argv.map((word) => {
    const [, flag = '', value = ''] = /^(--[a-z-]+=)?(.*)$/s.exec(word) ?? [];
    return /postgres|password/i.test(value) ? flag + addressesIn(value).map(shownAddress).join(',') : word;
  });
}
