/** An address to post faults to, for tests in other languages. On loopback only, and for the holder of the key. */
import { timingSafeEqual } from 'node:crypto';
import type { Contract } from '../contract/document.ts';
import { hashOf } from '../http/authentication.ts';
import type { Application } from '../http/listener.ts';
import { pointer } from '../contract/schema.ts';
import { LIMITS } from '../http/connections.ts';
import { listen } from '../http/listener.ts';
import { scanJson } from '../import/json-text.ts';
import type { JsonValue } from '../import/json-text.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';
import { keyHash } from '../store/keys.ts';
import type { Faults } from './faults.ts';

type Request = Parameters<Application>[0];
type Response = Parameters<Application>[1];

export interface FaultAddress {
  /** Such as `http://127.0.0.1:40123/faults`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const PATH = '/faults';
const ALLOW = 'POST, DELETE';
const ALWAYS = 'always';
// The longest fault has about 200.
const MAX_BYTES = 4096;

/** Ends a request that asks for what there is not. */
class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Starts to take faults: POST with one as JSON, and with `times`, a whole number or `"always"`, adds it; DELETE clears all.
 * @param apiKey what a request must show as its bearer key: other users of the machine, and pages of a browser, have none.
 */
export async function listenForFaults(
  contract: Contract,
  faults: Pick<Faults, 'add' | 'clear'>,
  apiKey: string,
  limits = LIMITS,
): Promise<FaultAddress> {
  const hash = keyHash(apiKey);
  const take = async (req: Request): Promise<void> => {
    if (req.url !== PATH) throw new Refused(404, `There is nothing here but ${PATH}.`);
    if (req.method !== 'POST' && req.method !== 'DELETE') {
      throw new Refused(405, `${PATH} answers only to POST and DELETE.`, { Allow: ALLOW });
    }
    const shown = hashOf(req.headers.authorization ?? '');
    if (shown === undefined || !timingSafeEqual(shown, hash)) {
      throw new Refused(401, 'Send the key of the server: `Authorization: Bearer <key>`.', {
        'WWW-Authenticate': 'Bearer',
      });
    }
    if (req.method === 'DELETE') faults.clear();
    else add(faults, parsed(await bodyOf(req, limits.requestMs)));
  };
  const app = (req: Request, res: Response): void => {
    take(req).then(
      () => res.writeHead(204).end(),
      (error: unknown) => {
        if (error instanceof Refused) refuse(res, error);
        else res.destroy(); // Its caller has left.
      },
    );
  };
  const listener = await listen(app, contract, { host: '127.0.0.1', port: 0 }, {}, limits);
  return { url: listener.url + PATH, stop: () => listener.stop(0) };
}

function refuse(res: Response, { status, message, headers }: Refused): void {
  const body = JSON.stringify({ message });
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  // Of a body that was not read, nothing more is wanted.
  res.writeHead(status, { ...headers, ...content, Connection: 'close' }).end(body);
}

/** @throws Refused if it is longer than any fault, and another Error if it does not come to its end in time. */
async function bodyOf(req: Request, withinMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The server leaves a request that is being answered alone, even if its peer is silent or has left.
  const giveUp = (): void => {
    if (!req.complete) req.destroy();
  };
  const late = setTimeout(giveUp, withinMs);
  req.socket.once('end', giveUp);
  try {
    // Its connection is kept, for the answer.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Refused(413, `A fault has no more than ${String(MAX_BYTES)} bytes.`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
    req.socket.off('end', giveUp);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): unknown {
  let [value, repeated]: [unknown, JsonValue | undefined] = [undefined, undefined];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = JSON.parse(text);
    repeated = scanJson(text).find((it) => it.isDuplicate);
  } catch {
    throw new Refused(400, 'The body must be a fault as JSON, such as {"status": 503, "times": 2}.');
  }
  if (repeated !== undefined) throw new Refused(400, `The body has ${pointer(repeated.path)} more than once.`);
  return value;
}

function add(faults: Pick<Faults, 'add'>, value: unknown): void {
  try {
    if (typeof value !== 'object' || value === null || !('times' in value)) {
      faults.add(value, 1);
      return;
    }
    const { times, ...fault } = value;
    if (times === ALWAYS) faults.add(fault, Infinity);
    else if (Number.isFinite(times)) faults.add(fault, Number(times));
    else throw new TypeError(`\`times\` must be a whole number of 1 or more, or "${ALWAYS}".`);
  } catch (error) {
    throw new Refused(422, error instanceof Error ? error.message : String(error));
  }
}
