/** Errors, shown as what they are. */
import { html, nothing } from '../lit-html.js';
import { seen, textOf } from '../shared/json.js';

/**
 * @param {import('./api.js').Failure} failure
 * @param {{ again: () => void, links?: readonly { href: string, text: string }[] }} ways on.
 */
export function problemView(failure, { again, links = [] }) {
  const { title, message, status, requestId, retryAfter, excerpt } = failure;
  return html`<section class="problem" role="alert">
    <h2>${status === undefined ? nothing : html`<span class="code">${status}</span> `}${sentence(title)}</h2>
    <p>${withCode(message)}</p>
    ${excerpt === undefined ? nothing : html`<pre class="excerpt" tabindex="0">${seen(excerpt.replaceAll('\r\n', '\n').replaceAll('\t', '  ')) || '(nothing)'}</pre>`}
    ${requestId === undefined ? nothing : html`<p class="quiet">X-Request-Id <code>${requestId}</code></p>`}
    ${retryAfter === undefined ? nothing : html`<p class="quiet">Retry-After <code>${retryAfter}</code> s</p>`}
    <p class="ways">
      <button type="button" @click=${again}>Try again</button>
      ${links.map(({ href, text }) => html`<a href=${href}>${text}</a>`)}
    </p>
  </section>`;
}

/** @param {string} text from elsewhere @returns {string} it as it can be shown. */
export const sentence = (text) => textOf(text);

/** @param {string} message whose code stands between backticks. */
export const withCode = (message) =>
  message.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${sentence(part)}</code>` : sentence(part)));
