/** Faults of errors: failures that become lists, ends, or other failures. */
import { Failure } from '../client.ts';
import type { Driver, Item, Received } from '../client.ts';
import { EMPTY, asEmpty, backward, faultsOf, getsAs, inFailure, inParameter, reads } from './fault.ts';
import type { Inject } from './fault.ts';

/** Treats responses of a status to any request as an empty list, or `null`. */
const empty = (...statuses: readonly number[]): Inject => asEmpty(({ status }) => statuses.includes(status));
/** Ends a traversal where a page after the first fails with a status. */
const ends =
  (isSo: (failure: Failure) => boolean): Inject =>
  (driver) => {
    driver.interrupted = (failure) => {
      if (!(failure instanceof Failure) || !isSo(failure)) throw failure;
    };
  };
const endsBackward = (isSo: (failure: Failure) => boolean): Inject => backward(ends(isSo));
const renamed = (name: string, isSo: (failure: Failure) => boolean): Inject =>
  inFailure((it) => (isSo(it) ? new Failure(it.status, name) : it));
const restated = (status: number, isSo: (failure: Failure) => boolean): Inject =>
  inFailure((it) => (isSo(it) ? new Failure(status, it.name) : it));
/** Ends with another exit code after some errors. */
const exits =
  (code: number, isSo: (driver: Driver) => boolean = () => true): Inject =>
  (driver) => {
    const { fail } = driver;
    driver.fail = (failure) => {
      const normal = fail(failure);
      return isSo(driver) ? code : normal;
    };
  };
/** Prints nothing of some errors, and ends with success. */
const hides =
  (isSo: (failure: Failure, driver: Driver) => boolean): Inject =>
  (driver) => {
    const { fail } = driver;
    driver.fail = (failure) => (isSo(failure, driver) ? 0 : fail(failure));
  };
/** What becomes of a request whose time limit is over. */
const timedOut =
  (as: () => Received): Inject =>
  (driver) => {
    const { send } = driver;
    driver.send = async (sent) => {
      const received = await send(sent);
      return received.isLate === true ? as() : received;
    };
  };
