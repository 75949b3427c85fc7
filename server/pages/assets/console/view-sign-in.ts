/** Signing in and out: the form that asks for a key, and the button that forgets it. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { currentKey } from '../shared/browser.ts';
import { textOf } from '../shared/json.ts';
import type { Failure } from './api.ts';
import type { Contract } from './contract.ts';
import { keyIn } from './sign-in.ts';
import { withCode } from './view-parts.ts';
import type { Model } from './view-parts.ts';

/** The form for a key, which explains the page to a person who has never seen it. */
export function keyView({ contract, route, hash, rejection, typed, acts }: Model): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = document.getElementById('key');
    if (field instanceof HTMLInputElement) acts.enter(field.value);
  };
  const [lead = ''] = contract.description.split(/(?<=\.)\s/);
  return html`<section class="ask">
    <h1>${contract.title} console</h1>
    <p class="lead">${withCode(lead)}</p>
    <form @submit=${submit} novalidate>
      <label for="key">API key</label>
      <div class="line">
        <input
          id="key"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby=${rejection === undefined ? 'key-note' : 'key-rejection key-note'}
          aria-invalid=${rejection === undefined ? nothing : 'true'}
          .value=${typed}
          autofocus
        />
      </div>
      ${rejection === undefined ? nothing : rejectionView(rejection, formFaultOf(contract, typed))}
      <label class="switch"><input type="checkbox" @change=${reveal} /> Show key</label>
      <div class="line"><button class="primary" type="submit">Sign in</button></div>
      <p id="key-note" class="quiet">
        The key is stored in this tab until you close the tab or sign out. It is sent only to this server, and never
        appears in links or in copied text.
      </p>
    </form>
    ${route === undefined ? nothing : html`<p class="quiet">Signing in opens <code>${textOf(hash.slice(1))}</code>.</p>`}
    <p class="quiet">
      The API contract, version ${contract.version}: <a href="openapi.yaml">openapi.yaml</a
      ><span class="of-reference">, <a href="docs">API reference</a></span
      >.
    </p>
  </section>`;
}

/** Shows the key while the box is checked. */
function reveal({ target }: Event): void {
  const field = document.getElementById('key');
  if (field instanceof HTMLInputElement && target instanceof HTMLInputElement)
    field.type = target.checked ? 'text' : 'password';
}

/** @returns how a key differs from those that the server creates; an empty text if it does not, or if it was not typed here. */
function formFaultOf({ keyPattern }: Contract, pasted: string): string {
  const key = keyIn(pasted);
  if (key === '' || keyPattern?.test(key) !== false) return '';
  const count = `${String(key.length)} ${key.length === 1 ? 'character' : 'characters'}`;
  return `You entered ${count}. A key that the server creates matches \`${keyPattern.source.slice(1, -1)}\`.`;
}

/** @param formFault what else is known about the key that the API rejects. */
function rejectionView(rejection: Failure | string, formFault: string): TemplateResult {
  if (typeof rejection === 'string') {
    return html`<p id="key-rejection" class="rejection" role="alert">${withCode(rejection)}</p>`;
  }
  const { status, title, message, requestId } = rejection;
  return html`<p id="key-rejection" class="rejection" role="alert">
    <strong>${status} ${textOf(title)}</strong> ${withCode(message)} ${withCode(formFault)}
    ${requestId === undefined ? nothing : html`<br /><small>X-Request-Id <code>${requestId}</code></small>`}
  </p>`;
}

/** The button names the end of the key: tabs may have the keys of different accounts. */
export const signOutView = ({ acts }: Model): TemplateResult =>
  html`<button class="tool" type="button" @click=${acts.signOut}>Sign out …${textOf(currentKey().slice(-4))}</button>`;
