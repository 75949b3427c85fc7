/**
 * What the server shows to anybody: the contract, the console at `/` and the reference at `/docs`. These paths are the
 * server's own, not operations of the contract.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import type { IRouter, RequestHandler } from 'express';
import type { Contract } from '../../contract/document.ts';
import { routeGet } from '../methods.ts';
import { REQUEST_ID } from '../request-id.ts';
import type { RequestIds } from '../request-id.ts';
import type { Responses } from '../responses.ts';
import { watchOf } from '../watch.ts';
import type { Pages } from './choice.ts';
import { answerText, answerTextOfOrigin } from './document.ts';
import { secure } from './policy.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** Where the files beside the pages are. */
const FOLDER = '/assets/';
/** Of the files beside the pages; others are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': SCRIPT,
};

/** Adds the paths. No text is read or made before it is asked for. */
export function addPages(
  app: IRouter,
  contract: Contract,
  requestIds: RequestIds,
  responses: Responses,
  pages: Pages,
): void {
  const identify: RequestHandler = (req, res, next) => {
    const id = requestIds.of(req);
    const watched = watchOf(res);
    if (watched !== undefined) watched.id = id;
    res.setHeader(REQUEST_ID, id);
    next();
  };
  const add = (path: string, ...handlers: RequestHandler[]): void => {
    routeGet(app, path, responses, identify, ...handlers);
  };
  const json = (): string => JSON.stringify(contract.document);
  add('/openapi.yaml', answerContract('application/yaml', read('#openapi'))); // The type is that of RFC 9512.
  add('/openapi.json', answerContract('application/json', json));
  add('/openapi-3.1.json', answerContract('application/json', read('#openapi-3.1')));

  // For who comes with a browser. To programs there is nothing at this path, whatever the method.
  const consolePage = pages.reference ? read('#pages/console.html') : without('reference', read('#pages/console.html'));
  if (pages.console) app.get('/', asksForPage, identify, secure, answerText(HTML, consolePage));
  else if (pages.reference) app.get('/', asksForPage, identify, toReference);
  const reference = pages.console ? read('#reference') : without('console', read('#reference'));
  if (pages.reference) add('/docs', secure, answerReference(reference));
  if (!pages.console && !pages.reference) return;
  // In a router of their own, so that a request of the API is not held against each of them.
  const files = Router({ strict: true, caseSensitive: true });
  const addFile = (path: string, type: string, make: () => Promise<string>): void => {
    routeGet(files, FOLDER + path, responses, identify, secure, answerText(type, make));
  };
  for (const [path, type] of assets()) addFile(path, type, read(`#pages/assets/${path}`));
  addFile('lit-html.js', SCRIPT, () => readFile(LIT, 'utf8'));
  app.use((req, res, next) => {
    if (req.path.startsWith(FOLDER)) files(req, res, next);
    else next();
  });
}

// The package has another file for servers.
const LIT = new URL('../lit-html.js', import.meta.resolve('lit-html'));

const asksForPage: RequestHandler = (req, res, next) => {
  if (req.accepts(['json', 'html']) !== 'html') {
    next('route');
    return;
  }
  res.vary('Accept');
  next();
};

const toReference: RequestHandler = (_, res) => {
  // Relative, because a proxy may have taken a prefix away.
  res.redirect('docs');
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

/** @returns what answers with the contract, whose server is this one by the name that the caller has for it. */
function answerContract(type: string, make: () => string | Promise<string>): RequestHandler {
  return answerTextOfOrigin(type, async (origin) =>
    (await make()).replace(SERVER, (_, before: string, behind: string) => before + origin + behind),
  );
}

/** Where the reference's calls go to, until it is served; and where they go then if the caller does not say plainly. */
const PLACE = /\{origin\}/g;
const NOWHERE = 'http://localhost';

/** @returns what answers with the reference, whose calls go to this server by the name that the caller has for it. */
function answerReference(make: () => Promise<string>): RequestHandler {
  // No character of an origin means anything in HTML.
  return answerTextOfOrigin(HTML, async (origin) => (await make()).replace(PLACE, origin === '/' ? NOWHERE : origin));
}
