/** A page of a list: its records as a table, or what there is instead. */
import { html, nothing } from '../lit-html.js';
import { cellView, shortId } from './cells.js';
import { labelOf, WORDS } from './contract.js';
import { changed, hrefOf, targetOf } from './location.js';
import { controlsView } from './view-controls.js';
import { pagesView } from './view-pages.js';
import { problemView, withCode } from './view-problem.js';

/**
 * @typedef {import('./view.js').Model} Model
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./session.js').Page} Page
 * @typedef {import('./location.js').Place} Place
 * @typedef {import('./items.js').Item} Item
 */

/** @param {Model} model @param {Session} session @param {Place} place */
export function listView(model, session, place) {
  const { collection, query } = place;
  const { page, failures } = session;
  const isLate = page?.target !== targetOf(collection, query);
  return html`
    <h1 tabindex="-1">${collection.title}</h1>
    <p class="quiet">${withCode(collection.description)}</p>
    ${controlsView(model, place, page)}
    ${failures.page === undefined ? nothing : problemView(failures.page, { again: model.acts.reload, links: ways(place, failures.page) })}
    ${page === undefined ? nothing : html`<div class="list" aria-busy=${isLate}>${tableOrNothing(page, place)}</div>`}
    ${page === undefined ? nothing : pagesView(session, page, place)}
  `;
}

/** Ways on from a failure. @param {Place} place @param {import('./api.js').Failure} failure */
function ways(place, { status }) {
  const hasCursor = place.query.has(WORDS.after) || place.query.has(WORDS.before);
  if (status !== 404 || !hasCursor) return [];
  return [{ href: hrefOf({ ...place, id: undefined, query: changed(place.query, {}) }), text: 'Go to the first page' }];
}

/** @param {Page} page @param {Place} place */
function tableOrNothing(page, place) {
  return page.items.length === 0 ? emptyView(page.place) : tableView(page, place);
}

/** @param {Place} place */
function emptyView({ collection, query }) {
  const { noun, filters } = collection;
  const isFiltered = filters.some((it) => query.has(it.name));
  const [direction] = [query.has(WORDS.after) ? 'older' : '', query.has(WORDS.before) ? 'newer' : ''].filter(Boolean);
  const link = (/** @type {URLSearchParams} */ to, /** @type {string} */ text) =>
    html`<p><a href=${hrefOf({ collection, query: to, id: undefined })}>${text}</a></p>`;
  if (direction !== undefined) {
    return html`<div class="empty">
      <p>${isFiltered ? `No ${direction} ${noun} match the filter.` : `There are no ${direction} ${noun}.`}</p>
      ${link(changed(query, {}), 'Go to the first page')}
    </div>`;
  }
  if (!isFiltered) return html`<div class="empty"><p>This account has no ${noun}.</p></div>`;
  const unfiltered = changed(query, Object.fromEntries(filters.map((it) => [it.name, undefined])));
  return html`<div class="empty">
    <p>No ${noun} match the filter.</p>
    ${link(unfiltered, `Show all ${noun}`)}
  </div>`;
}

/** @param {Page} page @param {Place} place */
function tableView({ items, place: { collection, query } }, { id: open }) {
  const { columns, noun } = collection;
  const cell = (/** @type {import('./contract.js').Column} */ column, /** @type {Item} */ item) => {
    if (column.kind === 'id') return nothing;
    return html`<td role="cell" data-kind=${column.kind} data-label=${column.label}>
      ${cellView(collection, column, item)}
    </td>`;
  };
  const row = (/** @type {Item} */ item) => {
    const href = hrefOf({ collection, query, id: item.id });
    const isOpen = open?.toLowerCase() === item.id;
    return html`<tr role="row" data-id=${item.id} aria-current=${isOpen ? 'true' : nothing} @click=${follow}>
      <th role="rowheader" scope="row">
        <a href=${href} title=${item.id}><code>${shortId(item.id)}</code></a>
      </th>
      ${columns.map((it) => cell(it, item))}
    </tr>`;
  };
  return html`<table role="table">
    <caption class="unseen">
      ${noun}, newest first
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${labelOf(WORDS.id)}</th>
        ${columns.map(({ kind, label }) =>
          kind === 'id' ? nothing : html`<th role="columnheader" scope="col" data-kind=${kind}>${label}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${items.map(row)}
    </tbody>
  </table>`;
}

/** A click anywhere in a row, but while text is being selected. @param {MouseEvent} event */
function follow({ target, currentTarget }) {
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  if (target.closest('a') !== null || getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector('a')?.click();
}
