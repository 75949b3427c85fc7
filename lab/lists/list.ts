/** What an audit of a list must infer and find, and what many lists share. */
import type { Commands } from '../../audit/lists/commands.ts';
import type { Given, Profile } from '../../audit/lists/profile.ts';
import { versionOf } from './install.ts';
import { start } from './process.ts';
import type { Program, Running } from './process.ts';

export type Way = Profile['next'];

export interface Server {
  readonly name: string;
  readonly version: string;
  readonly start: () => Promise<Running>;
  readonly lists: readonly List[];
}

export type Outcome = 'passed' | 'failed' | 'noted';

export interface List {
  readonly name: string;
  readonly path: string;
  /** What the user of the command knows: a parameter, or what is posted. */
  readonly given?: Pick<Given, 'params' | 'method' | 'body'>;
  /** What must be inferred; if there are several `next`, any of them. Without it, the list must be refused, with exit code 3: it has no second page. */
  readonly right?: Right;
  /**
   * The rules that must have this outcome, and what their finding must contain, such as the numbers; of `a|b`, either. No other rule may fail, so
   * that the exit code is 1 if one of these does, and otherwise 0; others may be noted.
   */
  readonly finds?: Readonly<Record<string, Outcome | readonly [Outcome, string]>>;
  /** Rules that may fail: their faults are true, but only values that not everybody sends show them. */
  readonly mayFail?: readonly string[];
  /** What the documentation or the code of the server declares. */
  readonly declared?: Declared;
  /** What adds an item to the list, and what removes one; it gets the URL of the server. */
  readonly changes?: (url: string) => Pick<Commands, 'add' | 'remove'>;
}

/** What is declared of a list, and what the rules that this switches on find. */
export type Declared = Omit<Given, 'url'> & { readonly finds?: Readonly<Record<string, 'failed' | 'noted'>> };

export interface Right {
  readonly items: string;
  readonly id: string;
  /** The parameter; without it, none is inferred. */
  readonly size?: string;
  readonly next: Way | readonly Way[];
}

/** What an audit finds. */
export type Rest = Pick<List, 'finds' | 'mayFail' | 'declared'>;

export const NEWEST = [{ by: '-created' }];
export const OPEN = { status: 'open' };

/** @param rows the path of the rows, below which an item has its own. */
export const changesAt =
  (rows: string, add = rows, body: (row: object) => object = (row) => row): NonNullable<List['changes']> =>
  (url) => {
    const row = JSON.stringify(body({ name: 'added', status: 'open', created: '2026-02-01T00:00:00Z' }));
    const curl = 'curl --fail --silent --show-error';
    return {
      add: `${curl} --json '${row}' ${url}${add}`,
      remove: `${curl} --request DELETE ${url}${rows}/{id}`,
    };
  };

/** The same, with an id that is greater than those before, where a server gives random ones: they would be in no order. */
export const countedAt =
  (rows: string): NonNullable<List['changes']> =>
  (url) => {
    const { add, ...others } = changesAt(rows, rows, (row) => ({ ...row, id: 'NEXT' }))(url);
    return { ...others, add: add?.replace('NEXT', "'$(date +%s%3N)'") };
  };

/** What becomes of a cursor while the list changes. */
export const STAYS = { 'change.insert': 'passed', 'change.remove': 'passed', 'cursor.removed-item': 'passed' } as const;
/** Pages by number shift. */
export const SHIFTS = { 'change.insert': 'noted', 'change.remove': 'noted' } as const;

export const server = (name: string, program: Program, ...lists: readonly List[]): Server => ({
  name,
  version: versionOf(program.install),
  start: () => start(program),
  lists,
});