const isJson = ({ text }: Received): boolean => /^\s*[{[]/.test(text);
/** @returns the items whose ids are in a text that is cut off. */
const itemsIn = (text: string): readonly Item[] =>
  [...text.matchAll(/"id":\s*"([^"]+)"/g)].map(([, id = '']) => ({ id }));

export const ERROR_FAULTS = faultsOf({
  'errors.missing_api_key': {
    'a 401 is an empty list': empty(401),
    'every 401 is invalid_api_key': renamed('invalid_api_key', ({ status }) => status === 401),
    'every error is reported as 500': restated(500, ({ status }) => status > 0),
    'the status of an error is lost': restated(0, ({ status }) => status > 0),
    'a failed request is reported with the status of success': restated(200, ({ status }) => status > 0),
    'the name of an error is the reason of HTTP': inFailure((it) => {
      const reasons: Readonly<Record<number, string>> = {
        401: 'Unauthorized',
        404: 'Not Found',
        422: 'Unprocessable Entity',
      };
      return new Failure(it.status, reasons[it.status] ?? it.name);
    }),
    'the name of an error is lost': inFailure(({ status }) => new Failure(status, status > 0 ? 'error' : 'network')),
    'errors are printed as JSON': (driver) => {
      driver.fail = ({ status, name }) => {
        driver.say(JSON.stringify({ error: { status, name } }));
        return 10;
      };
    },
  },
  'errors.late_page': {
    'a time limit is the end of a list': timedOut(() => ({
      ...{ status: 200, headers: {}, isComplete: true },
      text: JSON.stringify(EMPTY),
    })),
    'a time limit ends the traversal': (driver) => {
      let isOver = false;
      timedOut(() => {
        isOver = true;
        return { status: 504, headers: {}, text: '', isComplete: true };
      })(driver);
      driver.delay = () => undefined;
      driver.interrupted = (failure) => {
        if (!isOver) throw failure;
      };
    },
  },
  'errors.later_page': {
    'a 401 of the second page ends the traversal': ends(({ status }) => status === 401),
    'a 429 of the second page ends the traversal': ends(({ status }) => status === 429),
    'a 500 of the second page ends the traversal': ends(({ status }) => status === 500),
    'a 503 of the second page ends the traversal': ends(({ status }) => status === 503),
    'before an item, a 500 of the second page ends the traversal': endsBackward(({ status }) => status === 500),
    'before an item, a 429 of the second page ends the traversal': endsBackward(({ status }) => status === 429),
    'a connection that fails on the second page ends the traversal': ends(({ status }) => status === 0),
  },
  // What cannot be read, such as a truncated page.
  'errors.unexpected_body': {
    'a second page that is unreadable ends the traversal': ends(
      ({ status, name }) => status === 200 && name === 'unreadable',
    ),
  },
  'errors.invalid_api_key': {
    'every 401 is missing_api_key': renamed('missing_api_key', ({ status }) => status === 401),
  },
  'errors.not_found': {
    'a 404 of a get is null': getsAs(({ status }) => status === 404, null),
    'a 404 of a get prints nothing': hides(({ status }, { isTraversal }) => status === 404 && !isTraversal),
    'a 404 of a list is an empty list': empty(404),
    'a 404 is reported as 400': restated(400, ({ status }) => status === 404),
  },
  'errors.validation_error': {
    'a 422 is an empty list': empty(422),
    'a 422 is reported as 400': restated(400, ({ status }) => status === 422),
  },
  'errors.invalid_option': {
    'an invalid limit is corrected': inParameter('limit', (it) =>
      String(Math.min(Math.max(Math.trunc(Number(it)) || 1, 1), 100)),
    ),
    'a limit is sent as an integer': inParameter('limit', (it) => String(Math.trunc(Number(it)))),
    'before is not sent with after': (driver) => {
      const { query } = driver;
      driver.query = ({ before, ...others }, ...args) =>
        query(others.after === undefined && before !== undefined ? { before, ...others } : others, ...args);
    },
    'a status is sent in lower case': inParameter('status', (it) => it.toLowerCase()),
    'an unknown status is not sent': inParameter('status', (it) => {
      const known = ['enabled', 'disabled', 'queued', 'in_progress', 'completed', 'failed'];
      return known.includes(it) ? it : undefined;
    }),
  },
  'errors.rate_limit_exceeded': {
    'a 429 is an empty list': empty(429),
    'a 429 is reported as 503': restated(503, ({ status }) => status === 429),
  },
  'errors.application_error': {
    'a 500 is an empty list': empty(500),
    'a 500 is a crash': inFailure((it) => {
      if (it.status === 500) throw it;
      return it;
    }),
  },
  'errors.service_unavailable': {
    'a 503 is an empty list': empty(503),
    'a 503 is reported as 500': restated(500, ({ status }) => status === 503),
  },
  'driver.exit_code': {
    'errors exit with 0': exits(0),
    'errors exit with 1': exits(1),
    'errors of later pages exit with 0': (driver) => {
      const { interrupted } = driver;
      let isLater = false;
      driver.interrupted = (failure) => {
        isLater = true;
        interrupted(failure);
      };
      exits(0, () => isLater)(driver);
    },
    'errors of a traversal exit with 0': exits(0, ({ isTraversal }) => isTraversal),
  },
  'errors.not_json': {
    'HTML with 200 is an empty list': reads((it) => (it.status === 200 && it.text.startsWith('<') ? EMPTY : undefined)),
    'a body that is not JSON is an empty list': reads((it) =>
      it.status === 200 && it.isComplete && !isValid(it.text) ? EMPTY : undefined,
    ),
    'a body that is not JSON is a crash': reads(({ status, isComplete, text }) => {
      if (isComplete && status === 200) JSON.parse(text);
    }),
  },
  'errors.proxy_html': {
    'HTML with another status is an empty list': reads((it) =>
      it.status !== 200 && it.text.startsWith('<') ? EMPTY : undefined,
    ),
    'HTML with another status is reported with status 200': reads((it) => {
      if (it.status > 200 && !isJson(it)) throw new Failure(200, 'unreadable');
    }),
    'an error without a name has one': reads((it) => {
      if (it.status > 200 && isJson(it) && !it.text.includes('"name"'))
        throw new Failure(it.status, 'application_error');
    }),
    'HTML is a crash': reads(({ text }) => {
      if (text.startsWith('<')) throw new SyntaxError("Unexpected token '<'");
    }),
    'a body that is not JSON is reported as a network failure': inFailure((it) =>
      it.name === 'unreadable' ? new Failure(0, 'network') : it,
    ),
  },
  'errors.truncated': {
    'a truncated body is an empty list': reads((it) => (it.status === 200 && !it.isComplete ? EMPTY : undefined)),
    'what is there of a truncated body is printed': reads((it) =>
      it.status === 200 && !it.isComplete ? { ...EMPTY, data: itemsIn(it.text) } : undefined,
    ),
    'a truncated body is reported as a failure without a response, with status 200': reads(({ status, isComplete }) => {
      if (status > 0 && !isComplete) throw new Failure(200, 'network');
    }),
  },
  'errors.reset': {
    'a failed connection is an empty list': empty(0),
    'a failed connection prints nothing': hides(({ status }) => status === 0),
    'a failed connection is reported as 500': inFailure((it) =>
      it.status === 0 ? new Failure(500, 'application_error') : it,
    ),
    'a failed connection is a crash': inFailure((it) => {
      if (it.status === 0) throw new Error('ECONNRESET');
      return it;
    }),
  },
  'pagination.vanished_cursor': {
    'before an item, every error after the first page ends the traversal': endsBackward(() => true),
    'before an item, a 404 of the second page ends the traversal': endsBackward(({ status }) => status === 404),
    'every error after the first page ends the traversal': ends(() => true),
    'every error after the first page is a page without items': asEmpty((_, page) => page > 0),
    'after an error of the second page nothing is printed': (driver) => {
      const { listAll, print } = driver;
      driver.listAll = async (...args) => {
        const all: string[] = [];
        driver.print = (ids) => all.push(...ids);
        try {
          await listAll(...args);
          print(all);
        } catch (error) {
          if (all.length === 0) throw error;
        }
      };
    },
  },
  'errors.get': {
    'an error of a get that is not a 404 is null': getsAs(({ status }) => ![404, 422].includes(status), null),
    'HTML is null for a get': getsAs(({ name }) => name === 'unreadable', null),
  },
  'errors.list_all': {
    'an error of the first page of a traversal is an empty list': (driver) => {
      const { listAll } = driver;
      driver.listAll = async (...args) => {
        const pages: unknown[] = [];
        const { print } = driver;
        driver.print = (ids) => {
          pages.push(ids);
          print(ids);
        };
        try {
          await listAll(...args);
        } catch (error) {
          const isClient = error instanceof Failure && [404, 422].includes(error.status);
          if (pages.length > 0 || isClient) throw error;
        }
      };
    },
  },
});

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
