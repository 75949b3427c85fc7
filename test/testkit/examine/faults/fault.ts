/** What a fault is, and changes of the driver that several make. */
import { Driver, Failure } from '../client.ts';
import type { Asked, Item, Options, Page, Query, Received, Sent } from '../client.ts';

export type Inject = (driver: Driver) => void;

export interface Fault {
  /** The fault, as a sentence. */
  readonly name: string;
  /** The rule that must be named first. */
  readonly rule: string;
  readonly inject: Inject;
}

/** @param faults by their names, below the rule that must be named first. */
export const faultsOf = (faults: Readonly<Record<string, Readonly<Record<string, Inject>>>>): readonly Fault[] =>
  Object.entries(faults).flatMap(([rule, named]) =>
    Object.entries(named).map(([name, inject]) => ({ name, rule, inject })),
  );

/** Changes every request. */
export const inRequest =
  (edit: (sent: Sent, asked: Asked, driver: Driver) => unknown): Inject =>
  (driver) => {
    const { build } = driver;
    driver.build = (asked) => {
      const sent = build(asked);
      edit(sent, asked, driver);
      return sent;
    };
  };

/** Changes the parameters. */
export const inQuery =
  (edit: (query: Query, page: number, driver: Driver) => Query): Inject =>
  (driver) => {
    const { query } = driver;
    driver.query = (options, cursor, page) => edit(query(options, cursor, page), page, driver);
  };

/** Sends a parameter with another value, or not at all. */
export const inParameter = (parameter: string, edit: (value: string) => string | undefined): Inject =>
  inQuery((query) =>
    query.flatMap(([name, value]) => {
      const sent = name === parameter ? edit(value) : value;
      return sent === undefined ? [] : [[name, sent] as const];
    }),
  );

/** Makes a fault in some tasks alone. */
export const inTask =
  (isSo: (task: string, collection: string, options: Options) => boolean, inject: Inject): Inject =>
  (driver) => {
    const { run } = driver;
    driver.run = (args) => {
      const [task = '', collection = '', ...flags] = args;
      const options = Object.fromEntries(flags.map((it, at) => [it.replace(/^--/, ''), flags[at + 1]]));
      if (isSo(task, collection, options)) inject(driver);
      return run(args);
    };
  };
export const backward = (inject: Inject): Inject =>
  inTask((_task, _collection, { before }) => before !== undefined, inject);

/** Ends a traversal after some pages or items. */
export const endsAfter =
  (pages: number, items: number): Inject =>
  (driver) => {
    const { isLast } = driver;
    let count = 0;
    driver.isLast = (page, at, options) => {
      count += page.data.length;
      return at + 1 >= pages || count >= items || isLast(page, at, options);
    };
  };

/** Retries 429 and nothing else, as many small clients do. @param inject the fault of its retries. */
export const of429 =
  (inject: Inject): Inject =>
  (driver) => {
    inject(driver);
    const { delay } = driver;
    driver.delay = (received, attempt) => (received.status === 429 ? delay(received, attempt) : undefined);
  };

const MAX_HOPS = 5;
/** Follows redirects, or some of them. @param keepsKey whether the key is sent to where a redirect leads. */
export const follows =
  (
    keepsKey: (from: URL, to: URL) => boolean,
    isFollowed: (sent: Sent, received: Received) => boolean = () => true,
  ): Inject =>
  (driver) => {
    const { send, host, baseUrl } = driver;
    driver.send = async (sent) => {
      let received = await send(sent);
      for (let hop = 0; hop < MAX_HOPS; hop += 1) {
        const { location } = received.headers;
        if (received.status < 300 || received.status > 399 || location === undefined) return received;
        if (!isFollowed(sent, received)) return received;
        const from = new URL(baseUrl);
        const to = new URL(location, from);
        const { authorization = '', ...others } = sent.headers;
        const there = new Driver({ ...host, env: { ROLLCALL_BASE_URL: to.origin } });
        const headers = keepsKey(from, to) ? { ...others, authorization } : others;
        received = await there.send({ ...sent, headers, target: to.pathname + to.search });
        there.agent.destroy();
      }
      return received;
    };
  };

/** Replaces every response. */
export const inResponse =
  (edit: (received: Received, asked: Received) => Partial<Received>): Inject =>
  (driver) => {
    const { send } = driver;
    driver.send = async (sent) => {
      const received = await send(sent);
      return { ...received, ...edit(received, received) };
    };
  };

/** Reads some responses as another value, or fails at them. */
export const reads =
  (read: (received: Received) => unknown): Inject =>
  (driver) => {
    const normal = driver.read;
    driver.read = (received) => read(received) ?? normal(received);
  };

