/**
 * Client errors: what is not HTTP, or not for this server, never reaches an operation, and still gets a declared response. No
 * request gets two.
 */
import { STATUS_CODES } from './node-http.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Contract } from '../contract/document.ts';
import { ProblemError, problemBody } from '../contract/problems.ts';
import type { Connections } from './connections.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { Observer, RequestRejected } from './events.ts';
import { REQUEST_ID, newRequestId } from './exchange.ts';
import { allowedMethods, headersOfProblem, headersOfStatus, methodNotAllowed } from './respond.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';

// How long a refused peer has to read its answer and to close. Its socket is no longer Node's to watch.
const LINGER_MS = 1000;

/** What Node says of a message that its parser rejects. */
interface ParserError {
  readonly code?: string;
  /** The input that has come last, and where in it the parser stopped. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Makes a server answer in the contract's words where Node has words of its own, and let go of the socket. */
export function answerClientErrors(
  server: Server,
  { latestResponse }: Connections,
  contract: Contract,
  refused?: Observer['refused'],
  crossOrigin?: CrossOrigin,
): void {
  const seen = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, what: ParserError, req?: IncomingMessage): void => {
    if (seen.has(socket)) return; // The parser complains again of whatever follows.
    seen.add(socket);
    socket.on('error', () => socket.destroy()); // Without a listener a reset ends the process.
    const response = latestResponse(socket);
    // It is the body of a request that has its response, or is about to: that stays the only one.
    const isOfBody = response?.req.complete === false;
    if (isOfBody) response.shouldKeepAlive = false;
    afterResponse(response, () => {
      const { reason, error } = refusalOf(contract, what);
      const id = error === undefined || isOfBody || !socket.writable ? undefined : newRequestId();
      if (reason !== undefined) {
        const status = error === undefined || id === undefined ? undefined : contract.problemStatus[error.problem];
        refused?.({ reason, id, status });
      }
      if (error !== undefined && id !== undefined) end(socket, contract, error, id, crossOrigin, req);
      else if (error !== undefined && isOfBody) letGo(socket);
      else socket.destroy();
    });
  };
  server.on('clientError', (error: Error & ParserError, socket) => {
    refuse(socket, error);
  });
  server.on('connect', (req, socket) => {
    refuse(socket, { code: INVALID_METHOD }, req);
  });
  // Only to a request whose turn it is: Node writes it between the headers and the body of a later one.
  server.on('checkContinue', (req, res) => {
    if (res.socket !== null) res.writeContinue();
    server.emit('request', req, res);
  });
  // Expectations other than 100-continue are ignored, like everything that is said of a body.
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res);
  });
}

/**
 * @returns the error of a request that Node's parser accepts, and HTTP/1.1 does not: where the next begins is in doubt, so the
 *   connection is to be closed after the response. `undefined` for every other.
 */
export function protocolErrorOf({ httpVersionMajor, rawHeaders }: IncomingMessage): ProblemError | undefined {
  if (httpVersionMajor !== 1) return malformed();
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts > 1 ? new ProblemError('validation_error', 'The request has more than one `Host` header.') : undefined;
}

const HOST = 'host';
const malformed = (): ProblemError => new ProblemError('validation_error', 'The request is not well-formed HTTP/1.1.');

/** Calls back when the requests that came before on the same connection have been answered. */
function afterResponse(response: ServerResponse | undefined, done: () => void): void {
  if (response === undefined || response.closed) done();
  else response.once('close', done);
}

interface Refusal {
  readonly reason?: RequestRejected['reason'];
  /** What to answer; nothing where nobody is left to answer, or no request has come. */
  readonly error?: ProblemError;
}

const INVALID_METHOD = 'HPE_INVALID_METHOD';
// What a method is made of (RFC 9110, section 5.6.2).
const OF_METHOD = /^[!#$%&'*+.^_`|~\w-]$/;

/** Whether the parser stopped at a byte that no method has: another protocol, such as TLS, and no unknown method. */
const isNoMethod = ({ rawPacket, bytesParsed = 0 }: ParserError): boolean =>
  rawPacket !== undefined && !OF_METHOD.test(rawPacket.toString('latin1', bytesParsed, bytesParsed + 1));

function refusalOf(contract: Contract, what: ParserError): Refusal {
  switch (what.code) {
    case 'ECONNRESET':
      return {};
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { reason: 'timeout' };
    case INVALID_METHOD:
      if (isNoMethod(what)) return { reason: 'malformed', error: malformed() };
      return { reason: 'method', error: methodNotAllowed('This server', allowedMethods(contract)) };
    case 'HPE_HEADER_OVERFLOW':
      return {
        reason: 'too_long',
        error: new ProblemError('validation_error', 'The target and headers of the request are too long.'),
      };
    default:
      return { reason: 'malformed', error: malformed() };
  }
}

/** @param req unless its headers could not be read. */
function end(
  socket: Duplex,
  contract: Contract,
  error: ProblemError,
  id: string,
  crossOrigin?: CrossOrigin,
  req?: IncomingMessage,
): void {
  const status = contract.problemStatus[error.problem];
  const body = problemBody(error, status);
  const ofStatus = headersOfStatus(contract, status);
  const vary = [ofStatus['Vary'] ?? [], crossOrigin?.vary ?? []].flat();
  const headers = {
    ...ofStatus,
    ...crossOrigin?.headersOf(req),
    ...(vary.length > 0 && { Vary: vary.join(', ') }),
    ...headersOfProblem(contract, error),
    [REQUEST_ID]: id,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  letGo(socket);
}

/** Closes a connection, once what has been written to it has left. */
function letGo(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end();
  // Read to its end: closing a socket with unread bytes resets it, and the response may be lost with it.
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(linger);
  });
}
