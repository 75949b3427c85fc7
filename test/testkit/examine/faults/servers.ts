/** Faults that show with other servers: redirects, a path in the base URL, compression, bodies of another shape, long lists and pages. */
import { Driver, Failure } from '../client.ts';
import type { Item, Page, Received } from '../client.ts';
import {
  EMPTY,
  asEmpty,
  drops,
  endsAfter,
  failsAt,
  faultsOf,
  follows,
  inIds,
  inRequest,
  inResponse,
  last,
  of429,
  reads,
  toObject,
} from './fault.ts';
import type { Inject } from './fault.ts';

const isRedirect = ({ status }: { readonly status: number }): boolean => status >= 300 && status < 400;
/** Follows redirects in another way. */
const redirects =
  (target: (to: URL, driver: Driver) => string, headers: (driver: Driver) => Record<string, string>): Inject =>
  (driver) => {
    const { send, host, baseUrl } = driver;
    driver.send = async (sent) => {
      const received = await send(sent);
      const { location } = received.headers;
      if (!isRedirect(received) || location === undefined) return received;
      const to = new URL(location, baseUrl);
      const there = new Driver({ ...host, env: { ROLLCALL_BASE_URL: to.origin } });
      const answer = await there.send({ ...sent, headers: headers(driver), target: target(to, driver) });
      there.agent.destroy();
      return answer;
    };
  };
const pathAndQuery = ({ pathname, search }: URL): string => pathname + search;

/** Takes bodies that are no page for another page. */
const takes =
  (isSo: (body: unknown) => boolean, page: (body: unknown) => Page = () => EMPTY): Inject =>
  (driver) => {
    const { toPage } = driver;
    driver.toPage = (body) => (isSo(body) ? page(body) : toPage(body));
  };
/** Reads bodies that the client rejects as another value. */
const readsAs = (isSo: (received: Received) => boolean, value: unknown): Inject =>
  reads((it) => (isSo(it) ? value : undefined));
/** Reads a body of a later page as an empty page. */
const readsLaterAs =
  (text: string): Inject =>
  (driver) => {
    const { page } = driver;
    let at = 0;
    driver.page = (...args) => {
      [, , , at] = args;
      return page(...args);
    };
    readsAs((it) => isOk(it) && at > 0 && it.text.trim() === text, EMPTY)(driver);
  };
const isEmptyObject = (body: unknown): boolean => JSON.stringify(body) === '{}';
const isOk = ({ status, isComplete }: Received): boolean => status === 200 && isComplete;

/** Ends a traversal silently if the server does not move on. */
const endsSilently: Inject = (driver) => {
  const { listAll } = driver;
  driver.listAll = async (...args) => {
    class Stalled extends Error {}
    driver.stalled = () => {
      throw new Stalled();
    };
    try {
      await listAll(...args);
    } catch (error) {
      if (!(error instanceof Stalled)) throw error;
    }
  };
};
const asksFor = (encoding: string): Inject => inRequest(({ headers }) => (headers['accept-encoding'] = encoding));
/** Replaces the base URL by a part of it. */
const inBase =
  (edit: (target: string, base: URL) => string): Inject =>
  (driver) => {
    const { host, baseUrl } = driver;
    const base = new URL(baseUrl);
    const there = new Driver({ ...host, env: { ...host.env, ROLLCALL_BASE_URL: base.origin } });
    if (base.pathname === '/') return;
    driver.send = (sent) => there.send({ ...sent, target: edit(sent.target, base) });
  };
const isImport = (item: Item): boolean => 'counts' in item;
const isUnfinished = (item: Item): boolean => isImport(item) && item['completed_at'] === null;
/** Reads a part of a long body. */
const cuts = (bytes: number): Inject =>
  inResponse(({ text }) => (text.length > bytes ? { text: text.slice(0, bytes), isComplete: true } : {}));
