/** HTTP of the control API: authentication, request bodies and errors. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { error as httpError } from 'express-openapi-validator';
import type { components } from '../generated/control.ts';
import { COLLECTIONS } from '../contract/collections.ts';
import { ProblemError } from '../contract/problems.ts';
import { compileFirst, pointer } from '../contract/schema.ts';
import type { Schema } from '../contract/document.ts';
import { hashOf } from '../server/http/authentication.ts';
import { AlteredError, JsonError, parseUnaltered } from '../import/json-text.ts';
import { clearTimeout, setTimeout } from '../server/real-time.ts';
import { keyHash } from '../server/store/keys.ts';
import { Conflict, NotFound, WrongType, WrongValue, assertKnown } from './assert.ts';

/** Enough for all records of a snapshot. */
const MAX_BYTES = 16 * 1024 * 1024;

type Problem = components['schemas']['Problem'];
type ProblemName = Problem['name'];
const STATUS: Readonly<Record<ProblemName, number>> = {
  invalid_json: 400,
  invalid_control_key: 401,
  cross_site_request: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  validation_error: 422,
  application_error: 500,
};

/** An error of the control API. */
export class ControlError extends Error {
  readonly problem: ProblemName;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: ProblemName, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.problem = problem;
    this.headers = headers;
  }
}

/** Rejects pages of browsers, which send one of these headers, and callers without the key. */
export function requireOwnCaller(key: string): RequestHandler {
  const hash = keyHash(key);
  return ({ headers }, _res, next) => {
    const site = headers['sec-fetch-site'];
    if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
      throw new ControlError('cross_site_request', 'The control API rejects requests from web pages.');
    }
    const presented = hashOf(headers.authorization);
    if (presented === undefined || !timingSafeEqual(presented, hash)) {
      throw new ControlError('invalid_control_key', 'Send the control key: `Authorization: Bearer <control key>`.', {
        'WWW-Authenticate': 'Bearer',
      });
    }
    next();
  };
}

/** Ignores the declared type of a body, which is always JSON. The validator has an unbounded cache that is keyed by this header. */
export const ignoreType: RequestHandler = ({ headers }, _res, next) => {
  delete headers['content-type'];
  next();
};

/** Reads the body as JSON and ignores its declared type. */
export function readJson(withinMs: number): RequestHandler {
  return async (req, _res, next) => {
    req.body = parse(await readBody(req, withinMs));
    req.headers['content-type'] = 'application/json';
    next();
  };
}

/** @throws ControlError if the body is too long; another Error if it does not end in time. */
async function readBody(req: IncomingMessage, withinMs: number): Promise<Buffer> {
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
      if (bytes > MAX_BYTES)
        throw new ControlError('body_too_large', `The body is larger than ${String(MAX_BYTES)} bytes.`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timeout);
    req.socket.off('end', giveUp);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return parseUnaltered(text);
  } catch (error) {
    if (error instanceof JsonError) throw new ControlError('invalid_json', `The body must be JSON: ${error.message}.`);
    if (error instanceof AlteredError)
      throw new ControlError('invalid_json', `${subject(pointer(error.path))} ${error.message}.`);
    throw error;
  }
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ControlError('invalid_json', 'The body must be JSON in UTF-8.');
  }
}

/** @returns a handler for a body that the validator has rejected: an error that names the property and the allowed values. */
export function explainBody(schema: Schema): ErrorRequestHandler {
  let first: ReturnType<typeof compileFirst> | undefined;
  return (thrown: unknown, { body }, _res, next) => {
    if (!(thrown instanceof httpError.BadRequest)) throw thrown;
    // First, because the records of an unknown collection, such as a misplaced option, are seldom records.
    assertKnown('collection', collectionsIn(body), COLLECTIONS);
    const violation = (first ??= compileFirst(schema))(body);
    if (violation === undefined) next(thrown);
    else next(new ControlError('validation_error', `${subject(violation.where)} ${violation.what}.`));
  };
}

/** @returns the subject of a sentence about a position in a body. */
const subject = (where: string): string => (where === pointer([]) ? 'The body' : where);

/** @returns the names in a body that the contract has for collections: those of an account's records, or of a snapshot. */
function collectionsIn(body: unknown): readonly string[] {
  const { records, accounts } = Object.fromEntries(membersOf(body));
  const all = [records, ...membersOf(accounts).map(([, account]) => account)];
  return all.flatMap(membersOf).map(([name]) => name);
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** Responds with an error. */
export const sendError: ErrorRequestHandler = (thrown: unknown, req, res: Response, _next) => {
  if (req.destroyed && !req.complete) {
    res.destroy(); // The client has disconnected, or was too slow.
    return;
  }
  const { problem, message, headers } = problemOf(thrown);
  const statusCode = STATUS[problem];
  // The body may not have been read to its end, so the connection is closed.
  res.status(statusCode).set({ ...headers, ...(req.complete ? {} : { Connection: 'close' }) });
  res.json({ statusCode, name: problem, message } satisfies Problem);
};

/** @returns the error to respond with. A thrown value that does not blame the caller is an `application_error`. */
function problemOf(thrown: unknown): ControlError {
  if (thrown instanceof ControlError) return thrown;
  if (thrown instanceof NotFound) return new ControlError('not_found', thrown.message);
  if (thrown instanceof Conflict) return new ControlError('conflict', thrown.message);
  if (thrown instanceof WrongType || thrown instanceof WrongValue)
    return new ControlError('validation_error', thrown.message);
  if (thrown instanceof ProblemError) return new ControlError('validation_error', thrown.message); // Of a parameter.
  if (thrown instanceof URIError)
    return new ControlError('validation_error', 'The path must be percent-encoded UTF-8: send % as %25.');
  return new ControlError('application_error', 'Internal server error.');
}
