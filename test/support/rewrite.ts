/** Changes the answers of an application on their way out. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Intercept } from '../../server/http/pipeline.ts';

export interface Written {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns an `intercept` that lets everything pass, and sends what `change` makes of the body of each answer. */
export function rewrite(change: (written: Written) => string): Intercept {
  return ({ res }) => {
    const writeHead = res.writeHead.bind(res) as (status: number, headers: OutgoingHttpHeader[]) => ServerResponse;
    const end = res.end.bind(res) as (body?: string | Buffer) => ServerResponse;
    let head: { readonly status: number; readonly headers: readonly string[] } | undefined;
    // The one form in which the application calls it: a flat list of names and values.
    const keepHead = (status: number, headers: readonly string[]): ServerResponse => {
      head = { status, headers };
      return res;
    };
    const changed = (body?: string | Buffer): ServerResponse => {
      Object.assign(res, { writeHead, end });
      if (head === undefined) throw new Error('A response without a head.');
      if (Buffer.isBuffer(body)) {
        writeHead(head.status, [...head.headers]); // A page or the contract, which is no operation's.
        return end(body);
      }
      const pairs = head.headers.flatMap((name, at, all): [string, string][] =>
        at % 2 === 0 ? [[name.toLowerCase(), all[at + 1] ?? '']] : [],
      );
      const text = change({ status: head.status, headers: Object.fromEntries(pairs), body: body ?? '' });
      const sent = body === undefined ? undefined : Buffer.from(text);
      const length = String(sent?.length);
      writeHead(
        head.status,
        pairs.flatMap(([name, value]) => [name, name === 'content-length' && sent !== undefined ? length : value]),
      );
      return end(sent);
    };
    Object.assign(res, { writeHead: keepHead, end: changed });
  };
}
