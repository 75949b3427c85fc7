/** Changes the answers of an application on their way out. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Intercept } from '../../server/http/application.ts';

export interface Written {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns an `intercept` that lets everything pass, and sends what `change` makes of the body of each answer. */
export function rewrite(change: (written: Written) => string): Intercept {
  return (_req, res, next) => {
    const writeHead = res.writeHead.bind(res) as (status: number, headers: OutgoingHttpHeader[]) => ServerResponse;
    const end = res.end.bind(res) as (body?: Buffer) => ServerResponse;
    let head: { readonly status: number; readonly headers: readonly string[] } | undefined;
    // The one form in which the application calls it: a flat list of names and values.
    const keepHead = (status: number, headers: readonly string[]): ServerResponse => {
      head = { status, headers };
      return res;
    };
    const changed = (body?: Buffer): ServerResponse => {
      Object.assign(res, { writeHead, end });
      if (head === undefined) return end(body); // A page of the reference, which Express writes.
      const pairs = head.headers.flatMap((name, at, all): [string, string][] =>
        at % 2 === 0 ? [[name.toLowerCase(), all[at + 1] ?? '']] : [],
      );
      const text = change({ status: head.status, headers: Object.fromEntries(pairs), body: body?.toString() ?? '' });
      const sent = body === undefined ? undefined : Buffer.from(text);
      const length = String(sent?.length);
      writeHead(
        head.status,
        pairs.flatMap(([name, value]) => [name, name === 'content-length' ? length : value]),
      );
      return end(sent);
    };
    Object.assign(res, { writeHead: keepHead, end: changed });
    next();
  };
}
