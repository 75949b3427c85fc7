/** Writes down what the application answers, where ROLLCALL_RECORD names a folder for it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';

/** A request and its answer, as one line of JSON each. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly authorization?: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
}

const folder = process.env['ROLLCALL_RECORD'];

/** An `intercept` of the application that lets everything pass. */
export const record: RequestHandler = (req, res, next) => {
  if (folder === undefined) {
    next();
    return;
  }
  const { method, originalUrl: target } = req;
  const { authorization } = req.headers;
  const send = res.send.bind(res);
  let body = '';
  res.send = (content: Buffer) => {
    body = content.toString();
    return send(content);
  };
  res.on('finish', () => {
    const answer = { status: res.statusCode, headers: res.getHeaders(), body };
    const exchange: Exchange = { method, target, authorization, ...answer };
    // A file for each process: the tests run in several.
    appendFileSync(join(folder, `${String(process.pid)}.ndjson`), `${JSON.stringify(exchange)}\n`);
  });
  next();
};
