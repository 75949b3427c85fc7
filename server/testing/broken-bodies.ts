/** Answers whose headers are as they should be, and whose bodies are not. */
import type { Intercept } from '../http/application.ts';
import type { BodyFault } from './check-fault.ts';

type Response = Parameters<Intercept>[1];

// Enough for a caller to see that it comes in pieces.
const PIECES = 10;

/** Has the answer that is written next come with a body that is broken, or late. An answer without one stays as it is. */
export function breakBody(res: Response, { kind, ms }: BodyFault): void {
  const end = res.end.bind(res) as (chunk?: unknown) => Response; // All that answers are written with here.
  res.end = ((chunk?: unknown) => {
    const hasBody = res.req.method !== 'HEAD' && (typeof chunk === 'string' || Buffer.isBuffer(chunk));
    if (!hasBody) return end(chunk);
    const body = Buffer.from(chunk as string); // Or a Buffer, by the line above.
    const half = Math.floor(body.length / 2);
    switch (kind) {
      case 'cut':
        res.write(body.subarray(0, half), () => res.destroy());
        return res;
      case 'malformed':
        return end(Buffer.concat([body.subarray(0, -1), Buffer.from('\n')])); // An object that is not closed.
      case 'stalled':
        return writeSlowly(res, [body.subarray(0, half), body.subarray(half)], ms, end);
      case 'slow':
        return writeSlowly(res, piecesOf(body), ms / (PIECES - 1), end);
    }
  }) as typeof res.end;
}

function piecesOf(body: Buffer): Buffer[] {
  const size = Math.ceil(body.length / PIECES);
  return Array.from({ length: PIECES }, (_, at) => body.subarray(at * size, (at + 1) * size));
}

function writeSlowly(res: Response, [first, ...rest]: readonly Buffer[], pauseMs: number, end: () => void): Response {
  if (res.destroyed) return res;
  if (first === undefined) end();
  else {
    res.write(first);
    if (rest.length === 0) end();
    else setTimeout(writeSlowly, pauseMs, res, rest, pauseMs, end).unref();
  }
  return res;
}
