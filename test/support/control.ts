/** The control API of a server, in the process of the test; every response is held against `control.yaml`. */
import { expect } from '@jest/globals';
import { dereference, readDocument } from '../../contract/document.ts';
import type { Operation, ResponseObject } from '../../contract/document.ts';
import { LIMITS } from '../../server/http/connections.ts';
import { startControl } from '../../testkit/control.ts';
import { createServerState } from '../../testkit/server-state.ts';
import type { ServerState } from '../../testkit/server-state.ts';
import { afterTest } from './after-test.ts';
import type { After } from './after-test.ts';
import { undeclared } from './undeclared.ts';

export const CONTROL_KEY = 'control-key';

/** An operation of `control.yaml`. */
export interface ControlOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly responses: ReadonlyMap<number, ResponseObject>;
}

interface Written {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Written | object>>>>;
  readonly components: { readonly schemas: { Record: object } };
}
const document = readDocument('control') as Document;
document.components.schemas.Record = { type: 'object' }; // The properties of a record are those of its collection.
const { paths } = dereference(document) as Document;

export const CONTROL_OPERATIONS: readonly ControlOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, it]) =>
    'operationId' in it
      ? {
          ...{ id: it.operationId, method: method.toUpperCase(), path, hasBody: it.requestBody !== undefined },
          responses: new Map(Object.entries(it.responses).map(([status, response]) => [Number(status), response])),
        }
      : [],
  ),
);

/** @returns the operation of a method and a path such as `/accounts/a`; `undefined` if there is none. */
function operationOf(method: string, path: string): ControlOperation | undefined {
  const parts = (of: string): string[] => of.replace(/\?.*/s, '').split('/');
  const sent = parts(path);
  return CONTROL_OPERATIONS.find((it) => {
    const template = parts(it.path);
    const fits = template.every((part, at) => (part.startsWith('{') ? sent[at] !== '' : part === sent[at]));
    return it.method === method && template.length === sent.length && fits;
  });
}

export interface ControlResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `undefined` if there is none. */
  readonly body: unknown;
}

export interface Controlled {
  readonly url: string;
  readonly state: ServerState;
  /**
   * Sends a request with the control key, with a body as JSON, or with text or bytes as they are. Asserts that the response is as
   * `control.yaml` has it.
   */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ControlResponse>;
}

/** Starts the control API until the test, or the file, has ended. */
export async function openControl(
  state: ServerState = createServerState(),
  limits = LIMITS,
  after: After = afterTest,
): Promise<Controlled> {
  const { url, stop } = await startControl(state, CONTROL_KEY, { host: '127.0.0.1', port: 0 }, limits);
  after(async () => {
    await stop();
    state.close();
    await state.store.close();
  });
  const send: Controlled['send'] = async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${CONTROL_KEY}`, ...headers },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }), // Bytes are sent as they are too.
    });
    const text = await response.text();
    const { status } = response;
    const operation = operationOf(method, path);
    if (operation !== undefined) {
      const got = { status, headers: new Map(response.headers), text };
      const violations = undeclared(operation as unknown as Operation, got); // It only reads the responses.
      expect({ method, path, status, text, violations }).toEqual({ method, path, status, text, violations: [] });
    }
    return { status, headers: response.headers, text, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  return { url, state, send };
}
