/** Faults of retries: what is retried, when, how often, and how. */
import { Failure } from '../client.ts';
import type { Asked, Driver, Received } from '../client.ts';
import { EMPTY, faultsOf, inIds, inRequest, of429 } from './fault.ts';
import type { Inject } from './fault.ts';

const DAY_MS = 86_400_000;
const TRIES = 4;
/** What the client takes for the time, whenever it runs. */
const NOW = Date.UTC(2026, 6, 1);

/** Retries what the client does not retry. */
const retries =
  (isSo: (received: Received, attempt: number) => boolean, ms = 10): Inject =>
  (driver) => {
    const { delay } = driver;
    driver.delay = (received, attempt) => (isSo(received, attempt) ? ms : delay(received, attempt));
  };
const retried = (status: number): Inject => retries((it, attempt) => it.status === status && attempt < TRIES);
/** Never ends to retry what it retries. */
const endless =
  (isSo: (received: Received) => boolean): Inject =>
  (driver) => {
    const { delay } = driver;
    driver.delay = (received, attempt) => (isSo(received) ? (delay(received, 0) ?? 10) : delay(received, attempt));
  };
/** Changes requests that are sent again. */
const again =
  (edit: (asked: Asked, driver: Driver) => Partial<Asked>): Inject =>
  (driver) => {
    const normal = driver.again;
    driver.again = (asked) => ({ ...normal(asked), ...edit(asked, driver) });
  };
const dropping = (...names: readonly string[]): Inject =>
  again(({ query }) => ({ query: query.filter(([name]) => !names.includes(name)) }));
const waits =
  (ms: (received: Received) => number | undefined): Inject =>
  (driver) => {
    const { delay } = driver;
    driver.delay = (received, attempt) => {
      const it = ms(received);
      return it === undefined || attempt >= TRIES - 1 ? delay(received, attempt) : it;
    };
  };
/** Retries some requests in another way. */
const where =
  (isSo: (asked: Asked) => boolean, inject: Inject): Inject =>
  (driver) => {
    const { call, delay } = driver;
    inject(driver);
    const { delay: other } = driver;
    driver.call = (asked) => {
      driver.delay = isSo(asked) ? other : delay;
      return call(asked);
    };
  };
const isLater = ({ page }: Asked): boolean => page > 0;
const isGet = ({ path }: Asked): boolean => path.split('/').length > 3;
const hasRetryAfter = ({ headers }: Received): boolean => headers['retry-after'] !== undefined;
const secondsOf = ({ headers }: Received): number => Number(headers['retry-after']);
/** Treats the last attempt in another way. */
const exhausted =
  (isSo: (failure: Failure) => boolean, instead: (failure: Failure) => unknown): Inject =>
  (driver) => {
    const { call } = driver;
    driver.call = async (asked) => {
      try {
        return await call(asked);
      } catch (error) {
        if (asked.attempt === 0 && error instanceof Failure && isSo(error)) return instead(error);
        throw error;
      }
    };
  };
const isTemporary = ({ status }: { readonly status: number }): boolean => [0, 429, 500, 502, 503, 504].includes(status);
/** Retries the traversal instead of the page that failed. */
const startsOver =
  (isSo: (failure: Failure) => boolean): Inject =>
  (driver) => {
    const { delay, listAll } = driver;
    driver.delay = (received, attempt) => (driver.isTraversal ? undefined : delay(received, attempt));
    driver.listAll = async (...args) => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          await listAll(...args);
          return;
        } catch (error) {
          if (attempt === 2 || !(error instanceof Failure) || !isSo(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 2000));
        }
      }
    };
  };
const lastIfRetried: Inject = (driver) => {
  const { again: normal, isLast } = driver;
  let isRetried = false;
  driver.again = (asked) => {
    isRetried = true;
    return normal(asked);
  };
  driver.isLast = (...args) => isRetried || isLast(...args);
};
/** Replaces what is printed of a page that was retried. */
const inRetried =
  (edit: (ids: readonly string[]) => readonly string[]): Inject =>
  (driver) => {
    const { again: normal } = driver;
    let isRetried = false;
    driver.again = (asked) => {
      isRetried = true;
      return normal(asked);
    };
    inIds((ids) => {
      const printed = isRetried ? edit(ids) : ids;
      isRetried = false;
      return printed;
    })(driver);
  };
const ignoresRetryAfter = waits((it) => (hasRetryAfter(it) ? 5 : undefined));
const waitsAsAsked = waits((it) => (hasRetryAfter(it) ? secondsOf(it) * 1000 : undefined));
const triesLongAgain = waits((it) => (secondsOf(it) > 60 ? 5 : undefined));

