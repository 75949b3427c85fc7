/** From a request that has been checked to its handler. */
import type { Call, Handlers, OperationId, Reply } from '../contract/types.ts';

/** A request that the contract allows: the operation, and its call. */
export interface Checked<Op extends OperationId = OperationId> {
  readonly operation: Op;
  readonly call: Call<Op>;
}

/** Calls the handler of an operation. */
export function dispatch<Op extends OperationId>(
  handlers: Handlers,
  { operation, call }: Checked<Op>,
): Promise<Reply<Op>> {
  const send = (status: number, body: string): Reply<Op> => ({ status, body }) as Reply<Op>; // The mark exists in types only.
  return handlers[operation](call, send);
}
