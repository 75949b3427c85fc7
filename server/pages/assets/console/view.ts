/** The page as a whole: its header, and below it a form for the key, or a list and a record. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { currentScheme } from '../shared/browser.ts';
import { textOf } from '../shared/json.ts';
import type { Failure } from './api.ts';
import type { Collection } from './contract.ts';
import { turnKeys } from './keyboard.ts';
import { KEYS } from './keys.ts';
import { hrefOf } from './links.ts';
import { findView } from './view-find.ts';
import { listView, summary } from './view-list.ts';
import { closeMenu, isNarrow } from './view-parts.ts';
import type { Model } from './view-parts.ts';
import { problemView } from './view-problem.ts';
import { recordView } from './view-record.ts';
import { keyView, signOutView } from './view-sign-in.ts';

export function view(model: Model): TemplateResult {
  const { live, route } = model;
  const record = live === undefined || route?.id === undefined ? nothing : recordView(model, live, route);
  // On a narrow screen the record covers everything else, which then cannot be reached.
  const isCovered = record !== nothing && isNarrow.matches;
  return html`
    <a class="skip" href="#content" @click=${skip}>Skip to content</a>
    ${headerView(model, isCovered)}
    <div class=${record === nothing ? 'desk' : 'desk with-record'}>
      <main id="content" tabindex="-1" ?inert=${isCovered}>${contentView(model)}</main>
      ${record}
    </div>
    ${statusView(model)} ${keysView(model)}
  `;
}

/** Moves the focus to the content. The link to it is not a route of the console. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function contentView(model: Model): TemplateResult {
  const { live, route } = model;
  if (live === undefined) return keyView(model);
  if (route !== undefined) return listView(model, live, route);
  return html`${unknownView(model)} ${model.finder === undefined ? nothing : findView(model.finder)}`;
}

function headerView(model: Model, isCovered: boolean): TemplateResult {
  const { contract, route, live, acts } = model;
  const isDark = currentScheme() === 'dark';
  const link = (collection: Collection): TemplateResult => {
    const isCurrent = route?.collection === collection;
    return html`<li>
      <a
        href=${hrefOf({ collection, query: new URLSearchParams(), id: undefined })}
        aria-current=${isCurrent ? 'page' : nothing}
        >${collection.title}</a
      >
    </li>`;
  };
  return html`<header class="top" ?inert=${isCovered}>
    <a class="brand" href="#">${contract.title} <span>console</span></a>
    <button class="tool menu" type="button" popovertarget="menu">Menu</button>
    <div id="menu" popover @click=${closeMenu}>
      <nav class="tabs" aria-label="Collections">
        <ul>
          ${live === undefined ? nothing : contract.collections.map(link)}
        </ul>
      </nav>
      <div class="tools">
        <a class="tool" href="docs">Reference</a>
        <button class="tool wide" type="button" @click=${acts.help} aria-keyshortcuts="?">Keyboard shortcuts</button>
        <button class="tool" type="button" @click=${acts.scheme}>${isDark ? 'Light' : 'Dark'}</button>
        ${live === undefined ? nothing : signOutView(model)}
      </div>
    </div>
  </header>`;
}

function unknownView({ hash, contract }: Model): TemplateResult {
  const [first] = contract.collections;
  return html`<section class="problem" role="alert">
    <h1>Page not found</h1>
    <p>The API has no list or record at <code>${textOf(hash.replace(/^#/, ''))}</code>.</p>
    ${
      first === undefined
        ? nothing
        : html`<p>
            <a href=${hrefOf({ collection: first, query: new URLSearchParams(), id: undefined })}>${first.title}</a>
          </p>`
    }
  </section>`;
}

/** The text for screen readers, and the pending requests. */
function statusView({ live, route, message }: Model): TemplateResult {
  const waiting = [...(live?.waiting ?? [])];
  return html`
    <p class=${message === '' ? 'unseen' : 'toast'} role="status">${message === '' ? summary(live, route) : message}</p>
    <p class="unseen" aria-live="polite" data-news>${live?.news}</p>
    <p class="waiting" ?hidden=${waiting.length === 0} aria-hidden="true">
      ${waiting.map((target) => html`<span>Loading ${textOf(target)}</span>`)}
    </p>
  `;
}

/** The single keys, and whether they are turned on. */
const keysView = ({ areKeysOn }: Model): TemplateResult =>
  html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl>
      ${KEYS.map(
        ({ keys, does }) =>
          html`<div>
            <dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${does}</dd>
          </div>`,
      )}
    </dl>
    <p>
      <label
        ><input
          type="checkbox"
          .checked=${areKeysOn}
          @change=${({ target }: Event) => {
            turnKeys(target instanceof HTMLInputElement && target.checked);
          }}
        />
        Enable keyboard shortcuts. Disable them if they interfere with speech input.</label
      >
    </p>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`;

/** The page while it has no contract: it is waiting for the contract, or has failed to load it. */
export const startView = (failure: Failure | undefined, again: () => void): TemplateResult =>
  html`<main class="notice">
    <h1>Rollcall console</h1>
    ${failure === undefined ? html`<p role="status">Loading the API contract.</p>` : problemView(failure, { again, isRetried: true })}
  </main>`;
