/** A document of the server itself, such as the contract. Every caller gets the same bytes, which are read, compressed and hashed once. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Content = string | Buffer;

export interface Text {
  readonly type: string;
  /** Called once for each encoding, and again only after a failure. */
  readonly make: () => Content | Promise<Content>;
  /** Headers besides those that every text has. */
  readonly headers: readonly string[];
  /** The request headers that the text depends on, besides `Accept-Encoding`. */
  readonly vary?: readonly string[];
}

/** A text in one encoding, with all its headers. */
export interface Document {
  readonly body: Buffer;
  readonly etag: string;
  /** The headers of a 200 and of a 304. */
  readonly headers: readonly string[];
  /** Further headers of a 200. */
  readonly bodyHeaders: readonly string[];
  /** The request headers that the document depends on. */
  readonly vary: readonly string[];
}

/** The properties of a request that its response depends on. Express's requests have them. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly accepts: (types: string[]) => string | false;
  readonly acceptsEncodings: (...encodings: string[]) => string | false;
}

// Callers see a new version of the server within minutes. After this time, a text that has not changed is a 304.
const CACHE_CONTROL = 'public, max-age=300';
// The first caller waits for the compression. The highest level takes ten times as long and saves three percent.
const BROTLI_LEVEL = 5;
// A browser's lists have about 100 characters. Parsing a list of 16 KB would cost more than the response.
const MAX_LIST_LENGTH = 500;

const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
type Encoding = keyof typeof ENCODINGS;
const PREFERRED = ['br', 'gzip'] as const;

/** @returns a function that returns the document for a request, in the best encoding that the caller accepts. */
export function documentOf(text: Text): (req: PageRequest) => Promise<Document> {
  const encoded = new Map<Encoding, Promise<Document>>();
  return (req) => {
    const encoding = encodingFor(req);
    const cached = encoded.get(encoding);
    if (cached !== undefined) return cached;
    const made = encode(text, encoding);
    encoded.set(encoding, made); // The promise is stored, so that concurrent requests wait for the same one.
    made.catch(() => encoded.delete(encoding)); // The next request retries.
    return made;
  };
}

async function encode({ type, make, headers, vary = [] }: Text, encoding: Encoding): Promise<Document> {
  const text = Buffer.from(await make());
  const body = await ENCODINGS[encoding](text);
  const content = ['Content-Type', type, 'Content-Length', String(body.length)];
  // Each encoding has its own ETag, because a cache treats it as another response.
  const tagged = encoding === 'identity' ? text : Buffer.concat([Buffer.from(`${encoding} `), text]);
  return {
    body,
    etag: `"${hash('sha1', tagged, 'base64url')}"`,
    headers: ['Cache-Control', CACHE_CONTROL],
    bodyHeaders: [...headers, ...content, ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding])],
    vary: [...vary, 'Accept-Encoding'],
  };
}

/** A caller that accepts none of the encodings gets the text without one, which RFC 9110 prefers to an error. */
function encodingFor(req: PageRequest): Encoding {
  if (isTooLong(req.headers['accept-encoding'])) return 'identity';
  return PREFERRED.find((coding) => req.acceptsEncodings(coding) !== false) ?? 'identity';
}

/** @returns whether an `Accept` list is longer than that of any browser. Such a list is not parsed. */
export const isTooLong = (list = ''): boolean => list.length > MAX_LIST_LENGTH;
