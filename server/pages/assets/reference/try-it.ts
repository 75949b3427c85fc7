/** Sends calls from the page and shows their responses. The page shares the API key with the console. */
import { readBody } from '../shared/body.ts';
import { currentKey, forgetKey, storeKey } from '../shared/browser.ts';
import { parse, pretty, withTokens } from '../shared/json.ts';
import { copyButton, element, every } from './dom.ts';
import { highlight } from './highlight.ts';
import { LANGUAGES, samplesOf, targetOf } from './samples.ts';
import type { Call, ClientCall, Sent } from './samples.ts';

const TIMEOUT_MS = 30_000;

/** @param base the URL of the API. */
export function addTrying(base: string): void {
  for (const details of every('.try')) {
    const form = details.querySelector('form');
    const [result] = every('.result', details);
    if (form === null || result === undefined) continue;
    const takeKey = addKey(form);
    let calls = new AbortController();
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      // A value out of range is sent, to show the API's response. A missing path parameter is not: the path would be another one.
      const missing = inputsOf(form).find((input) => input.validity.valueMissing);
      if (missing?.reportValidity() === false) return;
      calls.abort(); // A person who sends again does not wait for the previous response.
      calls = new AbortController();
      takeKey();
      void call(base, form, result, calls.signal);
    });
    form.addEventListener('input', (event) => {
      // The API key is no part of the code.
      if (event.target instanceof Element && event.target.matches('[name]')) showSamples(base, form);
    });
    details.hidden = false;
  }
}

/**
 * Adds a field for the key, which is visible while no key is stored, and a button to use another key.
 * @returns a function that stores the typed key and updates the field.
 */
function addKey(form: HTMLFormElement): () => void {
  const id = `${form.dataset['operation'] ?? ''}-key`;
  const input = element('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
  const field = element('p', { class: 'field' }, element('label', { for: id }, 'API key'), input);
  const another = element('button', { type: 'button' }, 'Change key');
  const [as] = every('.as', form);
  form.prepend(field);
  const show = (): void => {
    const hasKey = currentKey() !== '';
    field.hidden = hasKey;
    as?.replaceChildren(...(hasKey ? ['Uses the API key of this session. ', another] : []));
  };
  another.addEventListener('click', () => {
    forgetKey();
    input.value = '';
    show();
    input.focus();
  });
  form.parentElement?.addEventListener('toggle', show);
  show();
  return () => {
    if (input.value.trim() !== '') storeKey(input.value);
    input.value = '';
    show();
  };
}

async function call(base: string, form: HTMLFormElement, result: HTMLElement, isReplaced: AbortSignal): Promise<void> {
  result.setAttribute('aria-busy', 'true');
  const started = performance.now();
  try {
    const { path, headers } = requestOf(form);
    if (currentKey() !== '') headers.set('Authorization', `Bearer ${currentKey()}`);
    const signal = AbortSignal.any([isReplaced, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(base + path, { headers, signal, cache: 'no-store' });
    const body = await readBody(response);
    showResponse(result, response, body, performance.now() - started, `./#${path}`);
  } catch (error) {
    if (isReplaced.aborted) return;
    showFailure(result, error);
  }
  result.removeAttribute('aria-busy');
}

/** @returns the request that the form describes, without its empty fields. */
function requestOf(form: HTMLFormElement): { readonly path: string; readonly headers: Headers } {
  const { headers, ...target } = callOf('', form);
  return {
    path: targetOf(target),
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, String(value)])),
  };
}

/** @returns the request as samples render it. A path parameter that is empty keeps its name in braces. */
function callOf(origin: string, form: HTMLFormElement): Call {
  const sentIn = (place: string): readonly Sent[] =>
    inputsOf(form)
      .filter((input) => input.dataset['in'] === place && input.value !== '')
      .map(({ name, type, value }) => [name, type === 'number' && /^-?\d{1,15}$/.test(value) ? Number(value) : value]);
  return {
    ...{ origin, path: form.dataset['path'] ?? '', client: JSON.parse(form.dataset['client'] ?? '{}') as ClientCall }, // Rendered from it.
    ...{ pathValues: sentIn('path'), query: sentIn('query'), headers: sentIn('header') },
  };
}

/** Shows the request that the form describes in the samples of the operation. */
function showSamples(base: string, form: HTMLFormElement): void {
  const samples = samplesOf(callOf(base, form));
  const show = (kind: string, token: string): HTMLElement => element('span', { class: `t-${kind}` }, token);
  const inputs = every('.languages > input', form.closest('.example') ?? undefined);
  for (const language of LANGUAGES) {
    const input = inputs.find((choice) => choice instanceof HTMLInputElement && choice.value === language);
    const code = input?.nextElementSibling?.nextElementSibling?.querySelector('pre code');
    code?.replaceChildren(...highlight(samples[language], language, show));
  }
}

const inputsOf = (form: HTMLFormElement): readonly (HTMLInputElement | HTMLSelectElement)[] =>
  [...form.elements].filter((node) => node instanceof HTMLInputElement || node instanceof HTMLSelectElement);

// The number of characters of a body that the page shows. More would make the page slow.
const MAX_SHOWN = 200_000;

/** @param inConsole the URL of the same request in the console. */
function showResponse(result: HTMLElement, response: Response, body: string, ms: number, inConsole: string): void {
  const status = `${String(response.status)} ${response.statusText}`.trim();
  const size = sizeOf(new TextEncoder().encode(body).length);
  result.replaceChildren(
    element(
      'p',
      response.status < 400 ? {} : { class: 'error' },
      element('strong', {}, status),
      element('span', {}, `${String(Math.round(ms))} ms`),
      element('span', {}, size),
      element('a', { href: inConsole }, 'Open in console'),
    ),
    headersOf(response),
    ...(body === '' ? [] : [bodyOf(readable(body))]),
  );
}

/** @returns the body with a button that copies all of it, even if it is too long to show. */
function bodyOf(text: string): HTMLElement {
  const shown = element('pre', { class: 'code', tabindex: '0' }, element('code', {}, ...coloured(cut(text))));
  return element(
    'div',
    { class: 'body' },
    shown,
    copyButton('Copy response', () => text),
  );
}

/** Shows why there is no response. */
function showFailure(result: HTMLElement, error: unknown): void {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = error instanceof Error ? error.message : String(error);
  result.replaceChildren(
    element('p', { class: 'error' }, element('strong', {}, isLate ? 'Request timed out' : 'No response'), reason),
  );
}

function headersOf({ headers }: Response): HTMLElement {
  const rows = [...headers].flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  const summary = element('summary', {}, `Response headers (${String(rows.length / 2)})`);
  return element('details', {}, summary, element('dl', {}, ...rows));
}

/** @returns JSON with indentation; any other text, such as a page of a proxy, unchanged. */
function readable(body: string): string {
  try {
    return pretty(parse(body));
  } catch {
    return body;
  }
}

const coloured = (json: string): (HTMLElement | string)[] =>
  withTokens(json, (kind, token) => element('span', { class: `t-${kind}` }, token));

const cut = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}\n…`);

const sizeOf = (bytes: number): string => (bytes < 1000 ? `${String(bytes)} bytes` : `${(bytes / 1000).toFixed(1)} kB`);
