/**
 * What the server says of itself to anybody: the contract, and pages to read and try it. These paths are the server's
 * own, not operations of the contract.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
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
  '/docs/swagger-ui-bundle.js': [SCRIPT, 'swagger-ui-dist/swagger-ui-bundle.js'],
  '/docs/swagger-ui.css': [STYLES, 'swagger-ui-dist/swagger-ui.css'],
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

// Brotli's highest levels take seconds for a few percent.
const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
type Encoding = keyof typeof ENCODINGS;
const PREFERRED = ['br', 'gzip'] as const;

/**
 * Adds the paths. Nothing of them is read or made before it is asked for.
 * @param hasPages whether there are the pages too, or the contract alone.
 */
export function addReference(
  app: IRouter,
  contract: Contract,
  requestIds: RequestIds,
  responses: Responses,
  hasPages: boolean,
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
  add('/openapi.yaml', answer('application/yaml', file('#openapi'))); // The type is that of RFC 9512.
  add('/openapi.json', answer('application/json', json));
  add('/openapi-3.1.json', answer('application/json', file('#openapi-3.1')));
  if (!hasPages) return;
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
  const made = new Map<Encoding, Promise<{ readonly body: Buffer; readonly etag: string }>>();
  const makeIn = async (encoding: Encoding): Promise<{ readonly body: Buffer; readonly etag: string }> => {
    const text = await make();
    // To a cache, another encoding is another answer.
    const etag = etagOf(encoding === 'identity' ? text : `${encoding} ${text}`);
    return { body: await ENCODINGS[encoding](Buffer.from(text)), etag };
  };
  return async (req, res) => {
    // Whoever accepts none of them gets the text as it is, which RFC 9110 prefers to an error.
    const encoding = PREFERRED.find((it) => req.acceptsEncodings(it) !== false) ?? 'identity';
    const making = made.get(encoding) ?? makeIn(encoding);
    made.set(encoding, making);
    const { body, etag } = await making.catch((error: unknown) => {
      made.delete(encoding); // Such as for want of a file descriptor: the next caller may have more luck.
      throw error;
    });
    res.vary('Accept-Encoding');
    res.set({ ETag: etag, 'Cache-Control': CACHE_CONTROL });
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    // By Node's own method: Express would add a charset to JSON, which has none.
    res.setHeader('Content-Type', type);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.send(body);
  };
}
