/** Faults of pagination: pages, cursors, ends of lists, parameters of later pages. */
import { Failure } from '../client.ts';
import type { Driver, Item, Options, Page, Query } from '../client.ts';
import { asEmpty, atEnd, backward, faultsOf, inIds, inPages, inParameter, inQuery, inTask, last } from './fault.ts';
import type { Inject } from './fault.ts';

const without = (query: Query, ...names: readonly string[]): Query => query.filter(([name]) => !names.includes(name));

const later = (edit: (query: Query) => Query): Inject => inQuery((query, page) => (page === 0 ? query : edit(query)));
/** Leaves a parameter out of the later pages of a task that starts at a cursor. */
const laterFrom = (cursor: 'after' | 'before', name: string): Inject =>
  inTask(
    (_task, _collection, options) => options[cursor] !== undefined,
    later((query) => without(query, name)),
  );
/** Changes the options of the task. */
const inOptions =
  (edit: (options: Options) => Options): Inject =>
  (driver) => {
    const { list, listAll } = driver;
    driver.list = (collection, options) => list(collection, edit(options));
    driver.listAll = (collection, options) => listAll(collection, edit(options));
  };
const inCursor =
  (edit: Driver['cursor']): Inject =>
  (driver) => {
    driver.cursor = edit;
  };
/** Ends a traversal at a page that has fewer items than the first. */
const endsAtShorter =
  (isHasMoreRead: boolean): Inject =>
  (driver) => {
    let full = 0;
    driver.isLast = ({ data, has_more: hasMore }, page, { limit }) => {
      if (page === 0) full = Number(limit ?? data.length);
      return data.length < full || data.length === 0 || (isHasMoreRead && !hasMore);
    };
  };
/** Ends a traversal of one collection at a page that has fewer items than its limit. */
const endsAtShort =
  (only: string): Inject =>
  (driver) => {
    const { page } = driver;
    driver.page = async (collection, options, ...args) => {
      const it = await page(collection, options, ...args);
      const full = Number(options.limit ?? (only === 'contact-imports' ? 10 : 20));
      return collection === only && it.data.length < full ? { ...it, has_more: false } : it;
    };
  };
/**
 * After the second page of a whole list, sends HEAD for what is before its first item. Does something if that changes.
 * @param isSo by the status, and the length of the body.
 */
const watchesHead =
  (isSo: (status: number, bytes: number) => boolean, act: (first: Page) => Page): Inject =>
  (driver) => {
    const { page } = driver;
    let first: Page | undefined;
    driver.page = async (collection, options, cursor, number) => {
      const it = await page(collection, options, cursor, number);
      if (number === 0) first = it;
      const before = first?.data[0]?.id;
      const isWhole = options.status === undefined && options.after === undefined && options.before === undefined;
      const isFull = it.data.length === first?.data.length;
      if (number !== 1 || before === undefined || first === undefined || !isFull || !isWhole) return it;
      const query = driver.query({ ...options, before }, undefined, 0);
      const sent = driver.build({ path: driver.path(collection), query, page: 0, attempt: 0 });
      const { status, headers } = await driver.send({ ...sent, method: 'HEAD' });
      return isSo(status, Number(headers['content-length'])) ? act(first) : it;
    };
  };
/** The bytes of a page without items. */
const EMPTY_PAGE_BYTES = 50;
/** Repeats the request for some pages. */
const twice =
  (isSo: (page: number) => boolean): Inject =>
  (driver) => {
    const { page } = driver;
    driver.page = async (...args) => {
      if (isSo(args[3])) await page(...args);
      return page(...args);
    };
  };
