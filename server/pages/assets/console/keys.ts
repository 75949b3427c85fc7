/** The single keys that the console understands. */

export type Act = 'next' | 'previous' | 'newer' | 'older' | 'find' | 'copy' | 'reload' | 'help' | 'close';

export const KEYS: readonly { readonly keys: readonly string[]; readonly does: string; readonly act?: Act }[] = [
  { keys: ['j', '↓'], does: 'Next row, or next record while one is open', act: 'next' },
  { keys: ['k', '↑'], does: 'Previous row or record', act: 'previous' },
  { keys: ['Enter'], does: 'Open the record' },
  { keys: ['Esc'], does: 'Close the record', act: 'close' },
  { keys: ['n'], does: 'Newer page', act: 'newer' },
  { keys: ['o'], does: 'Older page', act: 'older' },
  { keys: ['/'], does: 'Find by id', act: 'find' },
  { keys: ['c'], does: "Copy the record's id", act: 'copy' },
  { keys: ['r'], does: 'Refresh', act: 'reload' },
  { keys: ['?'], does: 'Show keyboard shortcuts', act: 'help' },
];

// The names of keys in browsers, where they differ from the names above.
const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

/** @param key the name of a key in browsers. */
export const actFor = (key: string): Act | undefined => KEYS.find(({ keys }) => keys.includes(NAMES[key] ?? key))?.act;
