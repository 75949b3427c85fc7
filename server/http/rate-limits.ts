/** Rate limits: how many requests an account may make in a window of time, and how many failed keys an address may send. */
import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { rateLimitExceeded } from '../../contract/problems.ts';
import type { Account } from '../../contract/types.ts';
import { addressGroup } from './connections.ts';
import type { Exchange } from './exchange.ts';

export interface RateLimit {
  readonly requests: number;
  /** The length of a window. */
  readonly seconds: number;
}

/** Each method sets the `RateLimit-*` headers of the exchange. A request counts once: for its account, or for the address of its failed key. */
export interface RateLimits {
  /** Counts a request of an account. @throws ProblemError `rate_limit_exceeded`. */
  spend(exchange: Exchange, account: Account): Promise<void>;
  /**
   * Counts a failed key for its address. If the request was counted for an account before its key proved not to be live, the account
   * gets its point back. @throws ProblemError `rate_limit_exceeded`.
   */
  spendFailure(exchange: Exchange): Promise<void>;
  /** Sets the headers and counts nothing: for responses before authentication. */
  show(exchange: Exchange): Promise<void>;
}

// Addresses share this number of counters, by the hash of the address, so that a peer with many addresses cannot fill the memory.
const MAX_ADDRESSES = 65_536;

export function createRateLimits({ requests, seconds }: RateLimit): RateLimits {
  const options = { points: requests, duration: seconds };
  const [accounts, addresses] = [new RateLimiterMemory(options), new RateLimiterMemory(options)];
  const policy = `${String(requests)};w=${String(seconds)}`;

  // Never more than a window: the library subtracts times of the machine's clock, which may have been set back since the window began.
  const secondsLeft = ({ msBeforeNext }: State): number => Math.min(Math.ceil(msBeforeNext / 1000), seconds);
  const headersOf = (state: State): readonly string[] => [
    ...['RateLimit-Limit', String(requests)],
    ...['RateLimit-Remaining', String(Math.max(requests - state.consumedPoints, 0))],
    ...['RateLimit-Reset', String(secondsLeft(state))],
    ...['RateLimit-Policy', policy],
  ];
  const spend = async (x: Exchange, limiter: RateLimiterMemory, key: string | number): Promise<void> => {
    const state = await limiter.penalty(key);
    const until = Date.now() + state.msBeforeNext;
    // A point is only returned to the window that it was taken from.
    x.refund = async () => (Date.now() < until ? limiter.reward(key) : undefined);
    x.rateHeaders = headersOf(state);
    if (state.consumedPoints > requests) throw rateLimitExceeded(Math.max(secondsLeft(state), 1));
  };
  return {
    spend: (x, account) => spend(x, accounts, account),
    spendFailure: async (x) => {
      await x.refund?.();
      await spend(x, addresses, slotOf(x.req));
    },
    show: async (x) => {
      const state = await addresses.get(slotOf(x.req));
      x.rateHeaders = headersOf(
        state !== null && state.msBeforeNext > 0 ? state : { consumedPoints: 0, msBeforeNext: 0 },
      );
    },
  };
}

interface State {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

const slotOf = ({ socket }: IncomingMessage): number => crc32(addressGroup(socket.remoteAddress)) % MAX_ADDRESSES;
