/**
 * What the server says of itself to anybody: the contract, and pages to read and try it. These paths are the server's
 * own, not operations of the contract.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { IRouter, RequestHandler } from 'express';
import helmet from 'helmet';
import { routeGet } from '../methods.ts';
import { REQUEST_ID } from '../request-id.ts';
import type { RequestIds } from '../request-id.ts';
import { etagOf } from '../responses.ts';
import type { Responses } from '../responses.ts';
import { watchOf } from '../watch.ts';
import type { Contract } from '../../contract/document.ts';

// A new version of the server is seen within minutes; asked again, what has not changed is a 304.
const CACHE_CONTROL = 'public, max-age=300';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';

// The files of the pages: by name, because their place relative to this file differs in a published package.
const FILES = {
  '/docs': [HTML, '#reference/docs.html'],
  '/docs/docs.js': [SCRIPT, '#reference/docs.js'],
  '/docs/docs.css': [STYLES, '#reference/docs.css'],
  '/docs/swagger-ui-bundle.js': [SCRIPT, '@fastify/swagger-ui/static/swagger-ui-bundle.js'],
  '/docs/swagger-ui.css': [STYLES, '@fastify/swagger-ui/static/swagger-ui.css'],
} as const;

const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'], // The viewer's style sheet has its icons in it.
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false, // For whoever owns the host name to promise.
  xFrameOptions: { action: 'deny' },
});

/** Adds the paths. Nothing of them is read or made before it is asked for. */
export function addReference(app: IRouter, contract: Contract, requestIds: RequestIds, responses: Responses): void {
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
  add('/openapi.yaml', answer('application/yaml', file('#openapi'))); // The type is that of RFC 9512.
  add('/openapi.json', answer('application/json', json));
  for (const [path, [type, name]] of Object.entries(FILES)) add(path, secure, answer(type, file(name)));
  // For who comes with a browser. To programs there is nothing at this path, whatever the method.
  app.get('/', asksForPage, identify, secure, answer(HTML, file('#reference/index.html')));
}

const asksForPage: RequestHandler = (req, res, next) => {
  if (req.accepts(['json', 'html']) !== 'html') {
    next('route');
    return;
  }
  res.vary('Accept');
  next();
};

function file(name: string): () => Promise<string> {
  return () => readFile(fileURLToPath(import.meta.resolve(name)), 'utf8');
}

function answer(type: string, make: () => string | Promise<string>): RequestHandler {
  let made: { readonly body: Buffer; readonly etag: string } | undefined;
  return async (_req, res) => {
    if (made === undefined) {
      const text = await make();
      made = { body: Buffer.from(text), etag: etagOf(text) };
    }
    res.set({ ETag: made.etag, 'Cache-Control': CACHE_CONTROL });
    // By Node's own method: Express would add a charset to JSON, which has none.
    res.setHeader('Content-Type', type);
    res.send(made.body);
  };
}
