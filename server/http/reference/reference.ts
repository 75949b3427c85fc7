/**
 * What the server says of itself to anybody: the contract, and pages to read and try it. These paths are the server's
 * own, not operations of the contract.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { IRouter, RequestHandler } from 'express';
import helmet from 'helmet';
import { BoundedMap } from '../cache/bounded-map.ts';
import { routeGet } from '../methods.ts';
import { REQUEST_ID } from '../request-id.ts';
import type { RequestIds } from '../request-id.ts';
import { etagOf } from '../responses.ts';
import type { Responses } from '../responses.ts';
import { watchOf } from '../watch.ts';
import { FORWARDED, originOf } from './origin.ts';
import type { Contract } from '../../contract/document.ts';

// A new version of the server is seen within minutes; asked again, what has not changed is a 304.
const MAX_AGE = 'max-age=300';
// The contract has the name it was asked for by. Whoever makes names up fills no memory.
const MAX_RENDERINGS = 32;

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

// Higher levels take ten times as long for three percent.
const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
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
  add('/openapi.yaml', answerContract('application/yaml', file('#openapi'))); // The type is that of RFC 9512.
  add('/openapi.json', answerContract('application/json', json));
  add('/openapi-3.1.json', answerContract('application/json', file('#openapi-3.1')));
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

/** The one server of the contract, in YAML and in JSON: what stands before its URL, and behind it. */
const SERVER = /(\n *- url: |"servers":\s*\[\s*\{\s*"url":\s*")\/("|\n)/;

/** @returns what answers with the contract, whose server is this one by the name that the caller has for it. */
function answerContract(type: string, make: () => string | Promise<string>): RequestHandler {
  const makeOf = async (origin: string): Promise<string> =>
    (await make()).replace(SERVER, (_, before: string, behind: string) => before + origin + behind);
  return answer(type, makeOf, originOf, { vary: FORWARDED, cacheControl: `private, ${MAX_AGE}` });
}

/**
 * @param make gets what `of` makes of a request: equal ones have the same text.
 * @param of by default, all have the same.
 */
function answer(
  type: string,
  make: (of: string) => string | Promise<string>,
  of: (req: IncomingMessage) => string = () => '',
  { vary, cacheControl }: Caching = { vary: [], cacheControl: `public, ${MAX_AGE}` },
): RequestHandler {
  const remembered = new BoundedMap<string, Rendering>(MAX_RENDERINGS);
  const render = async (encoding: keyof typeof ENCODINGS, which: string): Promise<Rendering> => {
    const text = await make(which);
    // To a cache, another encoding is another answer.
    const etag = etagOf(encoding === 'identity' ? text : `${encoding} ${text}`);
    return { body: await ENCODINGS[encoding](Buffer.from(text)), etag };
  };
  return async (req, res) => {
    // Whoever accepts none of them gets the text as it is, which RFC 9110 prefers to an error.
    const encoding = PREFERRED.find((it) => req.acceptsEncodings(it) !== false) ?? 'identity';
    const which = of(req);
    const name = `${encoding} ${which}`;
    const rendering = remembered.get(name) ?? (await render(encoding, which));
    remembered.set(name, rendering);
    res.vary(['Accept-Encoding', ...vary].join(', '));
    res.set({ ETag: rendering.etag, 'Cache-Control': cacheControl });
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    // By Node's own method: Express would add a charset to JSON, which has none.
    res.setHeader('Content-Type', type);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.send(rendering.body);
  };
}

interface Rendering {
  readonly body: Buffer;
  readonly etag: string;
}
interface Caching {
  readonly vary: readonly string[];
  readonly cacheControl: string;
}
