/**
 * The pages that every caller sees: the contract, the console at `/` and the reference at `/docs`. Their paths are no
 * operations of the contract. No response holds anything of its request, not even the host name.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../contract/document.ts';
import { documentOf, isTooLong } from './document.ts';
import type { Document, PageRequest, Text } from './document.ts';
import { SECURED } from './policy.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';
const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

/** Which pages there are. Without any, there is the contract alone. */
export interface Pages {
  readonly console: boolean;
  readonly reference: boolean;
}

/** A document, or the way to another page, which is relative because a proxy may have removed a prefix. */
type Page = { readonly document: (req: PageRequest) => Promise<Document> } | { readonly redirect: string };

/**
 * No text is read or made before it is requested.
 * @param publicUrl where callers reach the API: the server that the contract names, instead of `/`.
 * @returns a function that returns the page at a request's path, or `undefined` if there is none.
 */
export function createPages(
  contract: Contract,
  pages: Pages,
  publicUrl: string | undefined,
): (req: PageRequest) => Page | undefined {
  const byPath = new Map<string, Page>();
  const add = (path: string, text: Text): void => {
    byPath.set(path, { document: documentOf(text) });
  };
  const addContract = (path: string, type: string, make: () => string | Promise<string>): void => {
    add(path, { type, make: async () => withServer(await make(), publicUrl), headers: NO_SNIFFING });
  };

  addContract('/openapi.yaml', 'application/yaml', read('#openapi')); // The type is that of RFC 9512.
  addContract('/openapi.json', 'application/json', () => JSON.stringify(contract.document));
  addContract('/openapi-3.1.json', 'application/json', read('#openapi-3.1'));
  if (pages.reference) {
    const reference = pages.console ? read('#reference') : without('console', read('#reference'));
    add('/docs', { type: HTML, make: async () => withPublicUrl(await reference(), publicUrl), headers: SECURED });
  }
  for (const page of ['console', 'reference'] as const) {
    if (!pages[page]) continue;
    add(`/assets/${page}.js`, { type: SCRIPT, make: read(`#pages/${page}.js`), headers: SECURED });
    add(`/assets/${page}.css`, { type: STYLES, make: read(`#pages/${page}.css`), headers: SECURED });
  }
  const root = rootOf(pages);
  // The root is for browsers. To programs there is nothing at this path, whatever the method.
  return (req) => (req.path === '/' ? (asksForPage(req) ? root : undefined) : byPath.get(req.path));
}

function rootOf(pages: Pages): Page | undefined {
  if (!pages.console) return pages.reference ? { redirect: 'docs' } : undefined;
  const page = read('#console');
  const make = pages.reference ? page : without('reference', page);
  return { document: documentOf({ type: HTML, make, headers: SECURED, vary: ['Accept'] }) };
}

const asksForPage = (req: PageRequest): boolean =>
  req.method === 'GET' && !isTooLong(req.headers.accept) && req.accepts(['json', 'html']) === 'html';

/** By name, because the relative path of a file differs in a published package. */
const read = (name: string) => (): Promise<string> => readFile(fileURLToPath(import.meta.resolve(name)), 'utf8');

/** @returns the text of a page without links to the other, which the styles of both hide. */
const without = (page: keyof Pages, make: () => Promise<string>) => async (): Promise<string> =>
  (await make()).replace('<html lang="en">', `<html lang="en" data-without="${page}">`);

/** The one server of the contract, in YAML and in JSON: the text before its URL, and behind it. */
const SERVER = /(\n *- url: |"servers":\s*\[\s*\{\s*"url":\s*")\/("|\n)/;

/** @returns the contract with another server, if one is given. */
const withServer = (contract: string, url: string | undefined): string =>
  url === undefined ? contract : contract.replace(SERVER, (_, before: string, after: string) => before + url + after);

/** The address of the API in the reference. The script of the page replaces it by that of the page. */
const ORIGIN = /(<\w+ data-origin>)[^<]*/g;

/** @returns the reference with another address of the API, if one is given. No character of it means anything in HTML. */
const withPublicUrl = (reference: string, url: string | undefined): string =>
  url === undefined ? reference : reference.replace(ORIGIN, (_, before: string) => before + url);