export const PAGINATION_FAULTS = faultsOf({
  'pagination.no_page_twice': {
    'the first page is requested twice': twice((page) => page === 0),
    'the second page is requested twice': twice((page) => page === 1),
    'the list starts over when an item is inserted': (driver) => {
      const { page } = driver;
      let head: string | undefined;
      driver.page = async (collection, options, cursor, number) => {
        const it = await page(collection, options, cursor, number);
        if (number === 0) head = it.data[0]?.id;
        if (number !== 1) return it;
        const first = await page(collection, options, undefined, 0);
        return first.data[0]?.id === head ? it : first;
      };
    },
    'each page of a traversal is requested twice': (driver) => {
      twice(() => driver.isTraversal)(driver);
    },
    'the first page is requested again after the last': (driver) => {
      const { listAll, page } = driver;
      driver.listAll = async (collection, options) => {
        await listAll(collection, options);
        await page(collection, options, undefined, 0);
      };
    },
    'items inserted meanwhile are printed at the end': (driver) => {
      const { listAll, page, print } = driver;
      driver.listAll = async (collection, options) => {
        const seen = new Set<string>();
        driver.print = (ids) => {
          for (const id of ids) seen.add(id);
          print(ids);
        };
        await listAll(collection, options);
        const { data } = await page(collection, options, undefined, 0);
        print(data.map(({ id }) => id).filter((id) => !seen.has(id)));
      };
    },
  },
  'pagination.before': {
    'before is ignored': inOptions(({ before: _before, ...others }) => others),
    'before is sent as after': inOptions(({ before, ...others }) =>
      before === undefined ? others : { ...others, after: before },
    ),
    'a traversal backward continues forward': later((query) =>
      query.map(([name, value]) => [name === 'before' ? 'after' : name, value]),
    ),
    'later pages backward are printed oldest first': backward(
      inIds((ids, page) => (page > 0 ? ids.toReversed() : ids)),
    ),
    'a page backward is printed oldest first and continued from its end': (driver) => {
      driver.cursor = ({ data }) => data.at(-1)?.id;
    },
  },
  'pagination.stop_by_has_more': {
    'a short page of imports is the last': endsAtShort('contact-imports'),
    'a short page of properties is the last': endsAtShort('contact-properties'),
    'the next page is requested before has_more is read': (driver) => {
      const { isLast, page, cursor } = driver;
      let next: (() => Promise<unknown>) | undefined;
      driver.page = async (collection, options, at, number) => {
        const it = await page(collection, options, at, number);
        const id = cursor(it, options.before !== undefined, number);
        next = () => page(collection, options, id, number + 1).catch(() => undefined);
        if (driver.isTraversal && !it.has_more && id !== undefined) await next();
        return it;
      };
      driver.isLast = isLast;
    },
    'a traversal ends at an empty page': last(({ data }) => data.length === 0),
    'has_more is read from the first page alone': (driver) => {
      let isMore = true;
      last(({ data, has_more: hasMore }, page) => {
        if (page === 0) isMore = hasMore;
        return !isMore || data.length === 0;
      })(driver);
    },
    'a traversal ends at a page that is not full': endsAtShorter(false),
    'a traversal ends at a page that is not full, or without has_more': endsAtShorter(true),
  },
  'pagination.insert_at_head': {
    'the first page is printed again if there are newer items': watchesHead(
      (status, bytes) => status === 200 && bytes > EMPTY_PAGE_BYTES,
      (first) => first,
    ),
  },
  'pagination.cursor': {
    'the cursor is the first item': inCursor(({ data }) => data[0]?.id),
    'the cursor is the last item but one': inCursor(({ data }, isBackward) => data.at(isBackward ? 1 : -2)?.id),
    'the cursor is created_at': inCursor(({ data }) => String(data.at(-1)?.['created_at'])),
    'the cursor is the number of the page': inCursor((_, _isBackward, page) => String(page + 1)),
    'pages are requested by offset': later((query) => [...without(query, 'after', 'before'), ['offset', '2']]),
    'the cursor of later pages is not sent': later((query) => without(query, 'after', 'before')),
  },
  'pagination.every_item': {
    'only the first page is read': last(() => true),
    'only two pages are read': last(({ has_more: hasMore }, page) => !hasMore || page >= 1),
    'the last page is not printed': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => (driver.isTraversal && at > 0 && !page.has_more ? [] : ids(page, at));
    },
    'the last item of each full page is not printed': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => (driver.isTraversal && page.has_more ? ids(page, at).slice(0, -1) : ids(page, at));
    },
    'the first item of each later page is not printed': inIds((ids, page) => (page === 0 ? ids : ids.slice(1))),
    'the first page is not printed if there are others': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => (driver.isTraversal && at === 0 && page.has_more ? [] : ids(page, at));
    },
    'the second page is printed in the place of the third': (driver) => {
      let second: readonly string[] = [];
      inIds((ids, page) => {
        if (page === 1) second = ids;
        return page === 2 ? second : ids;
      })(driver);
    },
    'the cursor is printed again on each later page': (driver) => {
      let before: readonly string[] = [];
      inIds((ids, page) => {
        const all = page === 0 ? ids : [...before.slice(-1), ...ids];
        before = ids;
        return all;
      })(driver);
    },
    'the last item of a traversal is printed twice': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => {
        const it = ids(page, at);
        return driver.isTraversal && !page.has_more ? [...it, ...it.slice(-1)] : it;
      };
    },
    'the cursor stays that of the first page': (driver) => {
      const { cursor } = driver;
      let first: string | undefined;
      driver.cursor = (...args) => (first ??= cursor(...args));
    },
    'the filter of a traversal is applied twice': (driver) => {
      const { ids } = driver;
      let status: unknown;
      driver.ids = (page, at) => {
        status = at === 0 ? page.data[0]?.['status'] : status;
        const kept = page.data.filter((it) => at === 0 || it['status'] === status);
        return driver.isTraversal && kept.length > 0 ? kept.map(({ id }) => id) : ids(page, at);
      };
    },
    'the limit is the size of a whole traversal': (driver) => {
      last(({ has_more: hasMore }, page, { limit }) => !hasMore || (limit !== undefined && page >= 0))(driver);
    },
  },
  'pagination.ties': {
    'items with equal created_at are taken for one': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => {
        const isSame = (index: number): boolean =>
          index > 0 && page.data[index]?.['created_at'] === page.data[index - 1]?.['created_at'];
        return ids(page, at).filter((_, index) => !isSame(index));
      };
    },
  },
  'pagination.one_page': {
    'the first page is printed twice': inIds((ids, page) => (page === 0 ? [...ids, ...ids] : ids)),
    'the items of each page are reversed': inIds((ids) => ids.toReversed()),
    'list reads all pages': (driver) => {
      driver.list = driver.listAll;
    },
    'list prints one item': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => (driver.isTraversal ? ids(page, at) : ids(page, at).slice(0, 1));
    },
  },
  'pagination.order': {
    'a traversal is printed in the order of ids': atEnd((pages) => pages.flat().toSorted(), true),
    'each page is printed in the order of the text of created_at': (driver) => {
      const { ids } = driver;
      driver.ids = ({ data, ...others }, at) => {
        const text = (it: Item): string => String(it['created_at']);
        return ids({ ...others, data: data.toSorted((a, b) => (text(a) < text(b) ? 1 : -1)) }, at);
      };
    },
    'a traversal is printed oldest first': atEnd((pages) => pages.flat().toReversed(), true),
    'a traversal is printed in the order of the text of created_at': (driver) => {
      const instants = new Map<string, string>();
      inPages(({ data }) => {
        for (const it of data) instants.set(it.id, String(it['created_at']));
      })(driver);
      const textOf = (id: string): string => instants.get(id) ?? '';
      atEnd((pages) => pages.flat().toSorted((a, b) => (textOf(a) < textOf(b) ? 1 : -1)), true)(driver);
    },
    'later pages are printed before earlier ones': atEnd((pages) => pages.toReversed().flat(), true),
  },
  'pagination.filter': {
    'later pages are not filtered': later((query) => without(query, 'status')),
    'later pages after a cursor are not filtered': laterFrom('after', 'status'),
    'later pages before a cursor are not filtered': laterFrom('before', 'status'),
    'the filter is ignored': inOptions(({ status: _status, ...others }) => others),
    'the filter is applied to what the server returns': (driver) => {
      const { query, page } = driver;
      driver.query = (...args) => without(query(...args), 'status');
      driver.page = async (collection, options, ...args) => {
        const it = await page(collection, options, ...args);
        const { status } = options;
        return {
          ...it,
          has_more: it.has_more,
          data: status === undefined ? it.data : it.data.filter((item) => item['status'] === status),
        };
      };
    },
  },
  'pagination.limit': {
    'later pages have no limit': later((query) => without(query, 'limit')),
    'later pages after a cursor have no limit': laterFrom('after', 'limit'),
    'later pages before a cursor have no limit': laterFrom('before', 'limit'),
    'the limit is ignored': inOptions(({ limit: _limit, ...others }) => others),
    'the limit is always 100': inOptions((options) => ({ ...options, limit: '100' })),
    'the limit is one more': inParameter('limit', (it) => String(Number(it) + 1)),
    'a limit of 100 is sent as 50': inParameter('limit', (it) => (it === '100' ? '50' : it)),
  },
  'pagination.limit_1': {
    'a limit of 1 has no next page': last(({ has_more: hasMore }, _, { limit }) => !hasMore || limit === '1'),
  },
  'pagination.after': {
    'after is ignored': inOptions(({ after: _after, ...others }) => others),
    'after is sent as before': inOptions(({ after, ...others }) =>
      after === undefined ? others : { ...others, before: after },
    ),
    'the cursor of the task is sent again with that of the page': (driver) => {
      const { query } = driver;
      driver.query = (options, cursor, page) => {
        const it = query(options, cursor, page);
        return page > 0 && options.after !== undefined ? [...it, ['after', options.after]] : it;
      };
    },
  },
  'pagination.empty': {
    'an empty list is a crash': inPages(({ data }) => {
      if (data[0] === undefined) throw new TypeError("Cannot read properties of undefined (reading 'id')");
    }),
    'an empty list is reported as not found': inPages(({ data }) => {
      if (data.length === 0) throw new Failure(404, 'not_found');
    }),
  },
  'pagination.one_item': {
    'a list of one item is taken for an object': (driver) => {
      const { ids } = driver;
      driver.ids = (page, at) => (page.data.length === 1 && !page.has_more && at === 0 ? [] : ids(page, at));
    },
  },
  'pagination.vanished_cursor': {
    'a cursor that has vanished ends the traversal': asEmpty(({ status }, page) => status === 404 && page > 0),
    'after a cursor that has vanished the traversal starts over': (driver) => {
      const { page } = driver;
      driver.page = async (collection, options, cursor, number) => {
        try {
          return await page(collection, options, cursor, number);
        } catch (error) {
          if (!(error instanceof Failure) || error.status !== 404 || number === 0) throw error;
          return page(collection, options, undefined, 0);
        }
      };
    },
  },
  'pagination.no_loop': {
    'a server that does not move on loops for ever': (driver) => {
      driver.stalled = () => undefined;
    },
  },
  'pagination.removal': {
    'a traversal ends if its first item is removed': watchesHead(
      (status) => status === 404,
      () => ({ data: [], has_more: false }),
    ),
  },
  'pagination.status_change': {
    'a filtered traversal ends if its cursor no longer matches': (driver) => {
      const { page } = driver;
      driver.page = async (collection, options, cursor, number) => {
        const it = await page(collection, options, cursor, number);
        if (number !== 1 || options.status === undefined) return it;
        const { data } = await page(collection, options, undefined, 0);
        return data.some(({ id }) => id === cursor) ? it : { data: [], has_more: false };
      };
    },
  },
  'pagination.limit_100': {
    'no more than 64 items of a page are printed': inIds((ids) => ids.slice(0, 64)),
  },
});
