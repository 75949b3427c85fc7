/** The control API: what the test kit does, for tests in any language. `control.yaml` is its contract. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import { error as httpError, middleware as validate } from 'express-openapi-validator';
import type { OpenAPIV3, ValidationErrorItem } from 'express-openapi-validator/dist/framework/types.js';
import { CONTROL } from '../../generated/control-document.ts';
import type { components, operations } from '../../generated/control.ts';
import { pointer } from '../contract/schema.ts';
import { hashOf } from '../http/authentication.ts';
import { LIMITS } from '../http/connections.ts';
import type { Limits } from '../http/connections.ts';
import { listen } from '../http/listener.ts';
import { scanJson } from '../import/json-text.ts';
import type { JsonValue } from '../import/json-text.ts';
import { clearTimeout, setTimeout } from '../real-time.ts';
import { keyHash } from '../store/keys.ts';
import type { MaybePromise } from '../store/store.ts';
import { Conflict, NotFound, WrongType, WrongValue } from './assert.ts';
import type { Cue } from './cues.ts';
import type { Engine, EngineAccount } from './engine.ts';
import type { FaultQueue } from './faults.ts';
import type { SeenRequest } from './requests.ts';
import { addScenario } from './scenarios.ts';

type Schemas = components['schemas'];
type Operation = keyof operations;
type Json = 'application/json';

/** The body of a request of an operation; `undefined` if it has none. */
type Body<Op extends Operation> = operations[Op] extends { requestBody: { content: Record<Json, infer B> } }
  ? B
  : never;
type Query<Op extends Operation> = operations[Op]['parameters'] extends { query?: infer Q } ? Q : undefined;
/** The body of the successful response of an operation; `never` if that is a 204. */
type Result<Op extends Operation> = operations[Op]['responses'] extends
  { 200: { content: Record<Json, infer B> } } | { 201: { content: Record<Json, infer B> } }
  ? B
  : never;

interface Call<Op extends Operation> {
  readonly body: Body<Op>;
  readonly query: NonNullable<Query<Op>>;
  /** @returns the account of the path. @throws NotFound */
  readonly account: () => EngineAccount;
}
type Handlers = {
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the return type of an operation without a body
  readonly [Op in Operation]: (call: Call<Op>) => MaybePromise<[Result<Op>] extends [never] ? void : Result<Op>>;
};

export interface Control {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const CONTROL_FILE = fileURLToPath(import.meta.resolve('#control'));

/** Enough for all records of a snapshot. */
const MAX_BYTES = 16 * 1024 * 1024;

type ProblemName = Schemas['Problem']['name'];
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

class ControlError extends Error {
  readonly problem: ProblemName;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: ProblemName, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.problem = problem;
    this.headers = headers;
  }
}

/**
 * Starts the control API of an engine.
 * @param key the control key, which every request must have.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function startControl(
  engine: Engine,
  key: string,
  { host, port }: { readonly host: string; readonly port: number },
  limits: Limits = LIMITS,
): Promise<Control> {
  const app = createApp(engine, key, limits);
  const listener = await listen(
    (req, res) => {
      app(req, res);
    },
    engine.contract,
    { host, port },
    {},
    limits,
  );
  return { url: listener.url, stop: () => listener.stop(0) };
}

function createApp(engine: Engine, key: string, limits: Limits): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.get('/openapi.json', (_req, res) => {
    res.json(CONTROL);
  });
  app.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').sendFile(CONTROL_FILE);
  });
  app.use(requireOwnCaller(key), readJson(limits.requestMs));
  const apiSpec = structuredClone(CONTROL) as unknown as OpenAPIV3.DocumentV3; // The validator modifies it.
  app.use(validate({ apiSpec, validateApiSpec: false, validateSecurity: false, fileUploader: false }));
  const handlers = handlersOf(engine);
  for (const [path, methods] of Object.entries<PathItem>(CONTROL.paths)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation !== undefined) route[method](respondWith(engine, handlers, operation));
    }
  }
  app.use(sendError);
  return app;
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;
interface PathOperation {
  readonly operationId: Operation;
  readonly responses: object;
}
type PathItem = Readonly<Partial<Record<(typeof METHODS)[number], PathOperation>>>;

function respondWith(engine: Engine, handlers: Handlers, { operationId, responses }: PathOperation): RequestHandler {
  const [success] = Object.keys(responses); // The lowest status comes first in every object.
  const handle = handlers[operationId] as (call: Call<Operation>) => unknown; // The validator has checked the call.
  return async (req, res) => {
    const account = (): EngineAccount => {
      const { account: name } = req.params as { account: string };
      const found = engine.accounts.get(name);
      if (found === undefined) throw new NotFound(`There is no account ${name}.`);
      return found;
    };
    const call = { body: req.body as unknown, query: req.query, account };
    const result = await handle(call as unknown as Call<Operation>);
    res.status(Number(success));
    if (result === undefined) res.end();
    else res.json(result);
  };
}

/** What each operation does. Faults and cues are validated by the engine, whose messages say what there is. */
function handlersOf(engine: Engine): Handlers {
  const { accounts, faults, requests } = engine;
  const change = async (account: EngineAccount, it: object): Promise<unknown> => account.data.prepare(it)();
  return {
    listAccounts: () => ({ data: [...accounts.values()].map(accountJson) }),
    createAccount: async ({ body }) => accountJson(await engine.createAccount(body)), // Validated by the engine.
    deleteAccount: ({ account }) => account().delete(),
    putRecords: async ({ account, body }) => {
      await change(account(), { put: body });
    },
    removeRecords: async ({ account, body }) => {
      await change(account(), { remove: body });
    },
    moveImport: async ({ account, body }) => (await change(account(), { moveImport: body })) as Schemas['Record'], // A contact import.
    revokeKey: async ({ account }) => {
      await change(account(), { revokeKey: true });
    },
    resetAccount: ({ account }) => account().reset(),
    addAccountFault: ({ account, body }) => {
      addFault(account().faults, body);
    },
    clearAccountFaults: ({ account }) => {
      account().faults.clear();
    },
    listCues: ({ account }) => ({ data: account().cues.list().map(cueJson) }),
    addCue: ({ account, body: { always, ...cue } }) =>
      cueJson(account().cues.add({ ...cue, times: timesOf({ always, times: cue.times }) })),
    clearCues: ({ account }) => {
      account().cues.clear();
    },
    addScenario: async ({ account, body }) => cueJson(await addScenario(account(), body)),
    listAccountRequests: ({ account, query }) => requestsJson(account().requests, query),
    clearAccountRequests: ({ account }) => {
      account().requests.length = 0;
    },
    addFault: ({ body }) => {
      addFault(faults, body);
    },
    clearFaults: () => {
      faults.clear();
    },
    listRequests: ({ query }) => requestsJson(requests, query),
    clearRequests: () => {
      requests.length = 0;
    },
    reset: () => engine.reset(),
    takeSnapshot: async () => (await engine.snapshot()) as unknown as Schemas['Snapshot'], // Records have more properties.
    restoreSnapshot: ({ body }) => engine.restore(body),
  };
}

