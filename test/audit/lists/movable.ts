/** Lists that commands change while they are audited: what `--add`, `--remove`, `--resize` and `--expect-ids` run, without a process. */
import type { CommandEnd, Commands } from '../../../audit/lists/commands.ts';
import { quote, say } from '../../../audit/rules/text.ts';
import { rowsOfStyle } from './server.ts';
import type { Hooks, ListOptions, Row, Style } from './server.ts';

/** The rows of a list, which its commands change. */
export class Store {
  rows: readonly Row[];
  readonly #kind: Row['id'];
  #made = 0;

  constructor(style: Style) {
    this.rows = rowsOfStyle(style);
    this.#kind = this.rows[0]?.id ?? 0;
  }

  /** @returns a new row, older or newer than all others. */
  make(created: string): Row {
    this.#made += 1;
    const id = typeof this.#kind === 'string' ? `made-${String(this.#made)}` : 9000 + this.#made;
    return { id, created, name: 'Made' };
  }
  /** Adds a row where it belongs: the list is newest first. */
  add(created = '2026-03-01T00:00:00.000Z'): void {
    const at = this.rows.findIndex((it) => it.created <= created);
    const row = this.make(created);
    this.rows = at < 0 ? [...this.rows, row] : [...this.rows.slice(0, at), row, ...this.rows.slice(at)];
  }
  remove(id: string): void {
    this.rows = this.rows.filter((it) => String(it.id) !== id);
  }
  setUp(count: number): void {
    this.rows = Array.from({ length: count }, (_, at) => this.make(new Date(Date.UTC(2026, 0, 1) - at).toISOString()));
  }
}

/** What commands do to a store. An error that is thrown is a command that fails. */
export interface Deeds {
  add?(store: Store): void;
  remove?(store: Store, id: string): void;
  resize?(store: Store, count: number): void;
  expectIds?(store: Store): string;
}

interface Movable {
  readonly options: ListOptions;
  readonly commands: Commands;
}

const TEXTS = { add: 'add', remove: 'remove {id}', resize: 'resize {count}', expectIds: 'expectIds' } as const;
export const DEEDS: Required<Deeds> = {
  add: (store) => {
    store.add();
  },
  remove: (store, id) => {
    store.remove(id);
  },
  resize: (store, count) => {
    store.setUp(count);
  },
  expectIds: ({ rows }) => rows.map(({ id }) => String(id)).join('\n'),
};

/**
 * @param deeds those commands that there are.
 * @param change the list as hooks over the rows of the store.
 */
function movable(style: Style, deeds: Deeds, change: (store: Store) => Omit<ListOptions, 'style'>): Movable {
  const store = new Store(style);
  const { rows: initial } = store;
  const { order, ...hooks } = change(store);
  const current: Hooks['order'] = (_, call) => order?.(store.rows, call) ?? store.rows;
  const run = (command: string): Promise<CommandEnd> => {
    const [name = '', value = ''] = command.split(' ');
    try {
      if (name === 'add') deeds.add?.(store);
      else if (name === 'remove') deeds.remove?.(store, value);
      else if (name === 'resize') deeds.resize?.(store, Number(value));
      else return Promise.resolve({ failure: undefined, output: deeds.expectIds?.(store) ?? '' });
    } catch (error) {
      return Promise.resolve({ failure: say`it exited with 1: ${quote(String(error))}`, output: '' });
    }
    return Promise.resolve({ failure: undefined, output: '' });
  };
  const given = (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).filter((it) => deeds[it] !== undefined); // Its own keys.
  const texts = Object.fromEntries(given.map((it) => [it, TEXTS[it]]));
  return { options: { rows: initial, ...hooks, order: current, style }, commands: { ...texts, run } };
}

/** @returns a list in each of some styles, with a store of its own. */
export const moving = (
  name: string,
  styles: readonly Style[],
  deeds: Deeds,
  change: (store: Store, style: Style) => Omit<ListOptions, 'style'> = () => ({}),
): readonly (Movable & { readonly name: string })[] =>
  styles.map((style) => ({ name: `${style}: ${name}`, ...movable(style, deeds, (store) => change(store, style)) }));
