/** The single keys that the console understands. */

export type Act = 'next' | 'previous' | 'newer' | 'older' | 'filter' | 'reload' | 'help' | 'close';

export const KEYS: readonly { readonly keys: readonly string[]; readonly does: string; readonly act?: Act }[] = [
  { keys: ['j', '↓'], does: 'Next row, or the next record while one is open', act: 'next' },
  { keys: ['k', '↑'], does: 'Previous row or record', act: 'previous' },
  { keys: ['Enter'], does: 'Open the record' },
  { keys: ['Esc'], does: 'Close the record', act: 'close' },
  { keys: ['n'], does: 'Newer page', act: 'newer' },
  { keys: ['o'], does: 'Older page', act: 'older' },
  { keys: ['/'], does: 'To the filter', act: 'filter' },
  { keys: ['r'], does: 'Refresh', act: 'reload' },
  { keys: ['?'], does: 'This list', act: 'help' },
];

// The names of keys in browsers, where they differ from the names above.
const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

/** @param key the name of a key in browsers. */
export const actFor = (key: string): Act | undefined => KEYS.find(({ keys }) => keys.includes(NAMES[key] ?? key))?.act;
