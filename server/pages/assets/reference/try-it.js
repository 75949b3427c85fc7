/** Calls from the page, with the key that the console has too. */
import { textOf } from '../shared/body.js';
import { currentKey, forgetKey, keepKey } from '../shared/key.js';
import { element, every } from './dom.js';
import { showAnswer, showFailure } from './result.js';

const TIMEOUT_MS = 30_000;

/** @param {string} base where the API is. */
export function addTrying(base) {
  for (const details of every('.try')) {
    const form = details.querySelector('form');
    const [result] = every('.result', details);
    if (form === null || result === undefined) continue;
    const askForKey = addKey(form);
    let calls = new AbortController();
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      // A value out of range is sent, to see what the answer is; a path without its parameter is another path.
      const missing = inputsOf(form).find((it) => it.validity.valueMissing);
      if (missing?.reportValidity() === false) return;
      calls.abort(); // Who sends again does not wait for the answer before.
      calls = new AbortController();
      askForKey();
      void call(base, form, result, calls.signal);
    });
    details.hidden = false;
  }
}

/**
 * A field for the key while there is none, and a way to another one.
 * @param {HTMLFormElement} form
 * @returns {() => void} what keeps the key that was typed, and shows what there is.
 */
function addKey(form) {
  const id = `${form.dataset['operation'] ?? ''}-key`;
  const input = element('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
  const field = element('p', { class: 'field' }, element('label', { for: id }, 'API key'), input);
  const another = element('button', { type: 'button' }, 'Use another');
  const [as] = every('.as', form);
  form.prepend(field);
  const show = () => {
    const has = currentKey() !== '';
    field.hidden = has;
    as?.replaceChildren(...(has ? ['With the key of this session. ', another] : []));
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
    if (input.value.trim() !== '') keepKey(input.value);
    input.value = '';
    show();
  };
}

/**
 * @param {string} base
 * @param {HTMLFormElement} form
 * @param {HTMLElement} result
 * @param {AbortSignal} isReplaced
 */
async function call(base, form, result, isReplaced) {
  result.setAttribute('aria-busy', 'true');
  const started = performance.now();
  try {
    const { path, headers } = requestOf(form);
    if (currentKey() !== '') headers.set('Authorization', `Bearer ${currentKey()}`);
    const signal = AbortSignal.any([isReplaced, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(base + path, { headers, signal, cache: 'no-store' });
    const body = await textOf(response);
    showAnswer(result, response, body, performance.now() - started, `./#${path}`);
  } catch (error) {
    if (isReplaced.aborted) return;
    showFailure(result, error);
  }
  result.removeAttribute('aria-busy');
}

/**
 * What the fields say: an empty one is not sent.
 * @param {HTMLFormElement} form
 */
function requestOf(form) {
  const query = new URLSearchParams();
  const headers = new Headers();
  let path = form.dataset['path'] ?? '';
  for (const field of inputsOf(form)) {
    const { name, value } = field;
    if (value === '') continue;
    if (field.dataset['in'] === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    if (field.dataset['in'] === 'query') query.set(name, value);
    if (field.dataset['in'] === 'header') headers.set(name, value);
  }
  return { path: query.size === 0 ? path : `${path}?${query.toString()}`, headers };
}

/** @param {HTMLFormElement} form */
const inputsOf = (form) =>
  [...form.elements].filter((it) => it instanceof HTMLInputElement || it instanceof HTMLSelectElement);
