/** What is not well-formed HTTP never reaches the application; it still gets an answer the contract declares. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProblemError, problemBody } from './problems.ts';
import type { Spec } from './spec.ts';

/** Makes a server answer in the contract's words where Node has words of its own. */
export function answerMalformed(server: Server, spec: Spec): void {
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    refuse(socket, spec, problemOf(error.code));
  });
  server.on('connect', (_req, socket) => {
    refuse(socket, spec, problemOf('HPE_INVALID_METHOD'));
  });
  // Expectations other than 100-continue are ignored, like everything that is said of a body.
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res);
  });
}

function problemOf(code: string | undefined): ProblemError | undefined {
  switch (code) {
    case 'ECONNRESET': // Nobody is left to answer.
    case 'ERR_HTTP_REQUEST_TIMEOUT': // It never became a request.
      return undefined;
    case 'HPE_INVALID_METHOD':
      return new ProblemError('method_not_allowed', 'This server answers only to the methods in `Allow`.');
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('validation_error', 'The target and headers of the request are too long.');
    default:
      return new ProblemError('validation_error', 'The request is not well-formed HTTP/1.1.');
  }
}

function refuse(socket: Duplex, spec: Spec, error: ProblemError | undefined): void {
  if (error === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = spec.problemStatus[error.problem];
  const body = problemBody(error, status);
  const headers = {
    ...spec.fixedHeaders.get(status),
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
