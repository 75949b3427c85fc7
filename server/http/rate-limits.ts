/** Rate limits: how many requests an account has in a window of time, and how many failed keys an address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { rateLimitExceeded } from '../contract/problems.ts';
import type { Account } from '../contract/types.ts';
import { addressGroup } from './connections.ts';

export interface RateLimit {
  readonly requests: number;
  /** How long a window lasts. */
  readonly seconds: number;
}

/** Each says in the answer what is left. None counts a request twice. */
export interface RateLimits {
  /** Counts a request of an account. @throws ProblemError `rate_limit_exceeded`. */
  spend(res: ServerResponse, account: Account): Promise<void>;
  /** Counts a failed key of an address. @throws ProblemError `rate_limit_exceeded`. */
  spendFailure(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Counts nothing: for answers before any key is looked at. */
  show(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

// Addresses share so many counters, by their hash: whoever has many addresses does not fill the memory with them.
const MAX_ADDRESSES = 65_536;

export function createRateLimits({ requests, seconds }: RateLimit): RateLimits {
  const options = { points: requests, duration: seconds };
  const [accounts, addresses] = [new RateLimiterMemory(options), new RateLimiterMemory(options)];
  const counted = new WeakMap<ServerResponse, State>();

  const say = (res: ServerResponse, { consumedPoints, msBeforeNext }: State): void => {
    res.setHeader('RateLimit-Limit', requests);
    res.setHeader('RateLimit-Remaining', Math.max(requests - consumedPoints, 0));
    res.setHeader('RateLimit-Reset', Math.ceil(msBeforeNext / 1000));
    res.setHeader('RateLimit-Policy', `${String(requests)};w=${String(seconds)}`);
  };
  const spend = async (limiter: RateLimiterMemory, key: string | number, res: ServerResponse): Promise<void> => {
    const state = counted.get(res) ?? (await limiter.penalty(key));
    counted.set(res, state);
    say(res, state);
    if (state.consumedPoints > requests) throw rateLimitExceeded(Math.max(Math.ceil(state.msBeforeNext / 1000), 1));
  };
  return {
    spend: (res, account) => spend(accounts, account, res),
    spendFailure: (req, res) => spend(addresses, slotOf(req), res),
    show: async (req, res) => {
      if (!counted.has(res)) say(res, (await addresses.get(slotOf(req))) ?? { consumedPoints: 0, msBeforeNext: 0 });
    },
  };
}

interface State {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

const slotOf = ({ socket }: IncomingMessage): number => crc32(addressGroup(socket.remoteAddress)) % MAX_ADDRESSES;
