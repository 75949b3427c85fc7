/** A text of the server itself, such as the contract: the same bytes for every caller, read, compressed and hashed once. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface Text {
  readonly type: string;
  /** Called once for each encoding; again only if it fails. */
  readonly make: () => string | Promise<string>;
  /** Headers beside those that every text has. */
  readonly headers: readonly string[];
  /** The request headers that it depends on, beside `Accept-Encoding`. */
  readonly vary?: readonly string[];
}

/** A text in one encoding, with all its headers. */
export interface Document {
  readonly body: Buffer;
  readonly etag: string;
  /** Of a 304 too. */
  readonly headers: readonly string[];
  /** Of the 200 alone. */
  readonly bodyHeaders: readonly string[];
  /** The request headers that it depends on. */
  readonly vary: readonly string[];
}

/** A request, as far as its response depends on it. Express's requests are such. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly accepts: (types: string[]) => string | false;
  readonly acceptsEncodings: (...encodings: string[]) => string | false;
}

// A new version of the server is seen within minutes. After that, a text that has not changed is a 304.
const CACHE_CONTROL = 'public, max-age=300';
// A caller waits for the first response: the highest level takes ten times as long for three percent.
const BROTLI_LEVEL = 5;
// A browser's lists have about 100 characters. To parse one of 16 KB would cost more than the response.
const MAX_LIST_LENGTH = 500;

const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
type Encoding = keyof typeof ENCODINGS;
const PREFERRED = ['br', 'gzip'] as const;

/** @returns a function that returns the document for a request: in the best encoding that its caller accepts. */
export function documentOf(text: Text): (req: PageRequest) => Promise<Document> {
  const encoded = new Map<Encoding, Promise<Document>>();
  return (req) => {
    const encoding = encodingFor(req);
    const cached = encoded.get(encoding);
    if (cached !== undefined) return cached;
    const made = encode(text, encoding);
    encoded.set(encoding, made); // A promise, so that concurrent requests wait for one.
    made.catch(() => encoded.delete(encoding)); // The next request tries again.
    return made;
  };
}

async function encode({ type, make, headers, vary = [] }: Text, encoding: Encoding): Promise<Document> {
  const text = await make();
  const body = await ENCODINGS[encoding](Buffer.from(text));
  const content = ['Content-Type', type, 'Content-Length', String(body.length)];
  // To a cache, another encoding is another response.
  const tagged = encoding === 'identity' ? text : `${encoding} ${text}`;
  return {
    body,
    etag: `"${hash('sha1', tagged, 'base64url')}"`,
    headers: ['Cache-Control', CACHE_CONTROL],
    bodyHeaders: [...headers, ...content, ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding])],
    vary: [...vary, 'Accept-Encoding'],
  };
}

/** A caller that accepts none of ours gets the text as it is, which RFC 9110 prefers to an error. */
function encodingFor(req: PageRequest): Encoding {
  if (isTooLong(req.headers['accept-encoding'])) return 'identity';
  return PREFERRED.find((it) => req.acceptsEncodings(it) !== false) ?? 'identity';
}

/** @returns whether an `Accept` list is longer than that of any browser. Such a list is not parsed. */
export const isTooLong = (list = ''): boolean => list.length > MAX_LIST_LENGTH;