/** Begins a traversal again when a later page has failed for good. */
const restarts =
  (isSo: (failure: Failure) => boolean, times = 1): Inject =>
  (driver) => {
    const { listAll, interrupted } = driver;
    driver.listAll = async (...args) => {
      let left = times;
      class Restart extends Error {}
      driver.interrupted = (failure) => {
        if (!(failure instanceof Failure) || !isSo(failure) || left === 0) interrupted(failure);
        left -= 1;
        throw new Restart();
      };
      for (;;) {
        try {
          await listAll(...args);
          return;
        } catch (error) {
          if (!(error instanceof Restart)) throw error;
        }
      }
    };
  };
const isTemporary = ({ status }: Failure): boolean => status === 0 || status >= 429;
const isDate = ({ headers }: Received): boolean => /[a-z]/i.test(headers['retry-after'] ?? '');
/** Waits in another way where Retry-After is a date. */
const atDate =
  (delay: () => number | undefined): Inject =>
  (driver) => {
    const normal = driver.delay;
    driver.delay = (received, attempt) => (isDate(received) ? delay() : normal(received, attempt));
  };
const crashesAtDate = atDate(() => {
  throw new TypeError('Not a number');
});
/** Ends a traversal that goes backward by something else than `has_more`. */
const endsBackward =
  (isEnd: (page: Page, limit: number) => boolean): Inject =>
  (driver) => {
    const { isLast } = driver;
    driver.isLast = (page, at, options) =>
      isLast(page, at, options) || (options.before !== undefined && isEnd(page, Number(options.limit ?? 0)));
  };
/** Waits as Retry-After says before some retries alone. */
const waitsAt =
  (isObeyed: (attempt: number) => boolean): Inject =>
  (driver) => {
    const { delay } = driver;
    driver.delay = (received, attempt) => {
      const ms = delay(received, attempt);
      return ms === undefined || isObeyed(attempt) ? ms : Math.min(ms, 20);
    };
  };

