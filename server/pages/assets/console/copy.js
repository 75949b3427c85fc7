/** What is copied: calls for a shell and for a program. The key is named, never written; ids and filters may be hostile. */
import { WORDS } from './contract.js';
import { escapeUnits } from '../shared/json.js';

/** @typedef {import('./contract.js').Collection} Collection */

const VARIABLE = 'ROLLCALL_API_KEY';

/** @param {string} url @returns {string} a command for sh. */
export const curlOf = (url) => `curl -sS -H "Authorization: Bearer $${VARIABLE}" ${shellQuoted(url)}`;

/** @param {string} text @returns {string} one word of sh. */
const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * @param {string} baseUrl of the API.
 * @param {Collection} collection
 * @param {{ query?: URLSearchParams, id?: string }} call a page, or a record that is looked up.
 * @returns {string} TypeScript with the client.
 */
export function codeOf(baseUrl, collection, { query = new URLSearchParams(), id }) {
  const name = `client.${nameOf(collection)}`;
  const call =
    id === undefined
      ? `const page = await ${name}.list(${objectOf(query)});`
      : `const ${camel(collection.one)} = await ${name}.get(${quoted(id)});`;
  const shown = id === undefined ? 'page.data' : camel(collection.one);
  return [
    `import { createClient } from '@rollcall/client';`,
    '',
    `// The key comes from ${VARIABLE}.`,
    `const client = createClient({ baseUrl: ${quoted(baseUrl.replace(/\/$/, ''))} });`,
    call,
    `console.log(${shown});`,
    '',
  ].join('\n');
}

/** @param {Collection} collection @returns {string} what the client calls it: `listSegments` lists `segments`. */
const nameOf = ({ operation }) => operation.charAt(4).toLowerCase() + operation.slice(5);

/** @param {string} words such as `contact import` @returns {string} such as `contactImport`. */
const camel = (words) => words.replaceAll(/ (.)/g, (_, letter) => letter.toUpperCase());

/** @param {URLSearchParams} query @returns {string} its parameters as a literal; nothing if there are none. */
function objectOf(query) {
  const entries = [...new Map(query)].map(([name, value]) => {
    const key = /^[a-z_]\w*$/i.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`;
    const isNumber = name === WORDS.limit && /^[1-9]\d{0,8}$/.test(value);
    return `${key}: ${isNumber ? value : quoted(value)}`;
  });
  return entries.length === 0 ? '' : `{ ${entries.join(', ')} }`;
}

/** @param {string} text @returns {string} it as a literal of TypeScript, in plain ASCII. */
const quoted = (text) => `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(/[^ -~]/gu, (it) => escapeUnits(it))}'`;