interface Times {
  readonly times?: number | undefined;
  readonly always?: boolean | undefined;
}

/** @throws WrongType if both are there. */
function timesOf({ times, always }: Times): number {
  if (always === undefined) return times ?? 1;
  if (times !== undefined) throw new WrongType('`times` and `always` cannot be combined: send one of them.');
  return Infinity;
}

function addFault(faults: FaultQueue, { fault, ...times }: Schemas['NewFault']): void {
  faults.add(fault, timesOf(times));
}

const accountJson = ({ name, data: { apiKey } }: EngineAccount): Schemas['Account'] => ({ name, apiKey });

function cueJson({ number, when, then, at, times, fired, errors }: Cue): Schemas['Cue'] {
  const often = times === Infinity ? { always: true as const } : { times };
  return { number, when, then, at, ...often, fired, errors } as unknown as Schemas['Cue']; // As it came, or as JavaScript has it.
}

function requestsJson(
  requests: readonly SeenRequest[],
  { operation, status }: { readonly operation?: string; readonly status?: number },
): Schemas['RequestList'] {
  const data = requests
    .filter((it) => operation === undefined || it.operation === operation)
    .filter((it) => status === undefined || it.status === status)
    .map((it) => ({ ...it, query: valuesOf(it.query), headers: valuesOf(it.headers) }) as Schemas['SeenRequest']);
  return { count: data.length, data };
}

const valuesOf = (values: SeenRequest['query']): Schemas['Values'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));

/** Rejects pages of browsers, which send one of these headers, and requests without the key. */
function requireOwnCaller(key: string): RequestHandler {
  const hash = keyHash(key);
  return ({ headers }, _res, next) => {
    const site = headers['sec-fetch-site'];
    if (headers.origin !== undefined || (site !== undefined && site !== 'none')) {
      throw new ControlError('cross_site_request', 'Pages in a browser cannot control the server.');
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

/** Reads the body as JSON, whatever its type is said to be. */
function readJson(withinMs: number): RequestHandler {
  return async (req, _res, next) => {
    const body = await readBody(req, withinMs);
    // The validator wants a body where the operation has one, and has an unbounded cache keyed by this header.
    if (body.length === 0) delete req.headers['content-type'];
    else {
      req.headers['content-type'] = 'application/json';
      req.body = parse(body);
    }
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
        throw new ControlError('body_too_large', `A body has no more than ${String(MAX_BYTES)} bytes.`);
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
    throw new ControlError('invalid_json', 'The body must be JSON.');
  }
  if (repeated !== undefined)
    throw new ControlError('invalid_json', `The body has ${pointer(repeated.path)} more than once.`);
  return value;
}

const sendError: ErrorRequestHandler = (thrown: unknown, req, res: Response, _next) => {
  if (req.destroyed && !req.complete) {
    res.destroy(); // The client has disconnected, or was too slow.
    return;
  }
  const { problem, message, headers } = problemOf(thrown);
  const statusCode = STATUS[problem];
  // The body may not have been read to its end, so the connection is closed.
  res.status(statusCode).set({ ...headers, ...(req.complete ? {} : { Connection: 'close' }) });
  res.json({ statusCode, name: problem, message } satisfies Schemas['Problem']);
};

/** @returns the error to respond with. A thrown value that does not blame the caller is an `application_error`. */
function problemOf(thrown: unknown): ControlError {
  if (thrown instanceof ControlError) return thrown;
  if (thrown instanceof NotFound) return new ControlError('not_found', thrown.message);
  if (thrown instanceof Conflict) return new ControlError('conflict', thrown.message);
  if (thrown instanceof WrongType || thrown instanceof WrongValue)
    return new ControlError('validation_error', thrown.message);
  if (thrown instanceof httpError.NotFound)
    return new ControlError('not_found', 'There is nothing at this path. /openapi.yaml says what there is.');
  if (thrown instanceof httpError.MethodNotAllowed)
    return new ControlError(
      'method_not_allowed',
      'The path does not have this method. /openapi.yaml says what there is.',
    );
  if (thrown instanceof httpError.BadRequest)
    return new ControlError('validation_error', thrown.errors.map(sentence).join('; '));
  return new ControlError('application_error', 'The server failed to answer. The fault is ours.');
}

const sentence = ({ path, message }: ValidationErrorItem): string =>
  `${path.replace(/^\/(body|query|params)/, '') || 'the body'} ${message}`;
