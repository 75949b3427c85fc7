/** Client errors: what is not HTTP, or not for this server, never reaches the application, and still gets a declared answer. */
import { STATUS_CODES } from './node-http.ts';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Contract } from '../contract/document.ts';
import { ProblemError, problemBody } from '../contract/problems.ts';
import { headersOfProblem, headersOfStatus } from './headers.ts';
import { newRequestId, REQUEST_ID } from './request-id.ts';
import { methodNotAllowed } from './methods.ts';
import type { Observer, Refused } from './notices.ts';

// How long a refused peer has to read its answer and to close. Its socket is no longer Node's to watch.
const LINGER_MS = 1000;

// On the socket itself: a WeakMap would cost every request, and only a client error asks.
const LATEST = Symbol('the response to the latest request');
type Answering = Duplex & { [LATEST]?: ServerResponse };

/** Makes a server answer in the contract's words where Node has words of its own, and let go of the socket. */
export function answerClientErrors(server: Server, contract: Contract, refused?: Observer['refused']): void {
  const seen = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, code: string | undefined): void => {
    if (seen.has(socket)) return; // The parser complains again of whatever follows.
    seen.add(socket);
    socket.on('error', () => socket.destroy()); // Without a listener a reset ends the process.
    afterResponse(latestResponse(socket), () => {
      const { reason, error } = refusalOf(contract, code);
      const id = error === undefined || !socket.writable ? undefined : newRequestId();
      if (reason !== undefined) {
        const status = error === undefined || id === undefined ? undefined : contract.problemStatus[error.problem];
        refused?.({ reason, id, status });
      }
      if (error === undefined || id === undefined) socket.destroy();
      else end(socket, contract, error, id);
    });
  };
  server.prependListener('request', (req, res) => {
    (req.socket as Answering)[LATEST] = res;
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    refuse(socket, error.code);
  });
  server.on('connect', (_req, socket) => {
    refuse(socket, 'HPE_INVALID_METHOD');
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

/** @returns the response to the request that came last on a connection; `undefined` if there was none. */
export function latestResponse(socket: Duplex): ServerResponse | undefined {
  return (socket as Answering)[LATEST];
}

/**
 * Answers a connection that never becomes one of the server's, once it has said something, and lets go of it.
 * @param refused told of it.
 */
export function refuseConnection(
  socket: Duplex,
  contract: Contract,
  error: ProblemError,
  refused?: Observer['refused'],
): void {
  socket.on('error', () => socket.destroy()); // Without a listener a reset ends the process.
  const silent = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(silent);
  });
  // Not before: many a client takes an answer to nothing for a fault of the protocol.
  socket.once('data', () => {
    const id = newRequestId();
    refused?.({ reason: 'connections', id, status: contract.problemStatus[error.problem] });
    end(socket, contract, error, id);
  });
}

/** Calls back when the requests that came before on the same connection have been answered. */
function afterResponse(response: ServerResponse | undefined, done: () => void): void {
  if (response === undefined || response.closed) done();
  else response.once('close', done);
}

interface Refusal {
  readonly reason?: Refused['reason'];
  /** What to answer; nothing where nobody is left to answer, or no request has come. */
  readonly error?: ProblemError;
}

function refusalOf(contract: Contract, code: string | undefined): Refusal {
  switch (code) {
    case 'ECONNRESET':
      return {};
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { reason: 'timeout' };
    case 'HPE_INVALID_METHOD': {
      const headers = headersOfStatus(contract, contract.problemStatus.method_not_allowed);
      return { reason: 'method', error: methodNotAllowed('This server', headers['Allow'] ?? '') };
    }
    case 'HPE_HEADER_OVERFLOW':
      return {
        reason: 'too_long',
        error: new ProblemError('validation_error', 'The target and headers of the request are too long.'),
      };
    default:
      return {
        reason: 'malformed',
        error: new ProblemError('validation_error', 'The request is not well-formed HTTP/1.1.'),
      };
  }
}

function end(socket: Duplex, contract: Contract, error: ProblemError, id: string): void {
  const status = contract.problemStatus[error.problem];
  const body = problemBody(error, status);
  const headers = {
    ...headersOfStatus(contract, status),
    ...headersOfProblem(contract, error),
    [REQUEST_ID]: id,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  // Read to its end: closing a socket with unread bytes resets it, and the answer may be lost with it.
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(linger);
  });
}
