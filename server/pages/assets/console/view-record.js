/** One record beside the list: its properties for reading, how far it has come, and its JSON. */
import { html, nothing } from '../lit-html.js';
import { grouped, progressView, valueView } from './cells.js';
import { codeOf, curlOf } from './copy.js';
import { isObject, pretty, textOf } from '../shared/json.js';
import { withTokens } from '../shared/json-tokens.js';
import { hrefOf, lookupTarget, targetOf } from './location.js';
import { partsOf, TOTAL } from './progress.js';
import { copyView } from './view-copy.js';
import { problemView } from './view-problem.js';

/**
 * @typedef {import('./view.js').Model} Model
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./session.js').Open} Open
 * @typedef {import('./location.js').Place} Place
 * @typedef {import('./contract.js').Column} Column
 */

/** @param {Model} model @param {Session} session @param {Place} place */
export function recordView(model, { record, failures }, place) {
  const { collection, id = '' } = place;
  const item = record?.item;
  return html`<aside class="record" aria-labelledby="record-title">
    <header>
      <h2 id="record-title" tabindex="-1">
        <span class="kind">${collection.one}</span>
        <code>${textOf(id)}</code>
      </h2>
      <a class="close" href=${hrefOf({ ...place, id: undefined })} aria-label="Close the record" title="Close (Esc)"
        >✕</a
      >
    </header>
    <div class="body">
      ${failures.record === undefined ? nothing : problemView(failures.record, { again: model.acts.reload })}
      ${record === undefined || item === undefined ? nothing : itemView(model, record, item)}
    </div>
  </aside>`;
}

/** @param {Model} model @param {Open} record @param {import('./items.js').Item} item */
function itemView(model, record, item) {
  const { collection } = record;
  return html`
    ${progressView(collection, item)}
    <dl class="properties">${collection.columns.map((column) => propertyView(column, item[column.name]))}</dl>
    <div class="json-head">
      <h3>JSON</h3>
      ${copyView(model, collection.one, copies(model.base, record, item))}
    </div>
    <pre class="json" tabindex="0">
${withTokens(pretty(item), (kind, token) => html`<span class=${kind}>${token}</span>`)}</pre>
  `;
}

/** @param {Column} column @param {unknown} value */
function propertyView(column, value) {
  const { kind, label } = column;
  if (kind === 'id') return nothing;
  if (kind === 'counts' && isObject(value)) {
    const { total, parts } = partsOf(value);
    return html`<div class="tallies">
      <dt>${label}</dt>
      <dd>
        <ul>
          ${[...parts, /** @type {const} */ ([TOTAL, total])].map(([name, count]) => html`<li><span>${grouped(count)}</span> ${name}</li>`)}
        </ul>
      </dd>
    </div>`;
  }
  const exact =
    kind === 'time' && typeof value === 'string' ? html`<code class="exact">${textOf(value)}</code>` : nothing;
  return html`<div>
    <dt>${label}</dt>
    <dd>${valueView(column, value)} ${exact}</dd>
  </div>`;
}

/** @param {string} base @param {Open} record @param {unknown} item @returns {Readonly<Record<string, () => string>>} */
function copies(base, { collection, id, query }, item) {
  const isLookup = collection.lookup !== undefined;
  const target = isLookup ? lookupTarget(collection, id) : targetOf(collection, query ?? new URLSearchParams());
  return {
    curl: () => curlOf(new URL(`.${target}`, base).href),
    'client code': () => codeOf(base, collection, isLookup ? { id } : { query: query ?? new URLSearchParams() }),
    JSON: () => pretty(item),
  };
}
