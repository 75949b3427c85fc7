/** Runs a program of commands: what it prints, and its exit code. */
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { NotBuilt } from '../contract/document.ts';
import {
  CliError,
  NotTestedError,
  UsageError,
  isDebugging,
  isSystemError,
  stackOf,
  systemError,
} from './command-errors.ts';
import { ignoreVariables, reportIgnored, requireOptions } from './options.ts';
import { guardOutput, notify, notifyError, print } from './output.ts';

const EXIT = { done: 0, failed: 1, usage: 2, notTested: 3 } as const;

interface Hooks {
  /** @returns whether the message of an error is written for users, with a suggested fix. Those of CliError are. */
  readonly isForPeople?: (error: unknown) => error is Error;
  /** @returns a text that commander prints, without secrets of the command line. */
  readonly hidden?: (text: string) => string;
}

/**
 * Runs a command of a program to its end.
 * @param argv the words after the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 what was to be tested could not be.
 */
export async function runProgram(program: Command, argv: readonly string[], hooks: Hooks = {}): Promise<number> {
  const { hidden = (text: string): string => text } = hooks;
  let running = program;
  everyCommand(program, (command) => {
    ignoreVariables(command);
    if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
    command
      .helpOption('-h, --help', 'show this help')
      .hook('preAction', (_, called) => {
        if (called !== command) return; // A hook of a command is also called for those below it.
        running = command;
        reportIgnored();
        requireOptions(command);
      })
      .exitOverride()
      .showHelpAfterError(`See: ${fullName(command)} --help`)
      .configureOutput({
        writeOut: (text) => {
          print(...linesOf(text));
        },
        writeErr: (text) => {
          // What follows a mistyped option may be a key.
          notify(...linesOf(hidden(text.replace(/^(error: unknown option '[^=']*)=[^]*?'$/m, "$1'"))));
        },
      });
  });
  guardOutput();
  try {
    await program.parseAsync(argv, { from: 'user' }).catch((error: unknown) => {
      throw error instanceof UsageError ? running.error(`error: ${error.message}`) : error;
    });
    return EXIT.done;
  } catch (error) {
    // Commander has printed the error. It also throws after --help and --version, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    notifyError(...explain(error, hooks));
    return error instanceof NotTestedError ? EXIT.notTested : EXIT.failed;
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

/** @returns the lines to print about an error that ended a command. */
function explain(error: unknown, { isForPeople }: Hooks): readonly string[] {
  if (error instanceof CliError || error instanceof NotBuilt || isForPeople?.(error) === true)
    return [`rollcall: ${error.message}`];
  if (isSystemError(error)) return [`rollcall: ${systemError(error)}`];
  if (!isDebugging()) return ['rollcall: Internal error. Set ROLLCALL_DEBUG=1 to see the details.'];
  return ['rollcall: Internal error.', ...stackOf(error)];
}
