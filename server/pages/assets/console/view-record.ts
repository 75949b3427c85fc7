/** One record beside the list: its properties for reading, its progress, and its JSON. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { isObject, pretty, textOf, withTokens } from '../shared/json.ts';
import type { Item } from './api.ts';
import { partsOf, TOTAL } from './contract.ts';
import type { Column } from './contract.ts';
import { codeOf, curlOf, hrefOf, listTarget, recordTarget } from './links.ts';
import type { Route } from './links.ts';
import type { LiveData, Open } from './live-data.ts';
import { copyView, grouped, isNarrow, progressView, valueView } from './view-parts.ts';
import type { Model, View } from './view-parts.ts';
import { recordProblem } from './view-problem.ts';

export function recordView(model: Model, { record, failures }: LiveData, route: Route): TemplateResult {
  const { collection, id = '' } = route;
  const item = record?.item;
  // Where the record covers the list, it has the place for what keeps the list from being refreshed.
  const ofList = isNarrow.matches && failures.page?.isPassing === true ? failures.page : undefined;
  const failure = failures.record ?? ofList;
  return html`<aside class="record" aria-labelledby="record-title">
    <header>
      <h2 id="record-title" tabindex="-1">
        <span class="kind">${collection.one}</span>
        <code>${textOf(id)}</code>
      </h2>
      ${copyIdView(model, id)}
      <a class="close" href=${hrefOf({ ...route, id: undefined })} aria-label="Close the record" title="Close (Esc)"
        >✕</a
      >
    </header>
    <div class="body">
      ${failure === undefined ? nothing : recordProblem(failure, collection, model)}
      ${record === undefined || item === undefined ? nothing : itemView(model, record, item)}
    </div>
  </aside>`;
}

const copyIdView = ({ message, acts }: Model, id: string): TemplateResult =>
  html`<button
    type="button"
    class=${message === 'Copied: id' ? 'copy-id copied' : 'copy-id'}
    aria-keyshortcuts="c"
    @click=${() => {
      acts.copy('id', id);
    }}
  >
    Copy id
  </button>`;

function itemView(model: Model, record: Open, item: Item): TemplateResult {
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

function propertyView(column: Column, value: unknown): View {
  const { kind, label } = column;
  if (kind === 'id') return nothing;
  if (kind === 'counts' && isObject(value)) {
    const { total, parts } = partsOf(value);
    const counts = [...parts, [TOTAL, total] as const];
    return html`<div class="tallies">
      <dt>${label}</dt>
      <dd>
        <ul>
          ${counts.map(([name, count]) => html`<li><span>${grouped(count)}</span> ${name}</li>`)}
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

/** @returns the texts to copy, by the names of their buttons. */
function copies(
  base: string,
  { collection, id, query = new URLSearchParams() }: Open,
  item: Item,
): Readonly<Record<string, () => string>> {
  const isRetrieved = collection.retrieval !== undefined;
  const target = isRetrieved ? recordTarget(collection, id) : listTarget(collection, query);
  return {
    curl: () => curlOf(new URL(`.${target}`, base).href),
    'client code': () => codeOf(base, collection, isRetrieved ? { id } : { query }),
    JSON: () => pretty(item),
  };
}
