/** The user's own commands, which alone change a list: what they are given, and what comes of them. */
import { NotChecked } from '../rules/rule.ts';
import { own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { plainId } from './list.ts';

/** Shell commands. Only those of the user run. */
export interface Commands {
  /** Adds an item. */
  readonly add?: string | undefined;
  /** Removes the item `{id}`. */
  readonly remove?: string | undefined;
  /** Replaces the list with one of `{count}` items. */
  readonly resize?: string | undefined;
  /** Prints the ids of the items that must appear, or is the URL of such a text. */
  readonly expectIds?: string | undefined;
  /** Runs a line. It does not throw for a command that fails. */
  readonly run: (line: string) => Promise<CommandEnd>;
}
export const COMMAND_NAMES = ['add', 'remove', 'resize', 'expectIds'] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** @returns the option that gives a command. */
export const flagOf = (name: CommandName): string => (name === 'expectIds' ? '--expect-ids' : `--${name}`);

export interface CommandEnd {
  /** Why it has failed, as `it exited with 7: no connection`; `undefined` if it has not. */
  readonly failure: Text | undefined;
  /** What it has printed. */
  readonly output: string;
}

/** The most runs of each command in an audit: what is checked changes a list twice, and a failure is checked again. */
export const MOVES = 2;
export const MAX_RUNS: Readonly<Record<CommandName, number>> = {
  add: 2 * MOVES,
  remove: 4 * MOVES,
  resize: 6,
  expectIds: 6,
};

// No character of it means something to a shell, in quotes or without, nor to most of what a shell may start.
const PLAIN_ID = /^\w[\w.:@+=/-]{0,199}$/;

/** @returns the line that removes an item. @throws NotChecked if the server may have made the id to be run. */
export function withId(line: string, id: string): string {
  const text = plainId(id);
  if (!PLAIN_ID.test(text) || text.split('/').some((it) => /^\.+$/.test(it)))
    throw new NotChecked(
      say`the id ${quote(JSON.stringify(text))} has characters that a shell may interpret, so it is not passed to --remove`,
    );
  return line.replaceAll('{id}', text);
}

export const withCount = (line: string, count: number): string => line.replaceAll('{count}', String(count));

/** Runs one of the commands. @returns what it has printed. @throws NotChecked if it is not given, or fails. */
export async function perform(
  commands: Commands | undefined,
  name: CommandName,
  fill: (line: string) => string = (line) => line,
): Promise<string> {
  const line = commands?.[name];
  if (commands === undefined || line === undefined)
    throw new NotChecked(say`no command was given (${own(flagOf(name))})`);
  const { failure, output } = await commands.run(fill(line));
  if (failure !== undefined) throw new NotChecked(say`the command of ${own(flagOf(name))} failed: ${failure}`);
  return output;
}
