/** What the keyboard does, and whether single keys do anything. */
import { html } from '../lit-html.js';
import { KEYS, turnKeys } from './keys.js';

/** @param {import('./view.js').Model} model */
export const keysView = ({ areKeysOn }) =>
  html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl>
      ${KEYS.map(
        ({ keys, does }) =>
          html`<div>
            <dt>${keys.map((it) => html`<kbd>${it}</kbd> `)}</dt>
            <dd>${does}</dd>
          </div>`,
      )}
    </dl>
    <p>
      <label
        ><input
          type="checkbox"
          .checked=${areKeysOn}
          @change=${(/** @type {Event} */ { target }) => {
            turnKeys(target instanceof HTMLInputElement && target.checked);
          }}
        />
        Single keys do this. Turn it off if they get in the way of speech input.</label
      >
    </p>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`;
