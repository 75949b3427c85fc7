/**
 * Statements that serve requests: those of one turn of the event loop go to the server together, on one connection. Here, writing
 * to a connection and being notified of what it has read cost more than a page.
 */
import type { Pool, PoolClient } from 'pg';
import { asError, codeOf, isOfStatement, unreachable } from './errors.ts';

/** A statement that is prepared once for each connection, by its name. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}
type Rows = readonly unknown[][];

interface Queued {
  readonly statement: Prepared;
  readonly values: readonly unknown[];
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: Error) => void;
}

// The server executes those of a connection one after the other: more would wait for each other instead of for a connection.
const MAX_TOGETHER = 8;
const NOT_PREPARED = '26000';

/**
 * @param pool of connections that pipeline: they take a statement while another is executed.
 * @param translate makes an error of a store of an error of a statement.
 * @returns what executes a statement. Its promise is of the rows, each an array.
 */
export function batchesOver(
  pool: Pool,
  translate: (error: unknown) => unknown,
): (statement: Prepared, values: readonly unknown[]) => Promise<Rows> {
  let batch: Queued[] = [];

  const send = (sent: readonly Queued[], client: PoolClient, release: (isBroken: boolean) => void): void => {
    let left = sent.length;
    let isBroken = false;
    // By the name of the statement: it is prepared with the first, and without that the others are not known to the server.
    const firstFailures = new Map<string, unknown>();
    const end = (error: Error | null): void => {
      // A connection with a result still to come is of no more use.
      isBroken ||= error !== null && !isOfStatement(error);
      left -= 1;
      if (left === 0) release(isBroken);
    };
    client.connection.stream.cork();
    for (const { statement, values, resolve, reject } of sent) {
      const query = { ...statement, values: [...values], rowMode: 'array' as const };
      client.query<unknown[]>(query, (error: Error | null, result?: { readonly rows: unknown[][] }) => {
        end(error);
        if (error === null) {
          resolve(result?.rows ?? []);
          return;
        }
        const first = firstFailures.get(statement.name) ?? error;
        firstFailures.set(statement.name, first);
        reject(asError(translate(codeOf(error) === NOT_PREPARED ? first : error)));
      });
    }
    client.connection.stream.uncork();
  };

  const begin = (): Queued[] => {
    const begun: Queued[] = [];
    batch = begun;
    setImmediate(() => {
      pool.connect((failed, client, release) => {
        if (batch === begun) batch = []; // Until then it waits for a connection, and others may join it.
        if (client !== undefined) send(begun, client, release);
        else for (const { reject } of begun) reject(unreachable(failed));
      });
    });
    return begun;
  };

  return (statement, values) =>
    new Promise((resolve, reject) => {
      const joined = batch.length > 0 && batch.length < MAX_TOGETHER ? batch : begin();
      joined.push({ statement, values, resolve, reject });
    });
}
