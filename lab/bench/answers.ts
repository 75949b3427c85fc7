/** Single answers, byte by byte: taken from Rollcall for those that repeat it, and compared before anything is timed. */
import { get } from 'node:http';

/** What Node sets by itself, for every contender alike. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly etag: string | undefined;
}

/** @returns the answer to a target, without the headers that Node sets by itself. */
export function ask(url: string, target: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url + target, { agent: false, headers, timeout: 30_000 }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.once('end', () => {
        const named = res.rawHeaders.flatMap((name, at) =>
          at % 2 === 0 ? [[name, res.rawHeaders[at + 1] ?? '']] : [],
        );
        const kept = named.filter(([name = '']) => !BY_NODE.has(name.toLowerCase()));
        resolve({ status: res.statusCode ?? 0, headers: kept.flat(), body, etag: res.headers.etag });
      });
    }).once('error', reject);
  });
}

/** @throws Error if an answer differs in status, body, or tag: weak tags and none say nothing of the bytes. */
export function assertSame(target: string, name: string, expected: Answer, found: Answer | undefined): void {
  const isTagged = found?.etag !== undefined && !found.etag.startsWith('W/');
  for (const what of ['status', 'body', ...(isTagged ? (['etag'] as const) : [])] as const) {
    if (found?.[what] === expected[what]) continue;
    throw new Error(
      `${name} answers ${target} with another ${what}:\n${String(found?.[what])}\nRollcall:\n${String(expected[what])}`,
    );
  }
}
