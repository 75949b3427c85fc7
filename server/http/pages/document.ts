/** How the server answers with a text of its own, such as the contract: made once, kept compressed, cheap to ask for again. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { BoundedMap } from '../cache/bounded-map.ts';
import { etagOf } from '../responses.ts';
import { FORWARDED, originOf } from './origin.ts';

// A new version of the server is seen within minutes; asked again, what has not changed is a 304.
const MAX_AGE = 'max-age=300';
// Texts have the name that the server was asked for by. Whoever makes names up fills no memory.
const MAX_RENDERINGS = 32;
// Texts are made while somebody waits: the highest level takes ten times as long for three percent.
const BROTLI_LEVEL = 5;

const ENCODINGS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
  identity: (body: Buffer) => Promise.resolve(body),
} as const;
const PREFERRED = ['br', 'gzip'] as const;

interface Rendering {
  readonly body: Buffer;
  readonly etag: string;
}

/** @returns what answers with the same text to all. */
export function answerText(type: string, make: () => string | Promise<string>): RequestHandler {
  return answer(type, make, () => '', { vary: [], cacheControl: `public, ${MAX_AGE}` });
}

/** @param make gets the origin that the caller has reached this server by, such as `https://api.example.com/rollcall`, or `/`. */
export function answerTextOfOrigin(type: string, make: (origin: string) => string | Promise<string>): RequestHandler {
  return answer(type, make, originOf, { vary: FORWARDED, cacheControl: `private, ${MAX_AGE}` });
}

/** @param make gets what `of` makes of a request: equal ones have the same text. */
function answer(
  type: string,
  make: (of: string) => string | Promise<string>,
  of: (req: IncomingMessage) => string,
  { vary, cacheControl }: { readonly vary: readonly string[]; readonly cacheControl: string },
): RequestHandler {
  // Promises, so that requests that come together wait for one rendering.
  const remembered = new BoundedMap<string, Promise<Rendering | undefined>>(MAX_RENDERINGS);
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
    let rendering = await remembered.get(name);
    if (rendering === undefined) {
      const made = render(encoding, which);
      remembered.set(
        name,
        made.catch(() => undefined), // Who comes next tries again.
      );
      rendering = await made;
    }
    res.vary(['Accept-Encoding', ...vary].join(', '));
    res.set({ ETag: rendering.etag, 'Cache-Control': cacheControl });
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    // By Node's own method: Express would add a charset to JSON, which has none.
    res.setHeader('Content-Type', type);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.send(rendering.body);
  };
}
