/** A text of the server's own, such as the contract: the same bytes for everybody, read, compressed and hashed once. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';
import { etagOf } from '../http/respond.ts';
import type { Document } from '../http/respond.ts';

export interface Text {
  readonly type: string;
  /** Called once for each encoding; again only if it fails. */
  readonly make: () => string | Promise<string>;
  /** Beside those that every text has. */
  readonly headers: readonly string[];
  /** The request headers that it depends on, beside `Accept-Encoding`. */
  readonly vary?: readonly string[];
}

// A new version of the server is seen within minutes; asked again, what has not changed is a 304.
const CACHE_CONTROL = 'public, max-age=300';
// Somebody waits for the first one: the highest level takes ten times as long for three percent.
const BROTLI_LEVEL = 5;
// A browser's lists have about 100 characters. To read one of 16 KB would cost more than the response.
const MAX_LIST_LENGTH = 500;

const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
type Encoding = keyof typeof ENCODINGS;
const PREFERRED = ['br', 'gzip'] as const;

/** @returns what finds the document for a request: in the best encoding that its caller accepts. */
export function documentOf(text: Text): (req: Request) => Promise<Document> {
  const encoded = new Map<Encoding, Promise<Document>>();
  return (req) => {
    const encoding = encodingFor(req);
    const known = encoded.get(encoding);
    if (known !== undefined) return known;
    const made = encode(text, encoding);
    encoded.set(encoding, made); // A promise, so that requests that come together wait for one.
    made.catch(() => encoded.delete(encoding)); // The next request tries again.
    return made;
  };
}

async function encode({ type, make, headers, vary = [] }: Text, encoding: Encoding): Promise<Document> {
  const text = await make();
  const body = await ENCODINGS[encoding](Buffer.from(text));
  const content = ['Content-Type', type, 'Content-Length', String(body.length)];
  return {
    body,
    // To a cache, another encoding is another response.
    etag: etagOf(encoding === 'identity' ? text : `${encoding} ${text}`),
    headers: ['Cache-Control', CACHE_CONTROL],
    bodyHeaders: [...headers, ...content, ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding])],
    vary: [...vary, 'Accept-Encoding'],
  };
}

/** A caller that accepts none of ours gets the text as it is, which RFC 9110 prefers to an error. */
function encodingFor(req: Request): Encoding {
  if (isTooLong(req.headers['accept-encoding'])) return 'identity';
  return PREFERRED.find((it) => req.acceptsEncodings(it) !== false) ?? 'identity';
}

/** @returns whether a list of what a caller accepts is longer than that of any browser: nobody reads it. */
export const isTooLong = (list = ''): boolean => list.length > MAX_LIST_LENGTH;
