/** From a validated request to its handler. */
import type { Request } from 'express';
import type { Call, Handlers, OperationId, Reply } from './contract.ts';
import type { Account } from './store/store.ts';

/**
 * Calls the handler of an operation.
 * @param account whose key the request has shown.
 * @throws Error if the request has not been through the key check and the validator.
 */
export async function dispatch<Op extends OperationId>(
  handlers: Handlers,
  operation: Op,
  account: Account | undefined,
  req: Request,
): Promise<Reply<Op>> {
  if (account === undefined || !('openapi' in req)) throw new Error('The request was not checked.');
  const call = { account, query: req.query, path: req.params } as unknown as Call<Op>; // Validated, so it is one.
  const send = (status: number, body: string): Reply<Op> => ({ status, body }) as Reply<Op>; // The mark exists in types only.
  return handlers[operation](call, send);
}
