/** What stands below a list: what it is, and the ways to its neighbours. */
import { html } from '../lit-html.js';
import { WORDS } from './contract.js';
import { changed, hrefOf, neighbours } from './location.js';
import { summary } from './summary.js';
import { timeZone } from './time.js';

/**
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./session.js').Page} Page
 * @typedef {import('./location.js').Place} Place
 */

/** The head of the next page. */
const toTop = () => {
  scrollTo(0, 0);
};

/** @param {Session} session @param {Page} page @param {Place} place */
export function pagesView(session, { items, hasMore, place: { collection, query } }, place) {
  const ids = items.map((it) => it.id);
  const { newer, older } = neighbours(query, { ids, hasMore });
  const hasCursor = query.has(WORDS.after) || query.has(WORDS.before);
  const link = (
    /** @type {string} */ text,
    /** @type {string} */ name,
    /** @type {URLSearchParams | undefined} */ to,
  ) =>
    to === undefined
      ? html`<a class="step" role="link" aria-disabled="true" data-step=${name}>${text}</a>`
      : html`<a class="step" data-step=${name} href=${hrefOf({ collection, query: to, id: undefined })} @click=${toTop}
          >${text}</a
        >`;
  return html`<nav class="foot" aria-label="Pages">
    <p class="quiet">
      ${summary(session, place)}<span class="zone"
        >Times are of ${timeZone}; the API's own text is in their title.</span
      >
    </p>
    <div class="steps">
      ${link('First', 'first', hasCursor ? changed(query, {}) : undefined)} ${link('← Newer', 'newer', newer)}
      ${link('Older →', 'older', older)}
    </div>
  </nav>`;
}
