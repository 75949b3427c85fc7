/** Correct clients of many kinds. None of the differences is a fault. */
import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { Failure } from './client.ts';
import type { Driver, Page, Received } from './client.ts';
import type { Inject } from './faults/fault.ts';
import {
  atEnd,
  backward,
  follows,
  inIds,
  inItems,
  inRecord,
  inRequest,
  inTask,
  inTimestamps,
  reads,
} from './faults/fault.ts';

interface Variant {
  readonly name: string;
  readonly inject: Inject;
  /** Whether the client supports a part of the tasks. */
  readonly isPartial: boolean;
}

const variantsOf = (variants: Readonly<Record<string, Inject>>, isPartial = false): readonly Variant[] =>
  Object.entries(variants).map(([name, inject]) => ({ name, inject, isPartial }));
/** Cannot do a task. */
const without =
  (task: string): Inject =>
  (driver) => {
    const { run } = driver;
    driver.run = (args) => run(args[0] === task ? [] : args);
  };

const retries =
  (delay: (received: Received, attempt: number, driver: Driver) => number | undefined): Inject =>
  (driver) => {
    driver.delay = (received, attempt) => delay(received, attempt, driver);
  };
const isTemporary = ({ status, isComplete }: Received): boolean => !isComplete || status === 429 || status >= 500;
const header = (name: string, value: string): Inject => inRequest(({ headers }) => (headers[name] = value));
const OFFSET = /([+-])(\d\d)(?::(\d\d))?$/;
/** @returns a timestamp in UTC, with so many fractional digits, or those that it has. */
function inUtc(text: string, digits?: number): string {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const whole = text
    .replace(/\.\d+/, '')
    .replace(' ', 'T')
    .replace(OFFSET, (_, sign: string, h: string, m = '00') => `${sign}${h}:${String(m)}`);
  const seconds = new Date(whole).toISOString().slice(0, 19);
  const all = digits === undefined ? fraction : fraction.padEnd(digits, '0');
  return `${seconds}${all === '' ? '' : `.${all}`}`;
}
/** Goes on from an earlier item if the one at the cursor has vanished. */
const recovers: Inject = (driver) => {
  const { page } = driver;
  const passed: string[] = [];
  driver.page = async (collection, options, cursor, number) => {
    let from = cursor;
    for (;;) {
      try {
        const it = await page(collection, options, from, number);
        const ids = it.data.map(({ id }) => id);
        const fresh: Page = { ...it, data: it.data.filter(({ id }) => !passed.includes(id)) };
        passed.push(...(options.before === undefined ? ids : ids.toReversed()));
        return fresh;
      } catch (error) {
        const isGone = error instanceof Failure && error.status === 404 && from !== undefined && number > 0;
        const at = passed.indexOf(from ?? '');
        if (!isGone || at < 1) throw error;
        from = passed[at - 1];
      }
    }
  };
};

