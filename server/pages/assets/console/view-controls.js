/** What stands above a list: its filters, the size of its pages, and what is done with the one that is shown. */
import { html } from '../lit-html.js';
import { WORDS } from './contract.js';
import { codeOf, curlOf } from './copy.js';
import { pretty, textOf } from '../shared/json.js';
import { changed, hrefOf, targetOf } from './location.js';
import { copyView } from './view-copy.js';

/**
 * @typedef {import('./view.js').Model} Model
 * @typedef {import('./session.js').Page} Page
 * @typedef {import('./location.js').Place} Place
 */

// Of these the ones that the contract allows, beside its default and its maximum.
const SIZES = [5, 10, 25, 50, 100];

/** @param {Model} model @param {Place} place @param {Page | undefined} page */
export function controlsView(model, { collection, query }, page) {
  const { acts, base } = model;
  const go =
    (/** @type {string} */ name) =>
    (/** @type {Event} */ { target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      const next = changed(query, { [name]: target.value === '' ? undefined : target.value });
      acts.go(hrefOf({ collection, query: next, id: undefined }));
    };
  const select = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {readonly string[]} */ values,
    /** @type {string} */ none,
  ) => {
    const current = query.get(name) ?? '';
    const all = current === '' || values.includes(current) ? values : [...values, current];
    return html`<label class="field"
      ><span>${label}</span>
      <select data-name=${name} @change=${go(name)}>
        <option value="" ?selected=${current === ''} .selected=${current === ''}>${none}</option>
        ${all.map((it) => html`<option value=${it} .selected=${it === current}>${textOf(it).replaceAll('_', ' ')}</option>`)}
      </select></label
    >`;
  };
  const { minimum, maximum, default: usual } = collection.limit;
  const sizes = [...new Set([...SIZES, maximum])].filter((it) => it >= minimum && it <= maximum && it !== usual);
  const url = new URL(`.${targetOf(collection, query)}`, base).href;
  return html`<div class="controls">
    ${collection.filters.map(({ name, label, values }) => select(name, label, values, 'All'))}
    ${select(WORDS.limit, 'Page size', sizes.map(String), String(usual))}
    <button type="button" @click=${acts.reload} aria-keyshortcuts="r">Refresh</button>
    ${copyView(model, 'page', {
      curl: () => curlOf(url),
      'client code': () => codeOf(base, collection, { query }),
      ...(page === undefined ? {} : { JSON: () => pretty(page.body) }),
    })}
  </div>`;
}
