/** An HTTP endpoint that accepts faults, for tests in other languages. It listens on loopback only and requires the API key. */
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

export interface FaultEndpoint {
  /** Such as `http://127.0.0.1:40123/faults`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const PATH = '/faults';
const ALLOW = 'POST, DELETE';
const ALWAYS = 'always';
// The longest valid fault has about 200 bytes.
const MAX_BYTES = 4096;

/** An error response. */
class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Starts the endpoint. POST adds a fault: a JSON object, with an optional `times` that is an integer or `"always"`. DELETE
 * clears all faults.
 * @param apiKey the bearer key that requests must have. Other users of the machine and pages of a browser do not know it.
 */
export async function startFaultEndpoint(
  contract: Contract,
  faults: Pick<Faults, 'add' | 'clear'>,
  apiKey: string,
  limits = LIMITS,
): Promise<FaultEndpoint> {
  const hash = keyHash(apiKey);
  const handle = async (req: Request): Promise<void> => {
    if (req.url !== PATH) throw new HttpError(404, `There is nothing here but ${PATH}.`);
    if (req.method !== 'POST' && req.method !== 'DELETE') {
      throw new HttpError(405, `${PATH} accepts only POST and DELETE.`, { Allow: ALLOW });
    }
    const presented = hashOf(req.headers.authorization ?? '');
    if (presented === undefined || !timingSafeEqual(presented, hash)) {
      throw new HttpError(401, 'Send the key of the server: `Authorization: Bearer <key>`.', {
        'WWW-Authenticate': 'Bearer',
      });
    }
    if (req.method === 'DELETE') faults.clear();
    else add(faults, parse(await readBody(req, limits.requestMs)));
  };
  const app = (req: Request, res: Response): void => {
    handle(req).then(
      () => res.writeHead(204).end(),
      (error: unknown) => {
        if (error instanceof HttpError) sendError(res, error);
        else res.destroy(); // The client has disconnected.
      },
    );
  };
  const listener = await listen(app, contract, { host: '127.0.0.1', port: 0 }, {}, limits);
  return { url: listener.url + PATH, stop: () => listener.stop(0) };
}

function sendError(res: Response, { status, message, headers }: HttpError): void {
  const body = JSON.stringify({ message });
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  // The body may not have been read to its end, so the connection is closed.
  res.writeHead(status, { ...headers, ...content, Connection: 'close' }).end(body);
}

/** @throws HttpError if the body is longer than any fault; another Error if it does not end in time. */
async function readBody(req: Request, withinMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Node's server has no timeout for a request that has a handler, even if its peer is silent or has disconnected.
  const giveUp = (): void => {
    if (!req.complete) req.destroy();
  };
  const timeout = setTimeout(giveUp, withinMs);
  req.socket.once('end', giveUp);
  try {
    // The connection stays open for the response.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new HttpError(413, `A fault has no more than ${String(MAX_BYTES)} bytes.`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timeout);
    req.socket.off('end', giveUp);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  let [value, repeated]: [unknown, JsonValue | undefined] = [undefined, undefined];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = JSON.parse(text);
    repeated = scanJson(text).find((it) => it.isDuplicate);
  } catch {
    throw new HttpError(400, 'The body must be a fault as JSON, such as {"status": 503, "times": 2}.');
  }
  if (repeated !== undefined) throw new HttpError(400, `The body has ${pointer(repeated.path)} more than once.`);
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
    throw new HttpError(422, error instanceof Error ? error.message : String(error));
  }
}
