/** Answers whose headers are as they should be, and whose bodies are not. */
import type { Exchange, SendBody } from '../http/exchange.ts';
import { setTimeout } from '../real-time.ts';
import type { BodyFault } from './check-fault.ts';

// Enough for a caller to see that it comes in pieces.
const PIECES = 10;

/** @returns what writes a body broken, or late. */
export function brokenBody({ kind, ms }: BodyFault): SendBody {
  return (res, text) => {
    const body = Buffer.from(text);
    const half = Math.floor(body.length / 2);
    switch (kind) {
      case 'cut':
        res.write(body.subarray(0, half), () => res.destroy());
        break;
      case 'malformed':
        res.end(Buffer.concat([body.subarray(0, -1), Buffer.from('\n')])); // An object that is not closed.
        break;
      case 'stalled':
        writeSlowly(res, [body.subarray(0, half), body.subarray(half)], ms);
        break;
      case 'slow':
        writeSlowly(res, piecesOf(body), ms / (PIECES - 1));
        break;
    }
  };
}

function piecesOf(body: Buffer): Buffer[] {
  const size = Math.ceil(body.length / PIECES);
  return Array.from({ length: PIECES }, (_, at) => body.subarray(at * size, (at + 1) * size));
}

function writeSlowly(res: Exchange['res'], [first, ...rest]: readonly Buffer[], pauseMs: number): void {
  if (res.destroyed) return;
  if (first !== undefined) res.write(first);
  if (rest.length === 0) res.end();
  else setTimeout(writeSlowly, pauseMs, res, rest, pauseMs).unref();
}
