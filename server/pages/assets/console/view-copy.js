/** Buttons that copy what is shown, as a command, as code, as JSON. */
import { html } from '../lit-html.js';

/**
 * @param {import('./view.js').Model} model
 * @param {string} what such as `page`
 * @param {Readonly<Record<string, () => string>>} texts by how they are called.
 */
export function copyView({ told, acts }, what, texts) {
  return html`<div class="copy" role="group" aria-label="Copy the ${what} as">
    <span aria-hidden="true">Copy</span>
    ${Object.entries(texts).map(([name, make]) => {
      const id = `${what} as ${name}`;
      const isCopied = told === `Copied: ${id}`;
      return html`<button
        type="button"
        class=${isCopied ? 'copied' : ''}
        @click=${() => {
          acts.copy(id, make());
        }}
      >
        ${name}
      </button>`;
    })}
  </div>`;
}