export const RETRY_FAULTS = faultsOf({
  'retries.never_retried': {
    'a 401 is retried': retried(401),
    'a 404 is retried': retried(404),
    'a 422 is retried': retried(422),
    'a 422 of the second page is retried': where(isLater, retried(422)),
    'a 401 of a get is retried': where(isGet, retried(401)),
    'a 404 of a get is retried': where(isGet, retried(404)),
    'a 404 of the second page is retried': (driver) => {
      const { page } = driver;
      driver.page = async (...args) => {
        try {
          return await page(...args);
        } catch (error) {
          if (error instanceof Failure && error.status === 404 && args[3] > 0) return page(...args);
          throw error;
        }
      };
    },
  },
  'retries.retry_after': {
    'every error is retried': retries(({ status }, attempt) => status >= 400 && attempt < 3),
    'Retry-After of later pages is ignored': where(isLater, ignoresRetryAfter),
    'Retry-After of a get is ignored': where(isGet, ignoresRetryAfter),
    'Retry-After of later pages of imports is ignored': where(
      (asked) => isLater(asked) && asked.path.includes('imports'),
      ignoresRetryAfter,
    ),
    'Retry-After is ignored': ignoresRetryAfter,
    'what has Retry-After is retried at once': waits((it) => (hasRetryAfter(it) ? 0 : undefined)),
    'Retry-After of 503 is ignored': waits((it) => (it.status === 503 && hasRetryAfter(it) ? 20 : undefined)),
    'Retry-After of 429 is ignored': waits((it) => (it.status === 429 && hasRetryAfter(it) ? 20 : undefined)),
    'Retry-After is read as milliseconds': waits((it) => (hasRetryAfter(it) ? secondsOf(it) : undefined)),
    'Retry-After is read as a date': waits((it) =>
      hasRetryAfter(it) ? Math.max(Date.parse(`2026-01-0${it.headers['retry-after'] ?? ''}`) - NOW, 0) || 0 : undefined,
    ),
    'half of Retry-After is waited': waits((it) => (hasRetryAfter(it) ? secondsOf(it) * 400 : undefined)),
    'Retry-After is capped at half a second': waits((it) =>
      hasRetryAfter(it) ? Math.min(secondsOf(it) * 1000, 500) : undefined,
    ),
  },
  'retries.long_retry_after': {
    'a day is waited for a later page': where(
      isLater,
      waits((it) => (secondsOf(it) > 60 ? DAY_MS : undefined)),
    ),
    'a day is waited if Retry-After says so': waitsAsAsked,
    'a day is waited after 429, which alone is retried': of429(waitsAsAsked),
    'after a long Retry-After nothing is printed': (driver) => {
      const { delay, fail } = driver;
      let isLong = false;
      driver.delay = (received, attempt) => {
        isLong = secondsOf(received) > 60;
        return delay(received, attempt);
      };
      driver.fail = (failure) => (isLong ? 0 : fail(failure));
    },
    'a long Retry-After is retried at once': triesLongAgain,
    'a long Retry-After of 429, which alone is retried, is retried at once': of429(triesLongAgain),
  },
  'retries.bounded': {
    'a 500 is retried for ever': endless(({ status }) => status === 500),
    'a 503 is retried for ever': endless(({ status }) => status === 503),
    'a 429 is retried for ever': endless(({ status }) => status === 429),
    'a failed connection is retried for ever': endless(({ status }) => status === 0),
    'a truncated body is retried for ever': endless(({ status, isComplete }) => status > 0 && !isComplete),
    'a 500 is retried a hundred times': retries(({ status }, attempt) => status === 500 && attempt < 100, 1),
    'a failed connection is retried a hundred times': retries(
      ({ status }, attempt) => status === 0 && attempt < 100,
      1,
    ),
    'every error is retried after an hour': retries((it, attempt) => it.status === 500 && attempt < 3, DAY_MS / 24),
  },
  'retries.resume': {
    'a retry has no cursor': dropping('after', 'before'),
    'a retry has no before': dropping('before'),
    'a retry has no after': dropping('after'),
    'a retry has no filter': dropping('status'),
    'after a failed page the traversal starts over': startsOver(isTemporary),
    'a page that was retried is the last': lastIfRetried,
    'a retry of 429, which alone is retried, has no cursor': of429(dropping('after', 'before')),
    'a retry of 429, which alone is retried, has no filter': of429(dropping('status')),
    'after a page with 429, which alone is retried, the traversal starts over': of429(
      startsOver(({ status }) => status === 429),
    ),
    'a page that was retried after 429, which alone is retried, is the last': of429(lastIfRetried),
  },
  'retries.same_request': {
    'the retry of a get is for the list': again((asked) => (isGet(asked) ? { path: '/contacts/imports' } : {})),
    'a retry has no limit': dropping('limit'),
    'a retry has no parameters': again(() => ({ query: [] })),
    'a retry has half the limit': again(({ query }) => ({
      query: query.map(([name, value]) => [name, name === 'limit' ? String(Math.ceil(Number(value) / 2)) : value]),
    })),
    'a retry has no key': inRequest(({ headers }, { attempt }) => {
      if (attempt > 0) delete headers['authorization'];
    }),
    'a retry is a POST': inRequest((sent, { attempt }) => {
      if (attempt > 0) sent.method = 'POST';
    }),
    'a retry has the number of the attempt': again(({ query, attempt }) => ({
      query: [...query, ['attempt', String(attempt + 1)]],
    })),
    'a retry has another path': again(({ path }) => ({ path: `${path}/` })),
  },
  'retries.temporary': {
    'a page that was retried is printed twice': inRetried((ids) => [...ids, ...ids]),
    'a page that was retried is skipped': inRetried(() => []),
  },
  'errors.rate_limit_exceeded': {
    'an error that was retried in vain is an empty list': exhausted(isTemporary, () => EMPTY),
    'an error that was retried in vain is a network failure': exhausted(isTemporary, () => {
      throw new Failure(0, 'network');
    }),
  },
});