/** Looks at every page that is read, and may fail at it. */
export const inPages =
  (look: (page: Page) => unknown): Inject =>
  (driver) => {
    const { toPage } = driver;
    driver.toPage = (body) => {
      const page = toPage(body);
      look(page);
      return page;
    };
  };

/** Fails at pages that have such an item. */
export const failsAt = (isSo: (item: Item) => boolean, error: () => Error): Inject =>
  inPages(({ data }) => {
    if (data.some(isSo)) throw error();
  });

/** Leaves out such items. */
export const drops =
  (isSo: (item: Item) => boolean): Inject =>
  (driver) => {
    const { ids } = driver;
    driver.ids = (page, at) => ids({ ...page, data: page.data.filter((it) => !isSo(it)) }, at);
  };

/** Replaces what is printed. */
export const prints =
  (edit: (ids: readonly string[]) => readonly string[]): Inject =>
  (driver) => {
    const { print } = driver;
    driver.print = (ids) => {
      print(edit(ids));
    };
  };

/** Prints a traversal at its end, from the ids of its pages. @param isPrinted whether it is printed after an error too. */
export const atEnd =
  (edit: (pages: readonly (readonly string[])[]) => readonly string[], isPrinted: boolean): Inject =>
  (driver) => {
    const { print, listAll } = driver;
    driver.listAll = async (...args) => {
      const pages: (readonly string[])[] = [];
      driver.print = (ids) => pages.push(ids);
      try {
        await listAll(...args);
      } catch (error) {
        if (isPrinted) print(edit(pages));
        throw error;
      }
      print(edit(pages));
    };
  };

/** Replaces what is printed of each page. */
export const inIds =
  (edit: (ids: readonly string[], page: number, data: readonly Item[]) => readonly string[]): Inject =>
  (driver) => {
    const { ids } = driver;
    driver.ids = (it, page) => edit(ids(it, page), page, it.data);
  };

/** Replaces the last word on whether a page is the last. */
export const last =
  (isLast: Driver['isLast']): Inject =>
  (driver) => {
    driver.isLast = isLast;
  };

/** Treats pages that fail so as the end of the list. */
export const asEmpty =
  (isSo: (failure: Failure, page: number) => boolean): Inject =>
  (driver) => {
    const { page } = driver;
    driver.page = async (...args) => {
      try {
        return await page(...args);
      } catch (error) {
        if (error instanceof Failure && isSo(error, args[3])) return EMPTY;
        throw error;
      }
    };
  };
export const EMPTY = { object: 'list', data: [], has_more: false } satisfies Page & { object: string };

/** Takes another value for a record whose request fails so. */
export const getsAs =
  (isSo: (failure: Failure) => boolean, value: unknown): Inject =>
  (driver) => {
    const { get } = driver;
    driver.get = async (id) => {
      try {
        return await get(id);
      } catch (error) {
        if (error instanceof Failure && isSo(error)) return value;
        throw error;
      }
    };
  };

/** Replaces the failures that are reported. */
export const inFailure =
  (edit: (failure: Failure) => Failure): Inject =>
  (driver) => {
    const { fail } = driver;
    driver.fail = (failure) => fail(edit(failure));
  };

/** Edits the record that a get returns. */
export const inRecord =
  (edit: (record: Record<string, unknown>) => unknown): Inject =>
  (driver) => {
    const { get } = driver;
    driver.get = async (id) => {
      const record = { ...toObject(await get(id)) };
      edit(record);
      return record;
    };
  };

/** Edits the items that a page has, as records. */
export const inItems =
  (edit: (item: Record<string, unknown>) => unknown): Inject =>
  (driver) => {
    const { items } = driver;
    driver.items = (page) =>
      items(page).map((it) => {
        const item = { ...it };
        edit(item);
        return item;
      });
  };

/** Edits the text of a timestamp in the record that a get returns. */
export const inTimestamps = (edit: (text: string) => unknown): Inject =>
  inRecord((record) => {
    for (const name of ['created_at', 'completed_at']) {
      const text = record[name];
      if (typeof text === 'string') record[name] = edit(text);
    }
  });

/** Edits the counts of the record that a get returns. */
export const inCounts = (edit: (count: number, name: string) => unknown): Inject =>
  inRecord((record) => {
    const counts = Object.entries(toObject(record['counts']));
    record['counts'] = Object.fromEntries(counts.map(([name, count]) => [name, edit(Number(count), name)]));
  });

export const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
