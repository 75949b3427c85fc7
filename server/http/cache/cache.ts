/**
 * The short way to an answer, for requests like those that went the whole way before: keys, verdicts of the validator and
 * answers are remembered. Whatever is unusual goes the whole way, and the server is the same without this folder.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Contract } from '../../contract/document.ts';
import type { Handlers, OperationId } from '../../contract/types.ts';
import type { Caller, Store } from '../../store/store.ts';
import { dispatch } from '../dispatch.ts';
import type { Checked } from '../dispatch.ts';
import type { Observer } from '../notices.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { Found, Responses } from '../responses.ts';
import { watchOf } from '../watch.ts';
import { BoundedMap } from './bounded-map.ts';
import { Shapes } from './shapes.ts';
import { MAX_KEYS, usualOf } from './usual.ts';
import type { Usual } from './usual.ts';

export interface Cache {
  /** Answers the short way, or hands the request on to `next` as it came. */
  answer(req: IncomingMessage, res: ServerResponse, next: () => void): void;
  /** Told of a request that `answer` handed on, once its key, its parameters and its handler have proved good. */
  learn(req: IncomingMessage, caller: Caller, checked: Checked): void;
}

/** All that is known of the data in one state. It goes as a whole: what is late for it is late for nobody. */
interface Epoch {
  readonly revision: number;
  /** Whom live keys let in, by the `Authorization` header that has shown one. */
  readonly callers: BoundedMap<string, Caller>;
  readonly answers: BoundedMap<string, Kept>;
  /** What has been asked for once: an answer is kept from the second time on, so that walks leave no trace. */
  readonly askedOnce: BoundedMap<string, true>;
}
interface Kept {
  readonly responses: Responses;
  readonly found: Found;
}

const MAX_ASKED_ONCE = 10_000;
// What an entry takes beside its body: its key, its headers, and the map's.
const OVERHEAD_BYTES = 1000;
/** At most: most texts take one byte a character. */
const sizeOf = ({ found }: Kept): number => 2 * found.body.length + OVERHEAD_BYTES;

/**
 * @param responses what writes the answers of each operation.
 * @param used told of a caller that is remembered.
 * @param maxBytes how much of answers is kept at most.
 * @param rateLimits what counts the requests that are answered here; one over the limit goes the whole way to be told so.
 */
export function createCache(
  contract: Contract,
  store: Store,
  handlers: Handlers,
  responses: ReadonlyMap<OperationId, Responses>,
  used: Observer['used'],
  maxBytes: number,
  rateLimits?: RateLimits,
): Cache {
  const shapes = new Shapes(contract);
  const handedOn = new WeakMap<IncomingMessage, Usual & { readonly epoch: Epoch }>();
  let epoch: Epoch | undefined;

  const epochOf = (revision: number): Epoch => {
    if (epoch?.revision !== revision) {
      epoch = {
        revision,
        callers: new BoundedMap(MAX_KEYS),
        answers: new BoundedMap(maxBytes),
        askedOnce: new BoundedMap(MAX_ASKED_ONCE),
      };
    }
    return epoch;
  };

  return {
    answer: (req, res, next) => {
      const usual = usualOf(req);
      // Read before anything is: what is read after a change is filed under the state before it, and never found again.
      const revision = usual && store.revision();
      if (usual === undefined || revision === undefined) {
        next();
        return;
      }
      const { authorization, target } = usual;
      const now = epochOf(revision);
      const handOn = (): void => {
        handedOn.set(req, { ...usual, epoch: now });
        next();
      };
      const caller = now.callers.get(authorization);
      if (caller === undefined) {
        handOn();
        return;
      }
      used?.(caller);
      const { account } = caller;
      const watched = watchOf(res);
      if (watched !== undefined) watched.caller = caller;
      const key = `${String(account)}${target}`;
      const kept = now.answers.get(key);
      if (kept !== undefined) {
        const send = (): void => {
          if (watched !== undefined) watched.isRemembered = true;
          kept.responses.sendFound(req, res, kept.found);
        };
        if (rateLimits === undefined) send();
        else rateLimits.spend(res, account).then(send, handOn);
        return;
      }
      const checked = shapes.judge(target, account);
      const of = checked === undefined ? undefined : responses.get(checked.operation);
      if (checked === undefined || of === undefined) {
        handOn();
        return;
      }
      (rateLimits === undefined
        ? dispatch(handlers, checked)
        : rateLimits.spend(res, account).then(() => dispatch(handlers, checked))
      )
        .then(({ body }) => {
          const answer = { responses: of, found: of.found(body) };
          if (now.askedOnce.get(key)) now.answers.set(key, answer, sizeOf(answer));
          else now.askedOnce.set(key, true);
          of.sendFound(req, res, answer.found);
        })
        .catch(handOn); // An error is answered the whole way.
    },

    learn: (req, caller, checked) => {
      const pending = handedOn.get(req);
      if (pending === undefined) return;
      pending.epoch.callers.set(pending.authorization, caller);
      shapes.learn(pending.target, checked);
    },
  };
}
