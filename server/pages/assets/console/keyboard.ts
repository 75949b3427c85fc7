/** The keyboard: single keys, and the focus, which moves among the rows, into a record that opens, and back to its row when it closes. */
import { storageOf } from '../shared/browser.ts';
import { actFor } from './keys.ts';
import type { Act } from './keys.ts';
import { hrefOf } from './links.ts';
import type { Route } from './links.ts';
import type { Acts } from './view-parts.ts';

const storage = storageOf('localStorage');
const NAME = 'rollcall keys';

export const areKeysOn = (): boolean => storage.getItem(NAME) !== 'off';

export function turnKeys(isOn: boolean): void {
  storage.setItem(NAME, isOn ? 'on' : 'off');
}

/** @returns the action of a key; undefined while a person types into a field, or while single keys are turned off. */
export function actOf(event: KeyboardEvent): Act | undefined {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return undefined;
  if (!(target instanceof Element) || target.closest('dialog') !== null) return undefined;
  // Escape closes a menu, and nothing below it.
  if (key === 'Escape') return document.querySelector(':popover-open') === null ? 'close' : undefined;
  if (target.closest('input, select, textarea') !== null) return undefined;
  // Arrows scroll the page, except among rows.
  if (key.startsWith('Arrow')) return target.closest('tbody') === null ? undefined : actFor(key);
  return areKeysOn() ? actFor(key) : undefined;
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('tbody tr')];

const linkOf = (id: string): HTMLAnchorElement | undefined =>
  rows()
    .find((row) => row.dataset['id'] === id.toLowerCase())
    ?.querySelector('a') ?? undefined;

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** @returns a function that scrolls the current collection into view: where they do not fit, the collections scroll. */
function createShowTab(): () => void {
  let shown = '';
  return () => {
    const tab = document.querySelector('nav [aria-current]');
    if (tab === null || tab.textContent === shown) return;
    shown = tab.textContent;
    tab.scrollIntoView({ block: 'nearest', inline: 'center' });
  };
}

/** @returns a function that draws, and then puts the focus where a person expects it. */
export function createFocus(): (route: Route | undefined, hasSession: boolean, draw: () => void) => void {
  /** The state that was drawn last. */
  let last: { readonly route: Route | undefined; readonly hasSession: boolean } | undefined;
  const showTab = createShowTab();
  return (route, hasSession, draw) => {
    const had = document.activeElement ?? document.body;
    const row = had.closest<HTMLElement>('tbody tr');
    const rowId = row?.dataset['id'];
    draw();
    showTab();
    const before = last;
    last = { route, hasSession };
    if (before === undefined) return;
    // The form that had the focus is gone.
    if (hasSession && !before.hasSession) focusOn(route?.id === undefined ? 'h1' : '#record-title');
    else if (route?.id !== before.route?.id && route?.id !== undefined) {
      focusOn('#record-title');
      // The record may be in front of its row.
      linkOf(route.id)?.closest('tr')?.scrollIntoView({ block: 'nearest' });
    } else if (route?.id === undefined && before.route?.id !== undefined) {
      (linkOf(before.route.id) ?? document.querySelector('h1'))?.focus();
    }
    // A refresh of the page may have moved its rows.
    else if (rowId !== undefined && row?.dataset['id'] !== rowId) linkOf(rowId)?.focus();
    // The element that had the focus is gone, such as a link to the last page.
    else if (had !== document.body && document.activeElement === document.body) focusOn('h1');
  };
}

/** @returns whether the action did anything. */
export function perform(act: Act, route: Route | undefined, acts: Acts): boolean {
  switch (act) {
    case 'next':
      return step(1, route, acts);
    case 'previous':
      return step(-1, route, acts);
    case 'newer':
    case 'older':
      return press(`[data-step="${act}"][href]`);
    case 'find':
      return focusOnFind();
    case 'copy':
      return copyId(route, acts);
    case 'reload':
      acts.reload();
      return true;
    case 'help':
      acts.help();
      return true;
    case 'close':
      acts.close();
      return route?.id !== undefined;
  }
}

/** Opens the menu that the field is in on a narrow screen. */
function focusOnFind(): boolean {
  const field = document.getElementById('find');
  if (field?.closest('[inert]') !== null) return false;
  if (!field.checkVisibility()) document.getElementById('options')?.showPopover();
  field.focus();
  return true;
}

function press(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.click();
  return found !== null;
}

/** Copies the id of the open record or of the row that has the focus. */
function copyId(route: Route | undefined, acts: Acts): boolean {
  const id = route?.id ?? document.activeElement?.closest<HTMLElement>('tbody tr')?.dataset['id'];
  if (id !== undefined) acts.copy('id', id);
  return id !== undefined;
}

function step(by: 1 | -1, route: Route | undefined, acts: Acts): boolean {
  const all = rows();
  const focused = document.activeElement?.closest('tbody tr');
  const at = all.findIndex((row) =>
    route?.id === undefined ? row === focused : row.dataset['id'] === route.id.toLowerCase(),
  );
  const next = at === -1 ? all[by === 1 ? 0 : all.length - 1] : all[at + by];
  const id = next?.dataset['id'];
  if (id === undefined) return false;
  if (route?.id === undefined) linkOf(id)?.focus();
  else acts.go(hrefOf({ ...route, id }));
  return true;
}
