/** The control API: the test kit, for tests in any language. `control.yaml` is its contract. */
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { Express, RequestHandler } from 'express';
import { middleware as validate } from 'express-openapi-validator';
import type { Operations, components } from '../generated/control.ts';
import { dereference, readDocument } from '../contract/document.ts';
import type { Parameter, Schema } from '../contract/document.ts';
import { LIMITS } from '../server/http/connections.ts';
import type { Limits } from '../server/http/connections.ts';
import { listen } from '../server/http/listener.ts';
import { parseQuery } from '../server/http/express.ts';
import { checkParameters } from '../server/http/validation.ts';
import type { MaybePromise } from '../server/store/store.ts';
import { NotFound, WrongType, assertKnown } from './assert.ts';
import { ControlError, explainBody, ignoreType, readJson, requireOwnCaller, sendError } from './control-http.ts';
import type { Cue } from './cues.ts';
import type { ServerState, AccountState } from './server-state.ts';
import type { FaultQueue } from './faults.ts';
import type { SeenRequest } from './requests.ts';
import { addScenario } from './scenarios.ts';

type Schemas = components['schemas'];
type Operation = keyof Operations;

interface Call<Op extends Operation> {
  readonly body: Operations[Op]['body'];
  readonly query: Operations[Op]['query'];
  /** @returns the account of the path. @throws NotFound */
  readonly account: () => AccountState;
}
type Handlers = { readonly [Op in Operation]: (call: Call<Op>) => MaybePromise<Operations[Op]['result']> };

export interface Control {
  /** The base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const CONTROL_FILE = fileURLToPath(import.meta.resolve('#control'));

/** Resetting 10,000 accounts takes half a minute, and minutes on a busy machine. */
const CONTROL_LIMITS: Limits = { ...LIMITS, stalledMs: 10 * 60_000 };

/**
 * Starts the control API of a server.
 * @param key the control key, which every request must have.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function startControl(
  state: ServerState,
  key: string,
  { host, port }: { readonly host: string; readonly port: number },
  limits: Limits = CONTROL_LIMITS,
): Promise<Control> {
  const app = createApp(state, key, limits);
  const listener = await listen(
    (req, res) => {
      app(req, res);
    },
    { contract: state.contract, observer: {}, limits, corsOrigins: [] },
    { host, port },
  );
  return { url: listener.url, stop: () => listener.stop(0) };
}

function createApp(state: ServerState, key: string, limits: Limits): Express {
  const control = readDocument('control');
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.get('/openapi.json', (_req, res) => {
    res.json(control);
  });
  app.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').sendFile(CONTROL_FILE);
  });
  app.use(requireOwnCaller(key), ignoreType);
  const apiSpec = control as Extract<Parameters<typeof validate>[0]['apiSpec'], object>; // Linted as OpenAPI, and only read, because it is copied.
  const validator = validate({ apiSpec, validateApiSpec: false, validateSecurity: false, fileUploader: false });
  const handlers = handlersOf(state);
  const { paths } = dereference(readDocument('control')) as Document;
  for (const [path, { parameters = [], ...methods }] of Object.entries(paths)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const allowed = Object.keys(methods).map((name) => name.toUpperCase());
    const reject = (): never => {
      const message = `This path supports only ${allowed.join(', ')}. See /openapi.yaml for all operations.`;
      throw new ControlError('method_not_allowed', message, { Allow: allowed.join(', ') });
    };
    route.head(reject); // Otherwise Express takes it for a GET.
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation === undefined) continue;
      const schema = operation.requestBody?.content['application/json'].schema;
      route[method](
        ...checkParameters({ parameters: [...parameters, ...(operation.parameters ?? [])] }, [
          ...(schema === undefined ? [] : [readJson(limits.requestMs)]),
          ...(validator as RequestHandler[]), // Its type of requests has an additional property.
        ]),
        ...(schema === undefined ? [] : [explainBody(schema)]),
        respondWith(state, handlers, operation),
      );
    }
    route.all(reject);
  }
  app.use(() => {
    throw new ControlError('not_found', 'This path does not exist. See /openapi.yaml for all paths.');
  });
  app.use(sendError);
  return app;
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;
type Method = (typeof METHODS)[number];

interface PathOperation {
  readonly operationId: Operation;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<'application/json', { readonly schema: Schema }>> };
  readonly responses: object;
}
/** The part of the contract, with references resolved, that is read here. */
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Partial<Record<Method, PathOperation>> & { readonly parameters?: readonly Parameter[] }>>
  >;
}

