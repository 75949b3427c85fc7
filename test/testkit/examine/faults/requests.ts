/** Faults of requests: the key, paths, parameters, methods, bodies. */
import { faultsOf, inRequest } from './fault.ts';
import type { Inject } from './fault.ts';
import type { Asked, Driver, Options, Sent } from '../client.ts';

type Is = (asked: Asked) => boolean;
const isGet: Is = ({ path }) => path.split('/').length > 3;
const isList: Is = (asked) => !isGet(asked);
const isLater: Is = ({ page }) => page > 0;
const where = (isSo: Is, edit: (sent: Sent, asked: Asked, driver: Driver) => unknown): Inject =>
  inRequest((sent, asked, driver) => (isSo(asked) ? edit(sent, asked, driver) : undefined));
const always: Is = () => true;
/** Sends a body: Node gives that of a GET no length. */
const body = (isSo: Is, text: (driver: Driver, asked: Asked) => string): Inject =>
  where(isSo, (sent, asked, driver) => {
    sent.body = text(driver, asked);
    sent.headers['content-length'] = String(Buffer.byteLength(sent.body));
  });
/** Adds text to the query. */
const adds = (isSo: Is, text: string | ((driver: Driver) => string)): Inject =>
  where(isSo, (sent, _, driver) => {
    sent.target += `${sent.target.includes('?') ? '&' : '?'}${typeof text === 'string' ? text : text(driver)}`;
  });
const header = (isSo: Is, name: string, value: (driver: Driver) => string): Inject =>
  where(isSo, ({ headers }, _, driver) => (headers[name] = value(driver)));
/** Writes parameters, or the id in the path, in another way. */
const writes =
  (encode: (value: string) => string): Inject =>
  (driver) => {
    driver.target = ({ path, query }) => {
      const search = query.map(([name, value]) => `${name}=${encode(value)}`).join('&');
      return search === '' ? path : `${path}?${search}`;
    };
  };
const ids =
  (encode: (id: string) => string): Inject =>
  (driver) => {
    driver.get = (id) =>
      driver.call({ path: `${driver.path('contact-imports')}/${encode(id)}`, query: [], page: 0, attempt: 0 });
  };
/** Sends another request before those of a task. */
const first =
  (target: string): Inject =>
  (driver) => {
    const { run } = driver;
    driver.run = async (args) => {
      const { headers } = driver.build({ path: '/', query: [], page: 0, attempt: 0 });
      await driver.send({ method: 'GET', target, headers });
      return run(args);
    };
  };
/** Sends a parameter by another name. */
const renames =
  (from: string, to: string): Inject =>
  (driver) => {
    const { query } = driver;
    driver.query = (...args) => query(...args).map(([name, value]) => [name === from ? to : name, value]);
  };
/** Drops an option of one list. */
const withoutOption =
  (name: string, of: string, isSo: (page: number, options: Options) => boolean = () => true): Inject =>
  (driver) => {
    const { page } = driver;
    driver.page = (collection, options, cursor, number) => {
      const isDropped = collection === of && isSo(number, options);
      const kept = Object.entries(options).filter(([it]) => !isDropped || it !== name);
      return page(collection, Object.fromEntries(kept), cursor, number);
    };
  };
/** Changes the path of every request. */
const inPath =
  (edit: (path: string) => string): Inject =>
  (driver) => {
    const { target } = driver;
    driver.target = (asked) => target({ ...asked, path: edit(asked.path) });
  };
const keyOf = ({ apiKey }: Driver): string => apiKey;

