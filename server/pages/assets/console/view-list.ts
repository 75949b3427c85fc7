/** A page of a list: its filters and actions, its records as a table, and links to its neighbours. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { pretty, textOf } from '../shared/json.ts';
import type { Item } from './api.ts';
import { labelOf, titleOf, WORDS } from './contract.ts';
import type { Column } from './contract.ts';
import { changed, codeOf, curlOf, hrefOf, importOf, listTarget, neighbours } from './links.ts';
import type { Route } from './links.ts';
import { changesOf } from './shown-page.ts';
import type { ShownPage } from './shown-page.ts';
import type { LiveData } from './live-data.ts';
import { findView } from './view-find.ts';
import { cellView, closeMenu, copyView, shortId, timeZone, withCode } from './view-parts.ts';
import type { Model, View } from './view-parts.ts';
import { pageProblem } from './view-problem.ts';

export function listView(model: Model, live: LiveData, route: Route): TemplateResult {
  const { collection, query } = route;
  const { page, failures } = live;
  const isLate = page?.target !== listTarget(collection, query);
  return html`
    ${headView(model, route, page)} ${failures.page === undefined ? nothing : pageProblem(failures.page, route, model)}
    <div class="changes" role="status">${changesView(page, model.acts.show)}</div>
    ${page === undefined ? nothing : html`<div class="list" aria-busy=${isLate}>${tableOrNothing(page, route)}</div>`}
    ${page === undefined || page.items.length === 0 ? nothing : pagesView(live, page, route)}
  `;
}

/** The head of a list: what it is, and its controls, which are in a menu on a narrow screen. The menu's button names the filters that are set. */
function headView(model: Model, route: Route, page: ShownPage | undefined): TemplateResult {
  const { collection, query } = route;
  const set = collection.filters.flatMap(({ name }) => query.get(name) ?? []).map(wordsOf);
  return html`<div class="head">
    <h1 tabindex="-1">${collection.title}</h1>
    <button class="menu" type="button" popovertarget="options">${['Options', ...set].join(': ')}</button>
    <div id="options" popover @click=${closeMenu}>
      <p class="quiet">${withCode(collection.description)}</p>
      ${model.finder === undefined ? nothing : findView(model.finder)} ${controlsView(model, route, page)}
    </div>
  </div>`;
}

/** @returns a value of a filter in words, such as `in progress`. */
const wordsOf = (value: string): string => textOf(value).replaceAll('_', ' ');

/** New rows wait until a person asks for them, so that they do not move the rows on display. It takes no room, for the same reason. */
function changesView(page: ShownPage | undefined, show: () => void): View {
  const text = page === undefined ? '' : changesOf(page);
  return text === '' ? nothing : html`<button type="button" class="primary" @click=${show}>${text}: show</button>`;
}

// The page sizes to choose from, besides the default and the maximum of the contract. Sizes that the contract does not allow are left out.
const SIZES = [5, 10, 25, 50, 100];

/** The controls above a list: its filters, the size of its pages, and the actions for the current page. */
function controlsView(model: Model, { collection, query }: Route, page: ShownPage | undefined): TemplateResult {
  const { acts, base } = model;
  const go =
    (name: string) =>
    ({ target }: Event): void => {
      if (!(target instanceof HTMLSelectElement)) return;
      const next = changed(query, { [name]: target.value === '' ? undefined : target.value });
      acts.go(hrefOf({ collection, query: next, id: undefined }));
    };
  const select = (name: string, label: string, values: readonly string[], none: string): TemplateResult => {
    const current = query.get(name) ?? '';
    const all = current === '' || values.includes(current) ? values : [...values, current];
    return html`<label class="field"
      ><span>${label}</span>
      <select data-name=${name} @change=${go(name)}>
        <option value="" ?selected=${current === ''} .selected=${current === ''}>${none}</option>
        ${all.map((value) => html`<option value=${value} .selected=${value === current}>${wordsOf(value)}</option>`)}
      </select></label
    >`;
  };
  const { minimum, maximum, default: initial } = collection.limit;
  const sizes = [...new Set([...SIZES, maximum])].filter(
    (size) => size >= minimum && size <= maximum && size !== initial,
  );
  const url = new URL(`.${listTarget(collection, query)}`, base).href;
  return html`<div class="controls">
    ${collection.filters.map(({ name, label, values }) => select(name, label, values, 'All'))}
    ${select(WORDS.limit, 'Page size', sizes.map(String), String(initial))}
    <button type="button" @click=${acts.reload} aria-keyshortcuts="r">Refresh</button>
    <label class="switch" title="Refreshes the list by itself while this tab is visible">
      <input
        type="checkbox"
        role="switch"
        .checked=${model.isRefreshOn}
        @change=${({ target }: Event) => {
          acts.refresh(target instanceof HTMLInputElement && target.checked);
        }}
      />
      Auto-refresh
    </label>
    ${copyView(model, 'page', {
      curl: () => curlOf(url),
      'client code': () => codeOf(base, collection, { query }),
      ...(page === undefined ? {} : { JSON: () => pretty(page.body) }),
    })}
  </div>`;
}

