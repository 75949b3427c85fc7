/** Values of records for reading. */
import { html, nothing } from '../lit-html.js';
import { isNumber, isObject, textOf } from '../shared/json.js';
import { partsOf, progressOf } from './progress.js';
import { brief, instantOf, readable } from './time.js';
import { toneOf } from './tone.js';

/**
 * @typedef {import('./contract.js').Collection} Collection
 * @typedef {import('./contract.js').Column} Column
 * @typedef {import('./items.js').Item} Item
 */

// The rest of a long text is in the record's JSON.
const MAX_LENGTH = 160;
const ID_LENGTH = 8;

/** @param {Column} column @param {unknown} value @param {{ isBrief?: boolean }} [options] in a table a time has no seconds. */
export function valueView({ kind }, value, { isBrief = false } = {}) {
  if (value === null || value === undefined) return html`<code class="none">${String(value ?? 'null')}</code>`;
  if (value === '') return html`<span class="none">empty</span>`;
  const text = textOf(value);
  if (kind === 'choice') return html`<span class="badge" data-tone=${toneOf(text)}>${text.replaceAll('_', ' ')}</span>`;
  const instant = kind === 'time' ? instantOf(value) : undefined;
  if (instant !== undefined) {
    return html`<time datetime=${instant.toISOString()} title=${text}>${(isBrief ? brief : readable)(instant)}</time>`;
  }
  if (kind === 'counts' && isObject(value)) return countsView(value);
  if (isNumber(value)) return html`<span class="number">${text}</span>`;
  const isLong = text.length > MAX_LENGTH;
  return html`<bdi title=${isLong ? 'Longer: its JSON has all of it' : nothing}
    >${isLong ? `${text.slice(0, MAX_LENGTH)}…` : text}</bdi
  >`;
}

/** @param {Readonly<Record<string, unknown>>} counts all of them, in a line; what is zero is left out. */
function countsView(counts) {
  const { total, parts } = partsOf(counts);
  const some = parts.filter(([, count]) => count !== 0);
  return html`<span class="counts"
    >${
      some.length === 0
        ? html`<span class="none">${grouped(total ?? 0)}</span>`
        : some.map(([name, count]) => html`<span>${grouped(count)} ${name}</span>`)
    }</span
  >`;
}

/** @param {Collection} collection @param {Column} column @param {Item} item a cell of the table. */
export function cellView(collection, column, item) {
  const value = item[column.name];
  if (column.kind !== 'counts' || !isObject(value) || progressOf(collection, item) === undefined) {
    return valueView(column, value, { isBrief: true });
  }
  const bad = partsOf(value).parts.filter(([name, count]) => toneOf(name) === 'bad' && count !== 0);
  return html`${progressView(collection, item)}${bad.map(
    ([name, count]) => html`<span class="bad">${grouped(count)} ${name}</span>`,
  )}`;
}

/** @param {unknown} value @returns {string} a whole number with its thousands apart. */
export const grouped = (value) => (typeof value === 'number' ? value.toLocaleString() : textOf(value));

/** @param {string} id @returns {string} its beginning. */
export const shortId = (id) => (id.length > ID_LENGTH + 1 ? `${textOf(id.slice(0, ID_LENGTH))}…` : textOf(id));

/** @param {Collection} collection @param {Item} item */
export function progressView(collection, item) {
  const progress = progressOf(collection, item);
  if (progress === undefined) return nothing;
  const { done, total, isRunning } = progress;
  return html`<span class="progress" data-running=${isRunning}>
    <progress
      aria-label="Progress of ${collection.one} ${shortId(item.id)}"
      value=${done}
      max=${Math.max(total, 1)}
    ></progress>
    <span class="number">${done === total ? grouped(total) : `${grouped(done)} of ${grouped(total)}`}</span>
  </span>`;
}
