/**
 * Malformed requests: messages that are not HTTP, or not meant for this server. They never reach an operation, but they get a response that
 * the contract declares. No request gets two responses.
 */
import { STATUS_CODES } from './node-http.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Contract } from '../../contract/document.ts';
import { ProblemError, problemBody } from '../../contract/problems.ts';
import type { Connections } from './connections.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { Observer, RequestRejected } from './events.ts';
import { REQUEST_ID, countHeader, newRequestId } from './exchange.ts';
import { allowedMethods, headersOfProblem, headersOfStatus, methodNotAllowed } from './respond.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';

// How long a rejected peer may take to read its response and close. Node no longer watches the socket.
const LINGER_MS = 1000;

/** Node's error for a message that its parser rejects. */
interface ParserError {
  readonly code?: string;
  /** The latest input, and the offset at which the parser stopped. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Makes a server send the contract's error responses where Node would send its own, and close the connection. */
export function respondToMalformedRequests(
  server: Server,
  { latestResponse }: Connections,
  contract: Contract,
  rejected?: Observer['rejected'],
  crossOrigin?: CrossOrigin,
): void {
  const seen = new WeakSet<Duplex>();
  const reject = (socket: Duplex, parserError: ParserError, req?: IncomingMessage): void => {
    if (seen.has(socket)) return; // The parser emits an error for all further input too.
    seen.add(socket);
    socket.on('error', () => socket.destroy()); // Without a listener, a reset would end the process.
    const response = latestResponse(socket);
    // The error is in the body of a request. That request has a response or will get one, so the error needs no response.
    const isInBody = response?.req.complete === false;
    if (isInBody) response.shouldKeepAlive = false;
    afterResponse(response, () => {
      const { reason, error } = rejectionOf(contract, parserError);
      const id = error === undefined || isInBody || !socket.writable ? undefined : newRequestId();
      if (reason !== undefined) {
        const status = error === undefined || id === undefined ? undefined : contract.problemStatus[error.problem];
        rejected?.({ reason, id, status });
      }
      if (error !== undefined && id !== undefined) sendError(socket, contract, error, id, crossOrigin, req);
      else if (error !== undefined && isInBody) closeGracefully(socket);
      else socket.destroy();
    });
  };
  server.on('clientError', (error: Error & ParserError, socket) => {
    reject(socket, error);
  });
  server.on('connect', (req, socket) => {
    reject(socket, { code: INVALID_METHOD }, req);
  });
  // Sends a 100 only for the request whose response is the current one of the connection. For a later request, Node would write the 100
  // between the headers and the body of the current response.
  server.on('checkContinue', (req, res) => {
    if (res.socket !== null) res.writeContinue();
    server.emit('request', req, res);
  });
  // Expectations other than 100-continue are ignored, like everything else about a body.
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res);
  });
}

/**
 * @returns the error of a request that Node's parser accepts although HTTP/1.1 does not allow it; `undefined` for every other
 *   request. After such an error the connection has to be closed after the response: intermediaries may disagree about the next request.
 */
export function protocolErrorOf(req: IncomingMessage): ProblemError | undefined {
  if (req.httpVersionMajor !== 1) return malformed();
  const hosts = countHeader(req, 'host');
  if (hosts > 1) return new ProblemError('validation_error', 'The request has more than one `Host` header.');
  if (hosts === 0) {
    if (req.httpVersionMinor === 0) return undefined;
    return new ProblemError('validation_error', 'The request has no `Host` header.');
  }
  if (isHost(req.headers.host ?? '')) return undefined;
  return new ProblemError('validation_error', 'The `Host` header is not a host with an optional port.');
}

// A name or an IPv4 address, and an IPv6 address (RFC 3986, section 3.2.2). The host may be empty, and so may the port.
const NAMED_HOST = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i;
const IPV6_HOST = /^\[(.+)\](?::\d*)?$/;

const isHost = (host: string): boolean => NAMED_HOST.test(host) || isIPv6(IPV6_HOST.exec(host)?.[1] ?? '');

const malformed = (): ProblemError => new ProblemError('validation_error', 'The request is not valid HTTP/1.1.');

/** Calls `done` when the earlier requests of the connection have their responses. */
function afterResponse(response: ServerResponse | undefined, done: () => void): void {
  if (response === undefined || response.closed) done();
  else response.once('close', done);
}

interface Rejection {
  readonly reason?: RequestRejected['reason'];
  /** The error to respond with; `undefined` if the peer has left, or no request has arrived. */
  readonly error?: ProblemError;
}

const INVALID_METHOD = 'HPE_INVALID_METHOD';
// The characters of a method (RFC 9110, section 5.6.2).
const METHOD_CHARACTER = /^[!#$%&'*+.^_`|~\w-]$/;

/** Whether the parser stopped at a byte that no method contains: the message is of another protocol, such as TLS, and not an unknown method. */
const isNoMethod = ({ rawPacket, bytesParsed = 0 }: ParserError): boolean =>
  rawPacket !== undefined && !METHOD_CHARACTER.test(rawPacket.toString('latin1', bytesParsed, bytesParsed + 1));

function rejectionOf(contract: Contract, parserError: ParserError): Rejection {
  switch (parserError.code) {
    case 'ECONNRESET':
      return {};
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { reason: 'timeout' };
    case INVALID_METHOD:
      if (isNoMethod(parserError)) return { reason: 'malformed', error: malformed() };
      return { reason: 'method', error: methodNotAllowed('This server', allowedMethods(contract)) };
    case 'HPE_HEADER_OVERFLOW':
      return {
        reason: 'too_long',
        error: new ProblemError('validation_error', 'The request target and headers are too long.'),
      };
    default:
      return { reason: 'malformed', error: malformed() };
  }
}

/** Writes an error response and closes the connection. @param req `undefined` if its headers could not be read. */
function sendError(
  socket: Duplex,
  contract: Contract,
  error: ProblemError,
  id: string,
  crossOrigin?: CrossOrigin,
  req?: IncomingMessage,
): void {
  const status = contract.problemStatus[error.problem];
  const body = problemBody(error, status);
  const statusHeaders = headersOfStatus(contract, status);
  const vary = [statusHeaders['Vary'] ?? [], crossOrigin?.vary ?? []].flat();
  const headers = {
    ...statusHeaders,
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
  closeGracefully(socket);
}

/** Closes a connection once everything written to it has been sent. */
function closeGracefully(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end();
  // Reads the remaining input: closing a socket with unread bytes resets the connection, and the response may be lost.
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(linger);
  });
}
