/** Writes down what the application answers, where ROLLCALL_RECORD names a folder for it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Intercept } from '../../server/http/pipeline.ts';
import { rewrite } from './rewrite.ts';

/** A request and its answer, as one line of JSON each. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly authorization?: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const folder = process.env['ROLLCALL_RECORD'];

/** An `intercept` of the application that lets everything pass. */
export const record: Intercept = (exchange) => {
  const { method, url: target, req } = exchange;
  // What is no URL, or has a fragment, no tool that replays it could send.
  if (folder === undefined || !URL.canParse(target, 'http://x') || target.includes('#')) return;
  const { authorization } = req.headers;
  const write = rewrite((response) => {
    if (response.status === 302) return response.body; // From one page to another: of no operation.
    const line: Exchange = { method, target, authorization, ...response };
    // A file for each process: the tests run in several.
    appendFileSync(join(folder, `${String(process.pid)}.ndjson`), `${JSON.stringify(line)}\n`);
    return response.body;
  });
  void write(exchange);
};
