/** Gentle load on a server whose database fails: every response is checked, and only a 503 of the contract may take the place of the right one. */
import { setTimeout as pause } from 'node:timers/promises';
import { loadContract } from '../../contract/document.ts';
import type { OperationId, Schemas } from '../../contract/types.ts';
import { undeclared } from '../../test/support/undeclared.ts';
import { until } from '../support/program.ts';

const CLIENTS = 8;
const PAUSE_MS = 40; // 200 requests per second at most.
const RESPONSE_MS = 30_000;
const STEP_MS = 300_000;
const UNAVAILABLE = 503;
const contract = loadContract();

/** A request, and what is wrong with its response unless that is a 503. */
export interface Request {
  readonly target: string;
  readonly operation: OperationId;
  readonly key: string;
  /** Called when it is sent. @returns what checks the response: nothing, or what is wrong. */
  readonly expect: () => (status: number, text: string) => string | undefined;
}

/** What happened since the last call, as seen by the clients. */
export interface Figures {
  requests: number;
  unavailable: number;
  longestMs: number;
  /** When the last 503 came, by `performance.now()`. */
  last503: number;
}

export interface Load {
  readonly wrong: readonly string[];
  /** Waits for so many more responses other than 503, without one in between. @returns the figures since the last call. */
  readonly step: (count: number) => Promise<Figures>;
  readonly end: () => Promise<void>;
}

/** Sends the requests in turn, again and again, on several connections. */
export function startLoad(url: string, requests: readonly Request[]): Load {
  const none = (): Figures => ({ requests: 0, unavailable: 0, longestMs: 0, last503: 0 });
  const wrong: string[] = [];
  let [figures, isOver, sent, inARow] = [none(), false, 0, 0];

  const send = async ({ target, operation, key, expect }: Request): Promise<void> => {
    const check = expect();
    const started = performance.now();
    const response = await fetch(url + target, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
    const text = await response.text();
    figures.requests += 1;
    figures.longestMs = Math.max(figures.longestMs, performance.now() - started);
    const { status, headers } = response;
    const differs = undeclared(contract.operation(operation), { status, headers: new Map(headers), text });
    if (status === UNAVAILABLE) {
      figures.unavailable += 1;
      figures.last503 = performance.now();
      inARow = 0;
      if (!headers.has('retry-after')) differs.push('503 without Retry-After');
    } else {
      inARow += 1;
      const what = check(status, text);
      if (what !== undefined) differs.push(what);
    }
    for (const it of differs) wrong.push(`${target}: ${String(status)}: ${it}: ${text.slice(0, 200)}`);
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const request = requests[sent++ % requests.length];
      if (request !== undefined) {
        await send(request).catch((error: unknown) => wrong.push(`${request.target}: ${String(error)}`));
      }
      await pause(PAUSE_MS);
    }
  });
  return {
    wrong,
    step: async (count) => {
      inARow = 0;
      await until('requests succeed', STEP_MS, () => wrong.length > 0 || inARow >= count);
      const now = figures;
      figures = none();
      return now;
    },
    end: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** @returns the text of a list response. */
export const listText = (records: readonly Schemas['ContactImport'][], hasMore: boolean): string =>
  JSON.stringify({ object: 'list', has_more: hasMore, data: records });

/** @returns a check of status and text. */
export const exactly =
  (status: number, ...texts: readonly string[]): Request['expect'] =>
  () =>
  (actual, text) =>
    actual === status && texts.includes(text)
      ? undefined
      : `it must be ${String(status)} ${String(texts[0]).slice(0, 200)}`;

/** @returns a check of an error. */
export const problem =
  (status: number, name: Schemas['Problem']['name']): Request['expect'] =>
  () =>
  (actual, text) =>
    actual === status && (JSON.parse(text) as Schemas['Problem']).name === name ? undefined : `it must be ${name}`;
