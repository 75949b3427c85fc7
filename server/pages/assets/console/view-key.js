/** The question for a key, which explains the page to who comes first. */
import { html, nothing } from '../lit-html.js';
import { sentence, withCode } from './view-problem.js';

/** @param {import('./view.js').Model} model */
export function keyView({ contract, place, hash, refusal, acts }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const field = document.getElementById('key');
    if (field instanceof HTMLInputElement) acts.enter(field.value);
  };
  const [what = ''] = contract.description.split(/(?<=\.)\s/);
  return html`<section class="ask">
    <h1>${contract.title} console</h1>
    <p class="lead">${withCode(what)}</p>
    <form @submit=${submit} novalidate>
      <label for="key">API key</label>
      <div class="line">
        <input
          id="key"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby=${refusal === undefined ? 'key-note' : 'key-refusal key-note'}
          aria-invalid=${refusal === undefined ? nothing : 'true'}
          autofocus
        />
        <button class="primary" type="submit">Open</button>
      </div>
      ${refusal === undefined ? nothing : refusalView(refusal)}
      <p id="key-note" class="quiet">
        It stays in this tab until you close it, is sent to this server only, and is never part of a link or of what you
        copy.
      </p>
    </form>
    ${place === undefined ? nothing : html`<p class="quiet">It opens at <code>${sentence(hash.slice(1))}</code>.</p>`}
    <p class="quiet">
      <a href="openapi.yaml">openapi.yaml</a> is the contract of this API (version ${contract.version})<span
        class="of-reference"
        >, and <a href="docs">the reference</a> describes it</span
      >.
    </p>
  </section>`;
}

/** @param {import('./api.js').Failure | string} refusal */
function refusalView(refusal) {
  if (typeof refusal === 'string') return html`<p id="key-refusal" class="refusal" role="alert">${refusal}</p>`;
  const { status, title, message, requestId } = refusal;
  return html`<p id="key-refusal" class="refusal" role="alert">
    <strong>${status} ${sentence(title)}</strong> ${withCode(message)}
    ${requestId === undefined ? nothing : html`<br /><small>X-Request-Id <code>${requestId}</code></small>`}
  </p>`;
}
