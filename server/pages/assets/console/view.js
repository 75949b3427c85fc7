/** The page as a whole: its header, and below it the question for a key, or a list and a record. */
import { html, nothing } from '../lit-html.js';
import { currentScheme } from '../shared/scheme.js';
import { hrefOf } from './location.js';
import { summary } from './summary.js';
import { problemView, sentence } from './view-problem.js';
import { keyView } from './view-key.js';
import { keysView } from './view-keys.js';
import { listView } from './view-list.js';
import { recordView } from './view-record.js';

/**
 * @typedef {import('./contract.js').Contract} Contract
 * @typedef {import('./location.js').Place} Place
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./api.js').Failure} Failure
 * @typedef {{
 *   go: (href: string) => void, reload: () => void, enter: (key: string) => void, forget: () => void,
 *   scheme: () => void, copy: (name: string, text: string) => void, help: () => void, close: () => void,
 * }} Acts what a person can do that is no link.
 * @typedef {{
 *   base: string, contract: Contract, place: Place | undefined, hash: string, session: Session | undefined,
 *   refusal: Failure | string | undefined, told: string, areKeysOn: boolean, acts: Acts,
 * }} Model all that the page shows; without a session it asks for a key.
 */

/** As in console.css. */
export const isNarrow = matchMedia('(width < 50rem)');

/** @param {Model} model */
export function view(model) {
  const { session, place } = model;
  const record = session === undefined || place?.id === undefined ? nothing : recordView(model, session, place);
  // A sheet that covers all else is all there is to reach.
  const isCovered = record !== nothing && isNarrow.matches;
  return html`
    <a class="skip" href="#content" @click=${skip}>Skip to the content</a>
    ${header(model, isCovered)}
    <div class=${record === nothing ? 'desk' : 'desk with-record'}>
      <main id="content" tabindex="-1" ?inert=${isCovered}>${content(model)}</main>
      ${record}
    </div>
    ${status(model)} ${keysView(model)}
  `;
}

/** The link to the content, which is no place of the console. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** @param {Model} model */
function content(model) {
  const { session, place } = model;
  if (session === undefined) return keyView(model);
  return place === undefined ? unknownView(model) : listView(model, session, place);
}

/** @param {Model} model @param {boolean} isCovered */
function header({ contract, place, session, acts }, isCovered) {
  const isDark = currentScheme() === 'dark';
  const link = (/** @type {import('./contract.js').Collection} */ collection) => {
    const isCurrent = place?.collection === collection;
    const seen = session?.seen.label(collection.path) ?? '';
    return html`<li>
      <a
        href=${hrefOf({ collection, query: new URLSearchParams(), id: undefined })}
        aria-current=${isCurrent ? 'page' : nothing}
        >${collection.title}${
          seen === ''
            ? nothing
            : html` <span class="count" title="Seen so far">${seen}<span class="unseen"> seen</span></span>`
        }</a
      >
    </li>`;
  };
  return html`<header class="top" ?inert=${isCovered}>
    <a class="brand" href="#">${contract.title} <span>console</span></a>
    <nav class="tabs" aria-label="Collections">
      <ul>
        ${session === undefined ? nothing : contract.collections.map(link)}
      </ul>
    </nav>
    <div class="tools">
      <a class="tool" href="docs">Reference</a>
      <button class="tool wide" type="button" @click=${acts.help} aria-keyshortcuts="?">Keys</button>
      <button class="tool" type="button" @click=${acts.scheme}>${isDark ? 'Light' : 'Dark'}</button>
      ${
        session === undefined
          ? nothing
          : html`<button class="tool" type="button" @click=${acts.forget}>Forget key</button>`
      }
    </div>
  </header>`;
}

/** @param {Model} model */
function unknownView({ hash, contract }) {
  const [first] = contract.collections;
  return html`<section class="problem" role="alert">
    <h1>Nothing is at this link</h1>
    <p>The contract has no list or record at <code>${sentence(hash.replace(/^#/, ''))}</code>.</p>
    ${
      first === undefined
        ? nothing
        : html`<p>
            <a href=${hrefOf({ collection: first, query: new URLSearchParams(), id: undefined })}>${first.title}</a>
          </p>`
    }
  </section>`;
}

/** What is said aloud, and what is waited for. @param {Model} model */
function status({ session, place, told }) {
  const waiting = [...(session?.waiting ?? [])];
  return html`
    <p class=${told === '' ? 'unseen' : 'toast'} role="status">${told === '' ? summary(session, place) : told}</p>
    <p class="waiting" ?hidden=${waiting.length === 0} aria-hidden="true">
      ${waiting.map((it) => html`<span>Waiting for GET ${sentence(it)}</span>`)}
    </p>
  `;
}

/** The page when there is no contract to show anything by. @param {Failure | undefined} failure @param {() => void} again */
export const startView = (failure, again) =>
  html`<main class="notice">
    <h1>Rollcall console</h1>
    ${failure === undefined ? html`<p role="status">Waiting for the contract of this server.</p>` : problemView(failure, { again })}
  </main>`;