export const REQUEST_FAULTS = faultsOf({
  'driver.runs': {
    'the key is in the query too': adds(always, (driver) => `api_key=${driver.apiKey}`),
    'the key has no scheme': header(always, 'authorization', keyOf),
    'the scheme is Basic': header(always, 'authorization', ({ apiKey }) => `Basic ${btoa(`${apiKey}:`)}`),
    'the key has quotes': header(always, 'authorization', ({ apiKey }) => `Bearer "${apiKey}"`),
    'a parameter defeats caches': adds(always, '_=1700000000'),
    'a status that is not given is sent empty': (driver) => {
      const { query } = driver;
      driver.query = (options, ...args) => query({ status: '', ...options }, ...args);
    },
    'a cursor that is not given is sent empty': (driver) => {
      const { query } = driver;
      driver.query = (options, cursor, page) => query(options, cursor ?? options.after ?? options.before ?? '', page);
    },
    'a cursor that is not given is undefined': (driver) => {
      const { query } = driver;
      driver.query = (options, cursor, page) =>
        query(options, cursor ?? options.after ?? options.before ?? 'undefined', page);
    },
    'the limit is written as an array': renames('limit', 'limit[]'),
    'the limit is named page_size': renames('limit', 'page_size'),
    'lists are requested by POST': where(isList, (sent) => (sent.method = 'POST')),
    'paths end with a slash': inPath((path) => `${path}/`),
    'paths have a version': inPath((path) => `/v1${path}`),
    'paths are in upper case': inPath((path) => path.toUpperCase()),
  },
  'requests.key_elsewhere': {
    'the key is in the query of a get': adds(isGet, (driver) => `api_key=${driver.apiKey}`),
    'the key is in User-Agent too': header(always, 'user-agent', (driver) => `driver (${driver.apiKey})`),
    'the key is in X-Api-Key too': header(always, 'x-api-key', keyOf),
    'the key is in a cookie too': header(always, 'cookie', (driver) => `key=${driver.apiKey}`),
    'the key is in Referer of later pages': header(
      isLater,
      'referer',
      (driver) => `http://localhost/?key=${driver.apiKey}`,
    ),
    'the key is encoded in a header too': header(isGet, 'x-auth', ({ apiKey }) =>
      Buffer.from(apiKey).toString('base64'),
    ),
    'the key is printed to stderr at a 422': (driver) => {
      const { fail, host } = driver;
      driver.fail = (failure) => {
        if (failure.status === 422) host.writeError(`failed with ${driver.apiKey}\n`);
        return fail(failure);
      };
    },
    'the key is in a header of retries': where(
      ({ attempt }) => attempt > 0,
      ({ headers }, _, { apiKey }) => (headers['x-api-key'] = apiKey),
    ),
    'the key is printed to stderr': (driver) => {
      const { run } = driver;
      driver.run = (args) => {
        driver.host.writeError(`using the key ${driver.apiKey}\n`);
        return run(args);
      };
    },
  },
  'pagination.every_item': {
    'the key is in the query of later pages': adds(isLater, (driver) => `key=${driver.apiKey}`),
    'later pages have no key': where(isLater, ({ headers }) => delete headers['authorization']),
    'later pages have the number of the page': adds(isLater, 'page=2'),
    'a limit that is not given is 0': (driver) => {
      const { query } = driver;
      driver.query = (options, ...args) => query({ limit: '0', ...options }, ...args);
    },
    'the path of imports is contact-imports': inPath((path) => path.replace('/contacts/imports', '/contact-imports')),
  },
  'requests.no_body': {
    'the key is in a body': body(isGet, ({ apiKey }) => `key=${apiKey}`),
    'every request has a body': body(always, () => '{}'),
    'a get has a body': body(isGet, () => '{}'),
    'later pages have their parameters in a body': body(isLater, (_, { query }) => JSON.stringify(query)),
  },
  'requests.key': {
    'a get has no key': where(isGet, ({ headers }) => delete headers['authorization']),
    'the scheme of a get is Token': header(isGet, 'authorization', ({ apiKey }) => `Token ${apiKey}`),
  },
  'pagination.no_page_twice': {
    'the first request has no key': (driver) => {
      const { send } = driver;
      driver.send = async (sent) => {
        const { authorization: _key, ...headers } = sent.headers;
        const received = await send({ ...sent, headers });
        return received.status === 401 ? send(sent) : received;
      };
    },
  },
  'requests.parameters': {
    'a get has a parameter': adds(isGet, 'expand=counts'),
  },
  'pagination.filter': {
    'the status of imports is not sent': withoutOption('status', 'contact-imports'),
    'later pages of imports have no filter': withoutOption('status', 'contact-imports', (page) => page > 0),
    'the status is written as an array': renames('status', 'status[]'),
    'the filter is named filter': renames('status', 'filter'),
  },
  'pagination.limit': {
    'the limit of properties is not sent': withoutOption('limit', 'contact-properties'),
    'parameters of later pages are sent twice': where(isLater, (sent) => {
      const [path = '', search = ''] = sent.target.split('?');
      sent.target = `${path}?${search}&${search}`;
    }),
    'every task begins with a list of one automation': first('/automations?limit=1'),
  },
  'requests.path': {
    'every task begins with a request for the contract': first('/openapi.yaml'),
    'the path of a get ends with a slash': inPath((path) => (path.split('/').length > 3 ? `${path}/` : path)),
    'a get searches the list': (driver) => {
      const { get } = driver;
      driver.get = async (id) => {
        for (let cursor: string | undefined, page = 0; ; page += 1) {
          const it = await driver.page('contact-imports', { limit: '100' }, cursor, page);
          const found = it.data.find((item) => item.id === id);
          if (found !== undefined) return found;
          if (!it.has_more) return get(id);
          cursor = it.data.at(-1)?.id;
        }
      };
    },
    'a list retrieves each import': (driver) => {
      const { list } = driver;
      driver.list = async (collection, options) => {
        const { print } = driver;
        let all: readonly string[] = [];
        driver.print = (them) => (all = them);
        await list(collection, options);
        if (collection === 'contact-imports') for (const id of all) await driver.get(id);
        print(all);
      };
    },
  },
  'requests.encoding': {
    'parameters are not encoded': writes((it) => it.replaceAll(' ', '+')),
    'parameters are encoded twice': writes((it) => encodeURIComponent(encodeURIComponent(it))),
    'the id is not encoded': ids((id) => id.replaceAll(' ', '')),
    'the id is cut after 36 characters': ids((id) => encodeURIComponent(id.slice(0, 36))),
    'the id is encoded twice': ids((id) => encodeURIComponent(encodeURIComponent(id))),
    'spaces of the id are plus signs': ids((id) => encodeURIComponent(id).replaceAll('%20', '+')),
    'the slash of an id is not encoded': ids((id) => encodeURIComponent(id).replaceAll('%2F', '/')),
    'the id is cut at a question mark': ids((id) => encodeURIComponent(id.split('?')[0] ?? '')),
  },
  'pagination.cursor': {
    'hyphens of parameters are encoded twice': writes((it) => it.replaceAll('-', '%252D')),
  },
  'requests.method': {
    'a record is requested by POST': where(isGet, (sent) => (sent.method = 'POST')),
  },
  'requests.accept': {
    'Accept is that of a browser page': header(always, 'accept', () => 'text/html'),
    'Accept excludes JSON': header(always, 'accept', () => 'text/xml, application/json;q=0'),
  },
  'pagination.before': {
    'before is not sent for one page of imports': (driver) => {
      const { list } = driver;
      driver.list = (collection, { before, ...others }) =>
        list(collection, collection === 'contact-imports' || before === undefined ? others : { before, ...others });
    },
  },
  'requests.options': {
    'later pages of imports before one have no filter': withoutOption(
      'status',
      'contact-imports',
      (page, options) => page > 0 && 'before' in options,
    ),
    'the cursor before properties is the last item': (driver) => {
      const { page, cursor } = driver;
      let isOfProperties = false;
      driver.page = (collection, ...args) => {
        isOfProperties = collection === 'contact-properties';
        return page(collection, ...args);
      };
      driver.cursor = (it, isBackward, ...args) => cursor(it, isBackward && !isOfProperties, ...args);
    },
  },
});
