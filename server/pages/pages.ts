/**
 * What the server shows to anybody: the contract, the console at `/` and the reference at `/docs`. These paths are the
 * server's own, not operations of the contract. Nothing of a request is in what they answer: not even by what name it came.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IRouter, NextFunction, Request, RequestHandler, Response } from 'express';
import type { Contract } from '../contract/document.ts';
import type { ExpressLocals } from '../http/exchange.ts';
import type { Respond } from '../http/respond.ts';
import type { Pages } from './choice.ts';
import { documentOf, isTooLong } from './document.ts';
import type { Text } from './document.ts';
import { SECURED } from './policy.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** Where the files beside the pages are. */
const FOLDER = '/assets/';
/** Of the files beside the pages; others are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': SCRIPT,
};
const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

/**
 * Adds the paths. No text is read or made before it is asked for.
 * @param publicUrl where callers reach the API: the server that the contract names, instead of `/`.
 */
export function addPages(
  app: IRouter,
  contract: Contract,
  respond: Respond,
  pages: Pages,
  publicUrl: string | undefined,
): void {
  // One look at a path, however many there are.
  const handlers = new Map<string, PageHandler>();
  const add = (path: string, text: Text): void => {
    const documentFor = documentOf(text);
    handlers.set(path, async (req, res) => {
      const { exchange } = res.locals;
      if (exchange.method === 'OPTIONS') respond.options(exchange);
      else if (req.method === 'GET') respond.document(exchange, await documentFor(req));
      else throw respond.methodNotAllowed('This path');
    });
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
  if (pages.console || pages.reference) {
    for (const [path, type] of assets()) {
      add(FOLDER + path, { type, make: read(`#pages/assets/${path}`), headers: SECURED });
    }
    add(`${FOLDER}lit-html.js`, { type: SCRIPT, make: () => readFile(LIT, 'utf8'), headers: SECURED });
  }
  app.use((req, res: PageResponse, next) => (handlers.get(req.path) ?? pass)(req, res, next));

  // For who comes with a browser. To programs there is nothing at this path, whatever the method.
  if (pages.console) {
    const page = read('#pages/console.html');
    const make = pages.reference ? page : without('reference', page);
    const documentFor = documentOf({ type: HTML, make, headers: SECURED, vary: ['Accept'] });
    app.get('/', asksForPage, async (req, res: PageResponse) => {
      respond.document(res.locals.exchange, await documentFor(req));
    });
  } else if (pages.reference) {
    app.get('/', asksForPage, (_req, res: PageResponse) => {
      respond.redirect(res.locals.exchange, 'docs'); // Relative, because a proxy may have taken a prefix away.
    });
  }
}

type PageResponse = Response<unknown, ExpressLocals>;
type PageHandler = (req: Request, res: PageResponse, next: NextFunction) => Promise<void> | void;

// The package has another file for servers.
const LIT = new URL('../lit-html.js', import.meta.resolve('lit-html'));

const pass: PageHandler = (_req, _res, next) => {
  next();
};

const asksForPage: RequestHandler = (req, _res, next) => {
  if (isTooLong(req.headers.accept) || req.accepts(['json', 'html']) !== 'html') {
    next('route');
    return;
  }
  next();
};

/** By name, because the place of a file relative to this one differs in a published package. */
const read = (name: string) => (): Promise<string> => readFile(fileURLToPath(import.meta.resolve(name)), 'utf8');

/** @returns the text of a page that leads to no other: the styles of both hide what leads there. */
const without = (page: keyof Pages, make: () => Promise<string>) => async (): Promise<string> =>
  (await make()).replace('<html lang="en">', `<html lang="en" data-without="${page}">`);

function assets(): readonly (readonly [path: string, type: string])[] {
  const folder = fileURLToPath(new URL('assets/', import.meta.resolve('#pages/console.html')));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const type = TYPES[extname(file)];
    return type === undefined ? [] : [[file.replaceAll(sep, '/'), type] as const];
  });
}

/** The one server of the contract, in YAML and in JSON: what stands before its URL, and behind it. */
const SERVER = /(\n *- url: |"servers":\s*\[\s*\{\s*"url":\s*")\/("|\n)/;

/** @returns the contract with another server, if one is given. */
const withServer = (contract: string, url: string | undefined): string =>
  url === undefined ? contract : contract.replace(SERVER, (_, before: string, after: string) => before + url + after);

/** Where the reference names the API. The script of the page puts there where the page is. */
const PLACE = /(<\w+ data-origin>)[^<]*/g;

/** @returns the reference with another address of the API, if one is given. No character of it means anything in HTML. */
const withPublicUrl = (reference: string, url: string | undefined): string =>
  url === undefined ? reference : reference.replace(PLACE, (_, before: string) => before + url);