export const SERVER_FAULTS = faultsOf({
  'requests.redirect': {
    'the key follows a redirect to another origin': follows(() => true),
    'the key follows a 302': follows(
      () => true,
      (_, { status }) => status === 302,
    ),
    'the key follows a redirect of a later page before an item': follows(
      () => true,
      ({ target }) => target.includes('before='),
    ),
    'the key follows a redirect of a get': follows(
      () => true,
      ({ target }) => target.split('/').length > 3,
    ),
    'the key follows a redirect in the query': redirects(
      (to, { apiKey }) => `${pathAndQuery(to)}?key=${apiKey}`,
      () => ({}),
    ),
    'the key follows a redirect in a header of its own': redirects(pathAndQuery, ({ apiKey }) => ({
      'x-api-key': apiKey,
    })),
    'the key follows a redirect without a scheme': redirects(pathAndQuery, ({ apiKey }) => ({
      authorization: apiKey,
    })),
    'the key follows a redirect as a cookie': redirects(pathAndQuery, ({ apiKey }) => ({ cookie: `key=${apiKey}` })),
  },
  'errors.redirect': {
    'a redirect is an empty list': asEmpty(isRedirect),
    'a redirect is a response without items': readsAs(isRedirect, EMPTY),
  },
  'requests.base_path': {
    'the path of the base URL is dropped': inBase((target) => target),
    'the path of the base URL is dropped by a get': inBase((target, { pathname }) =>
      target.split('/').length > 3 ? target : pathname + target,
    ),
    'the path of the base URL is dropped after the first page': inBase((target, { pathname }) =>
      /[?&](after|before)=/.test(target) ? target : pathname + target,
    ),
    'the path of the base URL has its first segment alone': inBase(
      (target, { pathname }) => `/${pathname.split('/')[1] ?? ''}${target}`,
    ),
    'the path of the base URL has its last segment replaced': inBase(
      (target, { pathname }) => pathname.slice(0, pathname.lastIndexOf('/')) + target,
    ),
    'the path of the base URL is repeated': inBase((target, { pathname }) => pathname + pathname + target),
    'the path of the base URL is in lower case': inBase((target, { pathname }) => pathname.toLowerCase() + target),
    'the path of the base URL comes last': inBase((target, { pathname }) => {
      const [path = '', query] = target.split('?');
      return path + pathname + (query === undefined ? '' : `?${query}`);
    }),
    'the path of the base URL is encoded': inBase(
      (target, { pathname }) => `/${encodeURIComponent(pathname.slice(1))}${target}`,
    ),
  },
  'values.compressed': {
    'gzip is asked for and not decoded': asksFor('gzip'),
    'any encoding is asked for and none decoded': asksFor('gzip, deflate, br, zstd'),
    'the encoding * is asked for and none decoded': asksFor('*'),
    'a compressed body is an empty list': (driver) => {
      asksFor('gzip')(driver);
      readsAs(({ headers }) => headers['content-encoding'] === 'gzip', EMPTY)(driver);
    },
  },
  'errors.unexpected_body': {
    'an empty object is an empty list': takes(isEmptyObject),
    'a page without data is an empty list': takes((body) => toObject(body)['data'] === undefined),
    'a page whose data is null is an empty list': takes((body) => toObject(body)['data'] === null),
    'a page without has_more is the last': takes(
      (body) => Array.isArray(toObject(body)['data']) && !('has_more' in toObject(body)),
      (body) => ({ data: toObject(body)['data'] as Item[], has_more: false }),
    ),
    'a page without data is an empty list if it has has_more': takes(
      (body) => 'has_more' in toObject(body) && !('data' in toObject(body)),
    ),
    'a body of null after the first page is the end of the list': readsLaterAs('null'),
    'a body of [] after the first page is the end of the list': readsLaterAs('[]'),
    'a body of null is an empty list': readsAs((it) => isOk(it) && it.text.trim() === 'null', EMPTY),
    'an array is an empty list': takes(Array.isArray),
    'an array is a list': takes(Array.isArray, (body) => ({ data: body as Item[], has_more: false })),
    'an empty object after the first page is the end of the list': (driver) => {
      const { page } = driver;
      driver.page = async (...args) => {
        try {
          return await page(...args);
        } catch (error) {
          if (error instanceof Failure && error.status === 200 && args[3] > 0 && isShape) return EMPTY;
          throw error;
        }
      };
      let isShape = false;
      const { toPage } = driver;
      driver.toPage = (body) => {
        isShape = isEmptyObject(body);
        return toPage(body);
      };
    },
  },
  'pagination.every_item': {
    'no more than six pages are read': endsAfter(6, Infinity),
    'no more than ten pages are read': endsAfter(10, Infinity),
    'after ten pages a list is reported as endless': (driver) => {
      const { page } = driver;
      driver.page = (...args) => {
        if (args[3] >= 10) throw new Failure(200, 'unreadable');
        return page(...args);
      };
    },
    'the tenth page is not printed': inIds((ids, page) => (page === 9 ? [] : ids)),
    'from the tenth page on, pages are read in text order': (driver) => {
      const { page } = driver;
      const pages = new Map<string, Page>();
      driver.page = async (...args) => {
        const key = String(args[3]).slice(0, 1);
        const known = args[3] >= 10 ? pages.get(key) : undefined;
        const it = await page(...args);
        pages.set(key, it);
        return known ?? it;
      };
    },
  },
  'pagination.many_pages': {
    'no more than 20 pages are read': endsAfter(20, Infinity),
    'no more than 500 items are read': endsAfter(Infinity, 500),
    'no more than 1,000 items are read': endsAfter(Infinity, 1000),
    'items after the thousandth are not printed': (driver) => {
      const { print } = driver;
      let count = 0;
      driver.print = (ids) => {
        print(ids.slice(0, Math.max(1000 - count, 0)));
        count += ids.length;
      };
    },
  },
  'pagination.before_short_page': {
    'backward a short page is the last': endsBackward(({ data }, limit) => data.length < limit),
    'backward a page of one item is the last': endsBackward(({ data }) => data.length === 1),
  },
  'values.unfinished_in_list': {
    'imports that have not ended are left out of lists': drops(isUnfinished),
    'queued imports are left out of lists': drops((it) => isImport(it) && it['status'] === 'queued'),
    'imports in progress are left out of lists': drops((it) => isImport(it) && it['status'] === 'in_progress'),
    'a list with an import that has not ended is a crash': failsAt(isUnfinished, () => new TypeError('null')),
    'a list with an import that has not ended is rejected': failsAt(isUnfinished, () => new Failure(200, 'unreadable')),
    'a list with a queued import is rejected': failsAt(
      (it) => isImport(it) && it['status'] === 'queued',
      () => new Failure(200, 'unreadable'),
    ),
    'a list ends at the first import that has not ended': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => {
        const end = page.data.findIndex(isUnfinished);
        return ids(end < 0 ? page : { ...page, data: page.data.slice(0, end) }, at);
      };
    },
  },
  'values.large_page': {
    'the first 64 KiB of a body are read': cuts(65_536),
    'the first 100,000 characters of a body are read': cuts(100_000),
    'a body over 64 KiB is a crash': inResponse(({ text }) => {
      if (text.length > 65_536) throw new RangeError('Buffer too small');
      return {};
    }),
    'a body over 64 KiB is an empty list': inResponse(({ text }) =>
      text.length > 65_536 ? { text: JSON.stringify(EMPTY) } : {},
    ),
  },
  'pagination.no_loop': {
    'a server that does not move on ends a traversal silently': endsSilently,
    'a server that does not move on ends a traversal before an item silently': (driver) => {
      const { listAll } = driver;
      driver.listAll = (collection, options) => {
        if (options.before === undefined) return listAll(collection, options);
        const { cursor, isLast } = driver;
        const seen = new Set<string | undefined>();
        driver.isLast = (page, at, it) => {
          const next = cursor(page, true, at);
          const isOld = seen.has(next);
          seen.add(next);
          return (isOld && page.data.length > 0) || isLast(page, at, it);
        };
        return listAll(collection, options);
      };
    },
    'before an item, an empty page ends a traversal': endsBackward(({ data }) => data.length === 0),
    'an empty page ends a traversal, whatever has_more is': last(
      ({ data, has_more: hasMore }) => data.length === 0 || !hasMore,
    ),
    'a page without new items ends a traversal': (driver) => {
      const { isLast } = driver;
      const seen = new Set<string>();
      driver.isLast = (page, ...args) => {
        const isOld = page.data.length > 0 && page.data.every(({ id }) => seen.has(id));
        for (const { id } of page.data) seen.add(id);
        return isOld || isLast(page, ...args);
      };
    },
  },
  'retries.no_restart': {
    'a traversal starts over when its retries have failed': restarts(isTemporary),
    'a traversal starts over when a 500 has outlasted its retries': restarts(({ status }) => status === 500),
    'a traversal starts over when a 429, which alone is retried, has outlasted its retries': of429(
      restarts(({ status }) => status === 429),
    ),
    'a traversal starts over twice when its retries have failed': restarts(isTemporary, 2),
  },
  'retries.retry_after': {
    'Retry-After is obeyed before the first retry alone': waitsAt((attempt) => attempt === 0),
  },
  'retries.retry_after_date': {
    'a Retry-After of a date is a crash': crashesAtDate,
    'a Retry-After of a date is a crash after 429, which alone is retried': of429(crashesAtDate),
    'a Retry-After of a date is waited for without end': atDate(() => 2_000_000_000),
    'a Retry-After of a date that is over is a time before now': atDate(() => {
      throw new RangeError('sleep length must be non-negative');
    }),
  },
  'pagination.filter': {
    'failed imports are left out of lists': drops((it) => isImport(it) && it['status'] === 'failed'),
  },
});
