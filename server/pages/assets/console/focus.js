/** Where the keyboard is: among the rows, in a record that was opened, back in its row when it is closed. */
import { hrefOf } from './location.js';

/**
 * @typedef {import('./location.js').Place} Place
 * @typedef {import('./keys.js').Act} Act
 */

/** @param {string} id @returns {HTMLElement | undefined} */
const linkOf = (id) =>
  rows()
    .find((it) => it.dataset['id'] === id.toLowerCase())
    ?.querySelector('a') ?? undefined;

/** @returns {HTMLElement[]} */
const rows = () => [...document.querySelectorAll('tbody tr')].filter((it) => it instanceof HTMLElement);

/** @param {string} selector */
const focusOn = (selector) => {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
};

/** On a narrow screen the collections scroll, and their counts grow. */
function createShowTab() {
  let shown = '';
  return () => {
    const tab = document.querySelector('nav [aria-current]');
    if (tab === null || tab.textContent === shown) return;
    shown = tab.textContent;
    tab.scrollIntoView({ block: 'nearest', inline: 'center' });
  };
}

/** @returns {{ around: (place: Place | undefined, hasSession: boolean, draw: () => void) => void, act: typeof act }} */
export function createFocus() {
  /** @type {{ place: Place | undefined, hasSession: boolean } | undefined} what was drawn last. */
  let last;
  const showTab = createShowTab();
  return {
    act,
    around: (place, hasSession, draw) => {
      const had = document.activeElement ?? document.body;
      const row = had.closest('tbody tr');
      const rowId = row instanceof HTMLElement ? row.dataset['id'] : undefined;
      draw();
      showTab();
      const before = last;
      last = { place, hasSession };
      if (before === undefined) return;
      // The form that had it is gone.
      if (hasSession && !before.hasSession) focusOn(place?.id === undefined ? 'h1' : '#record-title');
      else if (place?.id !== before.place?.id && place?.id !== undefined) focusOn('#record-title');
      else if (place?.id === undefined && before.place?.id !== undefined) {
        (linkOf(before.place.id) ?? document.querySelector('h1'))?.focus();
      }
      // A page that was asked for again may have moved its rows.
      else if (rowId !== undefined && row instanceof HTMLElement && row.dataset['id'] !== rowId) linkOf(rowId)?.focus();
      // What had it is no longer there, such as a link to the last page.
      else if (had !== document.body && document.activeElement === document.body) focusOn('h1');
    },
  };
}

/**
 * @param {Act} what
 * @param {Place | undefined} place
 * @param {import('./view.js').Acts} acts
 * @returns {boolean} whether there was anything to do.
 */
function act(what, place, acts) {
  switch (what) {
    case 'next':
      return step(1, place, acts);
    case 'previous':
      return step(-1, place, acts);
    case 'newer':
    case 'older':
      return press(`[data-step="${what}"][href]`);
    case 'filter':
      focusOn('.controls select');
      return true;
    case 'reload':
      acts.reload();
      return true;
    case 'help':
      acts.help();
      return true;
    case 'close':
      acts.close();
      return place?.id !== undefined;
  }
}

/** @param {string} selector */
function press(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) return false;
  found.click();
  return true;
}

/** @param {1 | -1} by @param {Place | undefined} place @param {import('./view.js').Acts} acts */
function step(by, place, acts) {
  const all = rows();
  const focused = document.activeElement?.closest('tbody tr');
  const at = all.findIndex((it) =>
    place?.id === undefined ? it === focused : it.dataset['id'] === place.id.toLowerCase(),
  );
  const next = at === -1 ? all[by === 1 ? 0 : all.length - 1] : all[at + by];
  const id = next?.dataset['id'];
  if (id === undefined) return false;
  if (place?.id === undefined) linkOf(id)?.focus();
  else acts.go(hrefOf({ ...place, id }));
  return true;
}
