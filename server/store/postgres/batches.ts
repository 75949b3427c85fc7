/**
 * Executes the statements that serve requests. Statements of one turn of the event loop go to the server together, on
 * one connection. In this process, writing to a connection and being notified of its data cost more than a page.
 */
import type { Pool, PoolClient } from 'pg';
import { asError, codeOf, isOfStatement, translateError, unreachable } from './postgres-errors.ts';

/** A statement that is prepared once on each connection, under its name. */
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

// The server executes the statements of a connection one after the other. In a larger batch, statements would wait for
// each other instead of for a connection.
const MAX_TOGETHER = 8;
const NOT_PREPARED = '26000';

/**
 * @param pool a pool of connections that pipeline: they accept a statement while another is executed.
 * @param server the server, for messages.
 * @returns a function that executes a statement. Its promise resolves to the rows, each an array.
 */
export function batchesOver(
  pool: Pool,
  server: string,
): (statement: Prepared, values: readonly unknown[]) => Promise<Rows> {
  let batch: Queued[] = [];

  const send = (sent: readonly Queued[], client: PoolClient, release: (isBroken: boolean) => void): void => {
    let left = sent.length;
    let isBroken = false;
    // By the name of the statement. The first execution prepares the statement: if that fails, the server does not know
    // the statement in later executions, and rejects them with `NOT_PREPARED`.
    const firstFailures = new Map<string, unknown>();
    const end = (error: Error | null): void => {
      // A connection that still expects a result cannot be used again.
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
        reject(asError(translateError(codeOf(error) === NOT_PREPARED ? first : error, server)));
      });
    }
    client.connection.stream.uncork();
  };

  const startBatch = (): Queued[] => {
    const started: Queued[] = [];
    batch = started;
    setImmediate(() => {
      pool.connect((error, client, release) => {
        if (batch === started) batch = []; // While the batch waits for a connection, other statements may join it.
        if (client !== undefined) send(started, client, release);
        else for (const { reject } of started) reject(unreachable(error, server));
      });
    });
    return started;
  };

  return (statement, values) =>
    new Promise((resolve, reject) => {
      const joined = batch.length > 0 && batch.length < MAX_TOGETHER ? batch : startBatch();
      joined.push({ statement, values, resolve, reject });
    });
}
