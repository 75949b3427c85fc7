/** The command line: which commands there are, and what becomes of their errors. */
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { StoreRefused, StoreUnavailable } from '../store/store.ts';
import { accountsCommand } from './accounts.ts';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { conformCommand } from './conform.ts';
import { copyCommand } from './copy.ts';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import { isSystemError, systemError } from './file-errors.ts';
import { hidePasswords } from './hide-passwords.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { requireOptions } from './options.ts';
import { guardOutput, notify, notifyError, print } from './output.ts';
import { NotTested, Refusal } from './refusal.ts';
import { removeCommand } from './remove.ts';
import { serveCommand } from './serve.ts';
import { upgradeCommand } from './upgrade.ts';

const EXIT = { done: 0, refused: 1, usage: 2, notTested: 3 } as const;

/**
 * @returns the commands, with their options and helps.
 * @param version what `--version` prints.
 */
export function createProgram(version: string): Command {
  const program = new Command('rollcall')
    .description('A read-only listing service for automations, contact properties and contact imports.')
    .version(version)
    .addHelpText('after', '\nNew here? Start with: rollcall demo\n')
    .hook('preAction', (_, command) => {
      requireOptions(command);
    });
  const commands = [
    serveCommand(),
    importCommand(),
    keysCommand(),
    accountsCommand(),
    exportCommand(),
    removeCommand(),
    checkCommand(),
    backupCommand(),
    copyCommand(),
    upgradeCommand(),
    conformCommand(),
    demoCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

/**
 * Runs a command to its end.
 * @param argv the words after the program's name.
 * @param version what `--version` prints.
 * @returns the exit code: 0 done, 1 refused data or state, 2 wrong usage, 3 what was to be tested could not be.
 */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const program = createProgram(version);
  everyCommand(program, (command) => {
    command
      .exitOverride()
      .showHelpAfterError(`See: ${fullName(command)} --help`)
      .configureOutput({
        writeOut: (text) => {
          print(...linesOf(text));
        },
        writeErr: (text) => {
          notify(...linesOf(text));
        },
      });
  });
  guardOutput();
  hidePasswords(argv);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // The parser has said what is wrong. It throws for --help too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    notifyError(...explain(error, process.env['ROLLCALL_DEBUG'] !== undefined));
    return error instanceof NotTested ? EXIT.notTested : EXIT.refused;
  }
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** @returns what to print about an error that ended a command. */
function explain(error: unknown, withDetails: boolean): readonly string[] {
  if (isForPeople(error)) return [`rollcall: ${error.message}`];
  if (isSystemError(error)) return [`rollcall: ${systemError(error)}`];
  if (!withDetails) return ['rollcall: This is a fault of Rollcall itself. Set ROLLCALL_DEBUG=1 to see its details.'];
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return ['rollcall: This is a fault of Rollcall itself.', ...linesOf(details)];
}

/** An error of ours that says what can be done about it. */
function isForPeople(error: unknown): error is Error {
  return error instanceof Refusal || error instanceof StoreRefused || error instanceof StoreUnavailable;
}
