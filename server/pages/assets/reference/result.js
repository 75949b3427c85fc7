/** What came of a call. */
import { parse, pretty } from '../shared/json.js';
import { withTokens } from '../shared/json-tokens.js';
import { element } from './dom.js';

/** How much of a body is shown: more would hold up the page. */
const MAX_SHOWN = 200_000;

/**
 * @param {HTMLElement} place
 * @param {Response} response
 * @param {string} body
 * @param {number} ms
 * @param {string} inConsole the same request in the console.
 */
export function showAnswer(place, response, body, ms, inConsole) {
  const status = `${String(response.status)} ${response.statusText}`.trim();
  const size = sizeOf(new TextEncoder().encode(body).length);
  place.replaceChildren(
    element(
      'p',
      response.status < 400 ? {} : { class: 'refused' },
      element('strong', {}, status),
      element('span', {}, `${String(Math.round(ms))} ms`),
      element('span', {}, size),
      element('a', { href: inConsole }, 'Open in the console'),
    ),
    headersOf(response),
    ...(body === ''
      ? []
      : [element('pre', { class: 'code', tabindex: '0' }, element('code', {}, ...coloured(cut(readable(body)))))]),
  );
}

/**
 * No answer at all.
 * @param {HTMLElement} place
 * @param {unknown} error
 */
export function showFailure(place, error) {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const said = error instanceof Error ? error.message : String(error);
  place.replaceChildren(
    element('p', { class: 'refused' }, element('strong', {}, isLate ? 'No answer in time' : 'No answer'), said),
  );
}

/** @param {Response} response */
function headersOf({ headers }) {
  const rows = [...headers].flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  const summary = element('summary', {}, `Headers: ${String(rows.length / 2)}`);
  return element('details', {}, summary, element('dl', {}, ...rows));
}

/** @param {string} body @returns {string} JSON in lines; anything else as it is, such as a page of a proxy. */
function readable(body) {
  try {
    return pretty(parse(body));
  } catch {
    return body;
  }
}

/** The classes of the examples in the page. */
const CLASSES = { name: 'hljs-attr', text: 'hljs-string', value: 'hljs-number' };

/** @param {string} json */
const coloured = (json) => withTokens(json, (kind, token) => element('span', { class: CLASSES[kind] }, token));

/** @param {string} text */
const cut = (text) => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}\n…`);

/** @param {number} bytes */
const sizeOf = (bytes) => (bytes < 1000 ? `${String(bytes)} bytes` : `${(bytes / 1000).toFixed(1)} kB`);
