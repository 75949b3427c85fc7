/**
 * The pages, which are the same for every caller: the contract, the console at `/`, and the reference at `/docs`, as Markdown at `/docs.md`,
 * and with an index for language models at `/llms.txt`. Their paths are not operations of the contract. A page contains nothing from its request, not even the host name.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../contract/document.ts';
import { ProblemError } from '../../contract/problems.ts';
import { documentOf, isTooLong } from './document.ts';
import type { Document, PageRequest, Text } from './document.ts';
import { SECURED } from './policy.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

/** Which pages the server has, besides the contract. */
export interface EnabledPages {
  readonly console: boolean;
  readonly reference: boolean;
}

/** A document, or the URL of another page, which is relative because a proxy may have removed a prefix. */
type PageResponse = { readonly document: (req: PageRequest) => Promise<Document> } | { readonly redirect: string };

/**
 * Creates the pages. A text is read or created only when it is requested.
 * @param publicUrl the URL at which callers reach the API. In the contract it replaces the server `/`, and comes before other paths.
 * @returns a function that returns the page at a request's path, or `undefined` if there is none.
 */
export function createPages(
  contract: Contract,
  pages: EnabledPages,
  publicUrl: string | undefined,
): (req: PageRequest) => PageResponse | undefined {
  const byPath = new Map<string, PageResponse>();
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
    const reference = pages.console ? read('#built/reference.html') : without('console', read('#built/reference.html'));
    add('/docs', { type: HTML, make: async () => withPublicUrl(await reference(), publicUrl), headers: SECURED });
    byPath.set('/docs/', { redirect: '../docs' });
    const markdown = read('#built/docs.md');
    const make = async (): Promise<string> =>
      (await markdown()).replaceAll(DEFAULT_ORIGIN, () => publicUrl ?? DEFAULT_ORIGIN);
    add('/docs.md', { type: MARKDOWN, make, headers: NO_SNIFFING });
    add('/llms.txt', { type: PLAIN, make: read('#built/llms.txt'), headers: NO_SNIFFING });
  }
  if (pages.console || pages.reference) {
    add('/favicon.ico', { type: 'image/x-icon', make: () => readFile(fileOf('#icon')), headers: NO_SNIFFING });
  }
  for (const page of ['console', 'reference'] as const) {
    if (!pages[page]) continue;
    add(`/assets/${page}.js`, { type: SCRIPT, make: read(`#built/${page}.js`), headers: SECURED });
    add(`/assets/${page}.css`, { type: STYLES, make: read(`#built/${page}.css`), headers: SECURED });
  }
  const root = rootOf(pages);
  // Clients that prefer JSON get a 404, whatever the method: a page is not JSON.
  return (req) => (req.path === '/' ? (asksForPage(req) ? root : undefined) : byPath.get(req.path));
}

function rootOf(pages: EnabledPages): PageResponse | undefined {
  if (!pages.console) return pages.reference ? { redirect: 'docs' } : undefined;
  const page = async (): Promise<string> => {
    await read('#built/console.js')(); // Without its script it would be an empty page.
    return read('#console')();
  };
  const make = pages.reference ? page : without('reference', page);
  return { document: documentOf({ type: HTML, make, headers: SECURED, vary: ['Accept'] }) };
}

const asksForPage = (req: PageRequest): boolean =>
  req.method === 'GET' && !isTooLong(req.headers.accept) && req.accepts(['html', 'json']) === 'html';

/**
 * By name, because the relative path of a file differs in a published package. A clone in which nothing could be built has no pages.
 * @throws ProblemError `not_found` that says what to run.
 */
const read = (name: string) => (): Promise<string> =>
  readFile(fileOf(name), 'utf8').catch((error: unknown) => {
    if (!name.startsWith('#built/') && name !== '#openapi-3.1') throw error;
    throw new ProblemError(
      'not_found',
      'The pages of this server are not built. In its folder, run `npm ci` and `npm run build:pages`.',
    );
  });
const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(name));

/** @returns a function that returns the text of a page without links to `page`. The style sheets hide these links. */
const without = (page: keyof EnabledPages, make: () => Promise<string>) => async (): Promise<string> =>
  (await make()).replace('<html lang="en">', `<html lang="en" data-without="${page}">`);

/** Matches the URLs of the contract that are paths, its only server and the guide, in YAML or in JSON. The groups are the text before, and the path. */
const PATH_URL = /(\burl"?: *"?)\/(\w*)(?=["\n])/g;

/** @returns the contract with `url` as its server and before the path of the guide, if there is one. */
const withServer = (contract: string, url: string | undefined): string =>
  url === undefined
    ? contract
    : contract.replace(PATH_URL, (_, before: string, path: string) => before + url + (path && `/${path}`));

/** The address of the API in the Markdown of the reference. */
const DEFAULT_ORIGIN = 'http://localhost:3000';

/** Matches the address of the API in the reference. In a browser, the page's script replaces it with an address from the page's URL. */
const ORIGIN = /(<\w+ data-origin>)[^<]*/g;

/** @returns the reference with `url` as the address of the API, if there is one. No character of a URL here has a meaning in HTML. */
const withPublicUrl = (reference: string, url: string | undefined): string =>
  url === undefined ? reference : reference.replace(ORIGIN, (_, before: string) => before + url);
