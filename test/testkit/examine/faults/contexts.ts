/** Faults of one context alone: of one list, backward, below a path, of records, of a retry, or of a page behind the second. */
import { Failure } from '../client.ts';
import type { Asked } from '../client.ts';
import {
  EMPTY,
  asEmpty,
  backward,
  endsAfter,
  faultsOf,
  getsAs,
  inItems,
  inPages,
  inParameter,
  inQuery,
  inRequest,
  inTask,
} from './fault.ts';
import type { Inject } from './fault.ts';

const ofImports = (inject: Inject): Inject => inTask((_task, collection) => collection === 'contact-imports', inject);
const ofRecords = (inject: Inject): Inject => inTask((task) => task === 'records', inject);
const withoutKey: Inject = inRequest(({ headers }) => {
  delete headers['authorization'];
});
/** Drops the path of the base URL from some requests. */
const inOrigin =
  (isSo: (asked: Asked) => boolean): Inject =>
  (driver) => {
    const { build, baseUrl } = driver;
    const { origin, pathname } = new URL(baseUrl);
    if (pathname === '/') return;
    driver.build = (asked) => {
      const sent = build(asked);
      return isSo(asked) ? { ...sent, target: origin + sent.target } : sent;
    };
  };
/** Ends a traversal at a page that fails. */
const endsIfFailed = (isSo: (page: number) => boolean): Inject => asEmpty((_failure, page) => page > 0 && isSo(page));
const withoutStatus = inParameter('status', () => undefined);

export const CONTEXT_FAULTS = faultsOf({
  'pagination.every_item': {
    'of contact properties no more than ten pages are read': inTask(
      (_task, collection) => collection === 'contact-properties',
      endsAfter(10, Infinity),
    ),
  },
  'pagination.no_page_twice': {
    'before an item each page is requested twice': backward((driver) => {
      const { call } = driver;
      driver.call = async (asked) => {
        await call(asked);
        return call(asked);
      };
    }),
  },
  'pagination.before': {
    'before an item no more than five pages are read': backward(endsAfter(5, Infinity)),
  },
  'pagination.filter': {
    'without a limit later pages have no filter': inTask(
      (_task, _collection, { limit }) => limit === undefined,
      inQuery((query, page) => (page === 0 ? query : query.filter(([name]) => name !== 'status'))),
    ),
  },
  'pagination.empty': {
    'with a filter an empty list is an error': inTask(
      (_task, _collection, { status }) => status !== undefined,
      inPages(({ data }) => {
        if (data.length === 0) throw new Failure(404, 'not_found');
      }),
    ),
  },
  'pagination.no_loop': {
    'a list that stands still behind its second page is complete': (driver) => {
      const { page } = driver;
      let last: string | undefined;
      driver.page = async (...args) => {
        const it = await page(...args);
        const id = it.data.at(-1)?.id;
        if (args[3] > 2 && id === last) return EMPTY;
        last = id;
        return it;
      };
    },
  },
  'errors.application_error': {
    'a 500 of imports is an empty list': ofImports(asEmpty(({ status }) => status === 500)),
  },
  'errors.service_unavailable': {
    'an error of records is none': ofRecords(asEmpty(() => true)),
  },
  'errors.get': {
    'a record of HTML is an empty one': getsAs(({ status }) => status === 200, {}),
  },
  'errors.later_page': {
    'an error of the third page is the end': endsIfFailed((page) => page > 1),
    'with a filter an error of a later page is the end': inTask(
      (_task, _collection, { status }) => status !== undefined,
      endsIfFailed(() => true),
    ),
    'behind a cursor an error of a later page is the end': inTask(
      (_task, _collection, { after }) => after !== undefined,
      endsIfFailed(() => true),
    ),
  },
  'values.items': {
    'records with another property are rejected': inItems((item) => {
      if ('note' in item) throw new Failure(200, 'unreadable');
    }),
  },
  'requests.options': {
    'the status disabled is not sent': inTask((_task, _collection, { status }) => status === 'disabled', withoutStatus),
    'before an item contact properties have one page': inTask(
      (_task, collection, { before }) => collection === 'contact-properties' && before !== undefined,
      endsAfter(1, Infinity),
    ),
  },
  'requests.encoding': {
    'a semicolon ends an id': (driver) => {
      const { get } = driver;
      driver.get = (id) => get(id.replace(/;.*/, ''));
    },
    'a cursor before is not encoded': (driver) => {
      const { target } = driver;
      driver.target = (asked) => {
        const before = asked.query.find(([name]) => name === 'before')?.[1] ?? '';
        const raw = before.replaceAll(/[^!-~]/g, encodeURIComponent);
        return target(asked).replace(encodeURIComponent(before), raw);
      };
    },
  },
  'requests.base_path': {
    'before an item later pages have no path': backward(inOrigin(({ page }) => page > 0)),
    'records have no path': ofRecords(inOrigin(() => true)),
  },
  'requests.everywhere': {
    'below a path there is no key': (driver) => {
      if (new URL(driver.baseUrl).pathname !== '/') withoutKey(driver);
    },
    'records have no key': ofRecords(withoutKey),
    'retries accept XML': inRequest(({ headers }, { attempt }) => {
      if (attempt > 0) headers['accept'] = 'application/xml';
    }),
  },
});