const WHOLE = variantsOf({
  'as it is': () => undefined,
  'no retries': retries(() => undefined),
  'one retry, after Retry-After of no more than ten seconds': retries((it, attempt, driver) => {
    const ms = driver.retryAfter(it.headers['retry-after']) ?? 100;
    return isTemporary(it) && attempt < 1 && ms <= 10_000 ? ms : undefined;
  }),
  'retries of 429 and 503 alone': retries((it, attempt, driver) => {
    const ms = driver.retryAfter(it.headers['retry-after']) ?? 0;
    return [429, 503].includes(it.status) && attempt < 3 && ms <= 10_000 ? ms : undefined;
  }),
  'retries of 429 alone': retries((it, attempt, driver) => {
    const ms = driver.retryAfter(it.headers['retry-after']) ?? 1000;
    return it.status === 429 && attempt < 4 && ms <= 10_000 ? ms : undefined;
  }),
  'retries of 429 alone, never after a Retry-After that is no number': retries((it, attempt, driver) => {
    const ms = driver.retryAfter(it.headers['retry-after']);
    return it.status === 429 && attempt < 1 && ms !== undefined && ms <= 10_000 ? ms : undefined;
  }),
  'retries with jitter after Retry-After': (driver) => {
    const { delay } = driver;
    driver.delay = (...args) => {
      const ms = delay(...args);
      return ms === undefined ? undefined : ms * 1.2 + 50;
    };
  },
  'six retries of connections': retries((it, attempt) => (it.status === 0 && attempt < 6 ? 10 : undefined)),
  'a Retry-After that is too long is cut to a second, once': retries((it, attempt, driver) => {
    const ms = driver.retryAfter(it.headers['retry-after']);
    return ms !== undefined && ms <= 3000 && attempt < 2 ? ms : undefined;
  }),
  'no keep-alive': (driver) => {
    driver.agent = new Agent({ keepAlive: false });
  },
  'Connection: close': header('connection', 'close'),
  'more headers': inRequest(({ headers }) =>
    Object.assign(headers, {
      'accept-language': 'en',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'x-request-id': 'client-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }),
  ),
  'compressed responses are accepted': (driver) => {
    header('accept-encoding', 'gzip')(driver);
    const { decode } = driver;
    driver.decode = (bytes, headers) =>
      decode(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes, headers);
  },
  'no Accept and no User-Agent': inRequest(({ headers }) => {
    delete headers['accept'];
    delete headers['user-agent'];
  }),
  'the scheme in lower case': inRequest(
    ({ headers }, _, { apiKey }) => (headers['authorization'] = `bearer ${apiKey}`),
  ),
  'without a key no header': inRequest(({ headers }, _, { apiKey }) => {
    if (apiKey === '') delete headers['authorization'];
  }),
  'limits are always sent': (driver) => {
    const { page } = driver;
    driver.page = (collection, options, ...args) =>
      page(collection, { limit: collection === 'contact-imports' ? '10' : '20', ...options }, ...args);
  },
  'parameters in another order': (driver) => {
    const { query } = driver;
    driver.query = (...args) => query(...args).toReversed();
  },
  'hyphens are encoded once': (driver) => {
    driver.target = ({ path, query }) => {
      const search = query
        .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('-', '%2D')}`)
        .join('&');
      return search === '' ? path : `${path}?${search}`;
    };
  },
  'a question mark without parameters': (driver) => {
    driver.target = ({ path, query }) => `${path}?${new URLSearchParams(query.map(([...it]) => it)).toString()}`;
  },
  'a retry has its parameters in another order': (driver) => {
    const { target } = driver;
    driver.target = (asked) => target(asked.attempt % 2 === 0 ? asked : { ...asked, query: asked.query.toReversed() });
  },
  'ids of requests in upper case': (driver) => {
    const { query, get } = driver;
    driver.query = (...args) =>
      query(...args).map(([name, value]) => [
        name,
        name === 'after' || name === 'before' ? value.toUpperCase() : value,
      ]);
    driver.get = (id) => get(id.toUpperCase());
  },
  'every character of an id in a path is encoded': (driver) => {
    driver.get = (id) => {
      const encoded = Array.from(Buffer.from(id), (it) => `%${it.toString(16).padStart(2, '0')}`).join('');
      return driver.call({ path: `${driver.path('contact-imports')}/${encoded}`, query: [], page: 0, attempt: 0 });
    };
  },
  'paths begin with two slashes': inRequest((sent) => (sent.target = `/${sent.target}`)),
  'the target is the whole URL': inRequest((sent, _, { baseUrl }) => (sent.target = `${baseUrl}${sent.target}`)),
  'the target has a fragment': inRequest((sent) => (sent.target += '#top')),
  'every request is preceded by HEAD': (driver) => {
    const { send } = driver;
    driver.send = async (sent) => {
      await send({ ...sent, method: 'HEAD' });
      return send(sent);
    };
  },
  'every task begins with OPTIONS, without a key': (driver) => {
    const { run } = driver;
    driver.run = async (args) => {
      await driver.send({ method: 'OPTIONS', target: '/automations', headers: {} });
      return run(args);
    };
  },
  'conditional requests': header('if-none-match', '"none", W/"none"'),
  'several types are accepted': header('accept', 'application/problem+json, Application/JSON;q=0.9, */*;q=0.1'),
  'all ids at the end': atEnd((pages) => pages.flat(), true),
  'no ids before an error': atEnd((pages) => pages.flat(), false),
  'backward from older to newer': inTask(
    (task, _collection, { before }) => task === 'list-all' && before !== undefined,
    inIds((ids) => ids.toReversed()),
  ),
  'backward, the newest first': backward(atEnd((pages) => pages.toReversed().flat(), false)),
  'an item that was printed is not printed again': (driver) => {
    const { print } = driver;
    const seen = new Set<string>();
    driver.print = (ids) => {
      print(ids.filter((id) => !seen.has(id)));
      for (const id of ids) seen.add(id);
    };
  },
  'a cursor that has vanished is recovered': recovers,
  'a server that does not move on is a crash': (driver) => {
    driver.stalled = () => {
      throw new TypeError('The server does not move on');
    };
  },
  'a page of another shape is a crash': (driver) => {
    driver.toPage = (body) => {
      const page = body as Page; // Which a crash shows to be wrong.
      page.data.map(({ id }) => id);
      page.has_more.valueOf();
      return page;
    };
  },
  'redirects are followed, to other origins without the key': follows((from, to) => from.origin === to.origin),
  'redirects are followed, to other hosts without the key': follows((from, to) => from.hostname === to.hostname),
  'redirects of a get alone are followed, without the key': follows(
    () => false,
    ({ target }) => !target.includes('?'),
  ),
  'a Retry-After of a date is obeyed, if it is not over': (driver) => {
    const { retryAfter } = driver;
    driver.retryAfter = (value) => {
      const date = Date.parse(value ?? '');
      return retryAfter(value) ?? (Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0));
    };
  },
  'a body that cannot be read is retried once': retries((it, attempt, driver) => {
    if (it.status === 200 && attempt === 0 && !/^[{[]/.test(it.text)) return 5;
    const ms = driver.retryAfter(it.headers['retry-after']) ?? 20;
    return isTemporary(it) && attempt < 2 && ms <= 5000 ? ms : undefined;
  }),
  'lines end with CRLF': (driver) => {
    driver.say = (text) => {
      driver.host.write(`${text}\r\n`);
    };
  },
  'the output of a process arrives in pieces': (driver) => {
    driver.say = (text) => {
      for (const it of `${text}\n`.match(/[^]{1,7}/g) ?? []) driver.host.write(it);
    };
  },
  'a log on standard error': (driver) => {
    const { build } = driver;
    driver.build = (asked) => {
      driver.host.writeError(`GET ${asked.path}\n`);
      return build(asked);
    };
  },
  'an error on standard error': (driver) => {
    const { fail } = driver;
    driver.fail = (failure) => {
      driver.say = (text) => driver.host.writeError(`${text}\n`);
      return fail(failure);
    };
  },
  'the properties of a record in another order': inRecord((record) => {
    for (const [name, value] of Object.entries(record).toReversed()) {
      Reflect.deleteProperty(record, name);
      record[name] = value;
    }
  }),
  'unknown properties of a record are left out': inRecord((record) => {
    const known = ['object', 'id', 'status', 'created_at', 'completed_at', 'counts'];
    for (const name of Object.keys(record)) if (!known.includes(name)) Reflect.deleteProperty(record, name);
  }),
  'JSON with spaces': (driver) => {
    driver.write = (record) => JSON.stringify(record, undefined, 1).replaceAll(/\n */g, ' ');
  },
  'JSON in ASCII': (driver) => {
    const { write } = driver;
    driver.write = (record) =>
      write(record).replaceAll(/[^ -~]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
  'JSON as PHP and Go escape it': (driver) => {
    const { write } = driver;
    driver.write = (record) =>
      write(record)
        .replaceAll('/', '\\/')
        .replaceAll(/[<>&\u2028\u2029]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
  'the properties of items in another order, with more of them': inItems((item) => {
    for (const [name, value] of Object.entries(item).toReversed()) {
      Reflect.deleteProperty(item, name);
      item[name] = value;
    }
    item['label'] = 'item';
  }),
  'timestamps of items in UTC': inItems((item) => {
    for (const name of ['created_at', 'updated_at']) if (name in item) item[name] = `${inUtc(String(item[name]), 6)}Z`;
  }),
  'a body is decoded as it arrives': (driver) => {
    driver.join = (chunks) => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return Buffer.from(chunks.map((it) => decoder.decode(it, { stream: true })).join('') + decoder.decode());
    };
  },
  'timestamps in UTC, as RFC 3339 has them': inTimestamps((it) => `${inUtc(it)}Z`),
  'timestamps in UTC with six digits': inTimestamps((it) => `${inUtc(it, 6)}+00:00`),
  'timestamps in UTC with nine digits': inTimestamps((it) => `${inUtc(it, 9)}Z`),
  'timestamps with T and their offset': inTimestamps((it) => it.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')),
  'unknown headers and types are logged': (driver) => {
    reads(({ headers }) => {
      driver.host.writeError(Object.keys(headers).join(' '));
    })(driver);
  },
  'the body is checked before the status': reads(({ status, isComplete }) => {
    if (status > 0 && !isComplete) throw new Failure(status, 'unreadable');
  }),
});
const PARTIAL = variantsOf(
  {
    'no get': without('get'),
    'no list': without('list'),
    'no list-all': without('list-all'),
    'no records': without('records'),
    'an unknown task is list-all': (driver) => {
      const { listAll } = driver;
      driver.records = listAll;
    },
    'an unknown task is list': (driver) => {
      driver.records = driver.list;
    },
    'an unknown task is get': (driver) => {
      driver.records = async (collection) => {
        driver.say(driver.write(await driver.get(collection)));
      };
    },
    'an unknown task is wrong usage': (driver) => {
      driver.records = () => Promise.reject(new TypeError('usage: list, list-all or get'));
    },
    'an unknown task does nothing': (driver) => {
      driver.records = () => Promise.resolve();
    },
  },
  true,
);
export const VARIANTS: readonly Variant[] = [...WHOLE, ...PARTIAL];