const tableOrNothing = (page: ShownPage, route: Route): TemplateResult =>
  page.items.length === 0 ? emptyView(page.route) : tableView(page, route);

function emptyView({ collection, query }: Route): TemplateResult {
  const { noun, filters } = collection;
  const isFiltered = filters.some(({ name }) => query.has(name));
  const [direction] = [query.has(WORDS.after) ? 'older' : '', query.has(WORDS.before) ? 'newer' : ''].filter(Boolean);
  const link = (to: URLSearchParams, text: string): TemplateResult =>
    html`<p><a href=${hrefOf({ collection, query: to, id: undefined })}>${text}</a></p>`;
  if (direction !== undefined) {
    return html`<div class="empty">
      <p>${isFiltered ? `No ${direction} ${noun} match the filter.` : `No ${direction} ${noun}.`}</p>
      ${link(changed(query, {}), 'Go to the first page')}
    </div>`;
  }
  if (!isFiltered) {
    return html`<div class="empty">
      <p>This account has no ${noun}.</p>
      <p>On the machine of the server, this command loads some:</p>
      <p><code>${importOf(collection)}</code></p>
    </div>`;
  }
  const unfiltered = changed(query, Object.fromEntries(filters.map(({ name }) => [name, undefined])));
  return html`<div class="empty">
    <p>No ${noun} match the filter.</p>
    ${link(unfiltered, `Show all ${noun}`)}
  </div>`;
}

function tableView({ items, route: { collection, query } }: ShownPage, { id: open }: Route): TemplateResult {
  const { columns, noun } = collection;
  const title = titleOf(collection);
  const cell = (column: Column, item: Item, href: string): View => {
    if (column.kind === 'id') return nothing;
    const content = cellView(collection, column, item);
    return html`<td role="cell" data-kind=${column.kind} data-label=${column.label}>
      ${column === title ? html`<a class="name" href=${href}>${content}</a>` : content}
    </td>`;
  };
  const row = (item: Item): TemplateResult => {
    const href = hrefOf({ collection, query, id: item.id });
    const isOpen = open?.toLowerCase() === item.id;
    return html`<tr role="row" data-id=${item.id} aria-current=${isOpen ? 'true' : nothing} @click=${follow}>
      <th role="rowheader" scope="row">
        <a href=${href} title=${item.id}><code>${shortId(item.id)}</code></a>
      </th>
      ${columns.map((column) => cell(column, item, href))}
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

/** Opens a record on a click anywhere in its row, except while text is selected. */
function follow({ target, currentTarget }: MouseEvent): void {
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  if (target.closest('a') !== null || getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector('a')?.click();
}

/** The foot of a list: its summary, and links to its neighbours. */
function pagesView(
  live: LiveData,
  { items, hasMore, route: { collection, query } }: ShownPage,
  route: Route,
): TemplateResult {
  const ids = items.map(({ id }) => id);
  const { newer, older } = neighbours(query, { ids, hasMore });
  const hasCursor = query.has(WORDS.after) || query.has(WORDS.before);
  const link = (text: string, name: string, to: URLSearchParams | undefined): TemplateResult =>
    to === undefined
      ? html`<a class="step" role="link" aria-disabled="true" data-step=${name}>${text}</a>`
      : html`<a class="step" data-step=${name} href=${hrefOf({ collection, query: to, id: undefined })} @click=${toTop}
          >${text}</a
        >`;
  return html`<nav class="foot" aria-label="Pages">
    <p class="quiet">
      ${summary(live, route)}<span class="zone"
        >Times are in ${timeZone}.<span class="pointer"> Hover over a time to see the API's value.</span></span
      >
    </p>
    <div class="steps">
      ${link('First', 'first', hasCursor ? changed(query, {}) : undefined)} ${link('← Newer', 'newer', newer)}
      ${link('Older →', 'older', older)}
    </div>
  </nav>`;
}

/** Scrolls to the head of the next page. */
function toTop(): void {
  scrollTo(0, 0);
}

/** @returns a page in words, such as `Showing 20 automations, newest first. Older ones available.`. */
export function summary(live: LiveData | undefined, route: Route | undefined): string {
  const page = live?.page;
  if (page === undefined || route === undefined || live?.waiting.has(page.target) === true) return '';
  const { noun, one } = page.route.collection;
  const { query } = page.route;
  const count = page.items.length;
  const side = query.has(WORDS.before) ? 'newer' : 'older';
  if (count === 0) return `No ${noun}.`;
  const further = page.hasMore ? `${labelOf(side)} ones available.` : `No ${side} ones.`;
  return `Showing ${String(count)} ${count === 1 ? one : noun}, newest first. ${further}`;
}
