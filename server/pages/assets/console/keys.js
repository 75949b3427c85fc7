/** The keyboard: single keys, as far as nobody types into a field, and as they are not turned off. */
import { storageOf } from '../shared/storage.js';

const storage = storageOf('localStorage');
const NAME = 'rollcall keys';

/** @typedef {'next' | 'previous' | 'newer' | 'older' | 'filter' | 'reload' | 'help' | 'close'} Act */

/** @type {readonly { keys: readonly string[], does: string, act?: Act }[]} */
export const KEYS = [
  { keys: ['j', '↓'], does: 'Next row, or the next record while one is open', act: 'next' },
  { keys: ['k', '↑'], does: 'Previous row or record', act: 'previous' },
  { keys: ['Enter'], does: 'Open the record' },
  { keys: ['Esc'], does: 'Close the record', act: 'close' },
  { keys: ['n'], does: 'Newer page', act: 'newer' },
  { keys: ['o'], does: 'Older page', act: 'older' },
  { keys: ['/'], does: 'To the filter', act: 'filter' },
  { keys: ['r'], does: 'Ask again', act: 'reload' },
  { keys: ['?'], does: 'This list', act: 'help' },
];

/** What keys are called by a browser, where that is something else. @type {Readonly<Record<string, string>>} */
const CALLED = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

export const areKeysOn = () => storage.getItem(NAME) !== 'off';

/** @param {boolean} isOn */
export function turnKeys(isOn) {
  storage.setItem(NAME, isOn ? 'on' : 'off');
}

/** @param {KeyboardEvent} event @returns {Act | undefined} what it asks for. */
export function actOf(event) {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey || isComposing || !(target instanceof Element)) return;
  if (target.closest('dialog') !== null) return;
  if (key === 'Escape') return 'close';
  if (target.closest('input, select, textarea') !== null) return;
  // Arrows scroll the page, but among rows.
  if (key.startsWith('Arrow')) return target.closest('tbody') === null ? undefined : actFor(key);
  return areKeysOn() ? actFor(key) : undefined;
}

/** @param {string} key @returns {Act | undefined} */
const actFor = (key) => KEYS.find(({ keys }) => keys.includes(CALLED[key] ?? key))?.act;