function respondWith(
  state: ServerState,
  handlers: Handlers,
  { operationId, responses }: PathOperation,
): RequestHandler {
  const [success] = Object.keys(responses); // The lowest status comes first in every object.
  const handle = handlers[operationId] as (call: Call<Operation>) => unknown; // The validator has checked the call.
  return async (req, res) => {
    const account = (): AccountState => {
      const { account: name } = req.params as { account: string };
      const found = state.accounts.get(name);
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

/** What each operation does. Faults and cues are validated by `ServerState`, whose messages list the allowed values. */
function handlersOf(state: ServerState): Handlers {
  const { accounts, faults, requests } = state;
  const change = async (account: AccountState, next: object): Promise<unknown> => account.data.prepare(next)();
  return {
    listAccounts: () => ({ data: [...accounts.values()].map(accountJson) }),
    createAccount: async ({ body }) => accountJson(await state.createAccount(body)), // Validated there.
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
    addScenario: ({ account, body }) => cueJson(addScenario(account(), body)),
    listAccountRequests: ({ account, query }) => requestsJson(state, account().requests, query),
    clearAccountRequests: ({ account }) => {
      account().requests.length = 0;
    },
    addFault: ({ body }) => {
      addFault(faults, body);
    },
    clearFaults: () => {
      faults.clear();
    },
    listRequests: ({ query }) => requestsJson(state, requests, query),
    clearRequests: () => {
      requests.length = 0;
    },
    reset: () => state.reset(),
    takeSnapshot: () => state.snapshot() as unknown as Schemas['Snapshot'], // Records have more properties.
    restoreSnapshot: ({ body }) => state.restore(body),
  };
}

interface Times {
  readonly times?: number | undefined;
  readonly always?: boolean | undefined;
}

/** @throws WrongType if both are there. */
function timesOf({ times, always }: Times): number {
  if (always === undefined) return times ?? 1;
  if (times !== undefined) throw new WrongType('`times` and `always` cannot be combined. Send only one of them.');
  return Infinity;
}

function addFault(faults: FaultQueue, { fault, ...times }: Schemas['NewFault']): void {
  faults.add(fault, timesOf(times));
}

const accountJson = ({ name, data: { apiKey } }: AccountState): Schemas['Account'] => ({ name, apiKey });

function cueJson({ number, when, then, at, times, fired, errors }: Cue): Schemas['Cue'] {
  const often = times === Infinity ? { always: true as const } : { times };
  return { number, when, then, at, ...often, fired, errors } as unknown as Schemas['Cue']; // A validated cue.
}

/** @throws WrongType that lists the operations, for an unknown operation. */
function requestsJson(
  { contract }: ServerState,
  requests: readonly SeenRequest[],
  { operation, status }: { readonly operation?: string; readonly status?: number },
): Schemas['RequestList'] {
  if (operation !== undefined) {
    assertKnown(
      'operation',
      [operation],
      contract.operations.map(({ id }) => id),
    );
  }
  const data = requests
    .filter((request) => operation === undefined || request.operation === operation)
    .filter((request) => status === undefined || request.status === status)
    .map(
      (request) =>
        ({ ...request, query: valuesOf(request.query), headers: valuesOf(request.headers) }) as Schemas['SeenRequest'],
    );
  return { count: data.length, data };
}

const valuesOf = (values: SeenRequest['query']): Schemas['Values'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
