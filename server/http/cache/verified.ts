/**
 * The short way for a store across a network, where asking whether anything has changed costs as much as the answer: keys and
 * verdicts of the validator are remembered, and the one read of an answer asks whether the key is live.
 */
import type { IncomingMessage } from 'node:http';
import type { Contract } from '../../contract/document.ts';
import type { Handlers, OperationId } from '../../contract/types.ts';
import { createHandlers } from '../../operations/handlers.ts';
import { StoreUnavailable } from '../../store/store.ts';
import type { Caller, Store } from '../../store/store.ts';
import { hashOf } from '../authentication.ts';
import { dispatch } from '../dispatch.ts';
import type { Observer } from '../notices.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { Responses } from '../responses.ts';
import { watchOf } from '../watch.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Cache } from './cache.ts';
import { Shapes } from './shapes.ts';
import { MAX_KEYS, usualOf } from './usual.ts';
import type { Usual } from './usual.ts';

interface Known {
  readonly caller: Caller;
  /** What reads for its key, as long as that is live. */
  readonly handlers: Handlers;
}

/**
 * @param readerOf of the store.
 * @param responses what writes the answers of each operation.
 * @param used told of a caller that is answered here.
 * @param rateLimits what counts the requests that are answered here; one over the limit goes the whole way to be told so.
 */
export function createVerified(
  contract: Contract,
  readerOf: NonNullable<Store['readerOf']>,
  responses: ReadonlyMap<OperationId, Responses>,
  used: Observer['used'],
  rateLimits?: RateLimits,
): Cache {
  const shapes = new Shapes(contract);
  // By the `Authorization` header that has shown a live key.
  const known = new BoundedMap<string, Known>(MAX_KEYS);
  const handedOn = new WeakMap<IncomingMessage, Usual>();
  return {
    answer: (req, res, next) => {
      const usual = usualOf(req);
      const from = usual && known.get(usual.authorization);
      const checked = from && shapes.judge(usual.target, from.caller.account);
      const of = checked && responses.get(checked.operation);
      const handOn = (): void => {
        if (usual !== undefined) handedOn.set(req, usual);
        next();
      };
      if (from === undefined || checked === undefined || of === undefined) {
        handOn();
        return;
      }
      const { caller, handlers } = from;
      (rateLimits === undefined
        ? dispatch(handlers, checked)
        : rateLimits.spend(res, caller.account).then(() => dispatch(handlers, checked))
      )
        .then(({ body }) => {
          used?.(caller);
          const watched = watchOf(res);
          if (watched !== undefined) watched.caller = caller;
          of.sendFound(req, res, of.found(body));
        })
        .catch((error: unknown) => {
          // Not asked again: it may have taken as long as it may.
          if (error instanceof StoreUnavailable) of.sendError(req, res, error);
          else handOn(); // An error is answered the whole way: that the key is not live too.
        });
    },

    learn: (req, caller, checked) => {
      const usual = handedOn.get(req);
      const hash = hashOf(usual?.authorization ?? '');
      if (usual === undefined || hash === undefined) return;
      known.set(usual.authorization, { caller, handlers: createHandlers(readerOf(hash, caller)) });
      shapes.learn(usual.target, checked);
    },
  };
}
