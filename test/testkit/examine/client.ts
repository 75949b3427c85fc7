/**
 * A correct client of the list API, behind the command line that `rollcall examine` runs. Faults replace single methods of it. Like a client of
 * another project, it takes nothing from the contract or the server.
 */
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PATHS: Readonly<Record<string, string>> = {
  automations: '/automations',
  'contact-properties': '/contact-properties',
  'contact-imports': '/contacts/imports',
};
const EXIT_ERROR = 10;
const ATTEMPTS = 4;
const TEMPORARY = [0, 429, 500, 502, 503, 504];
const FIRST_DELAY_MS = 25;
const MAX_DELAY_MS = 5000;
// How long a server may send nothing, in turns of a timer: while the machine stands still, none passes, and a busy one takes long for 2 MB.
const [TIME_LIMIT_TICKS, TICK_MS] = [8, 1000];

export interface Item extends Readonly<Record<string, unknown>> {
  readonly id: string;
}
export interface Page {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}
export type Query = readonly (readonly [name: string, value: string])[];

/** What the client wants to know. */
export interface Asked {
  readonly path: string;
  readonly query: Query;
  /** How many pages of the list came before. */
  readonly page: number;
  /** How many requests for the same failed. */
  readonly attempt: number;
}
export interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}
export interface Received {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly isComplete: boolean;
  /** Whether the time limit was over. */
  readonly isLate?: boolean;
}
export type Options = Readonly<Partial<Record<'limit' | 'status' | 'after' | 'before', string>>>;

/** An error of the API, or of the way to it. */
export class Failure extends Error {
  readonly status: number;
  constructor(status: number, name: string) {
    super(`${String(status)} ${name}`);
    this.status = status;
    this.name = name;
  }
}

/** What a client has of its process; or of a test, which runs hundreds of clients in one process. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => unknown;
  readonly writeError: (text: string) => unknown;
  /** Ends the client: no request of it settles any more. */
  readonly signal?: AbortSignal;
}

/** The client. A fault replaces some of its methods, which are properties for that reason. */
export class Driver {
  readonly host: Host;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Whether the task is `list-all`. */
  isTraversal = false;
  /** Whether connections are used again. */
  agent = new Agent({ keepAlive: true });

  constructor(host: Host) {
    this.host = host;
    this.baseUrl = host.env['ROLLCALL_BASE_URL'] ?? '';
    this.apiKey = host.env['ROLLCALL_API_KEY'] ?? '';
  }

  say = (text: string): void => {
    this.host.write(`${text}\n`);
  };

  print = (ids: readonly string[]): void => {
    for (const id of ids) this.say(id);
  };

  query = (options: Options, cursor: string | undefined, _page: number): Query => {
    const { limit, status, after, before } = options;
    const direction = before === undefined ? 'after' : 'before';
    const values = { limit, status, after, before, ...(cursor !== undefined && { [direction]: cursor }) };
    return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  };

  target = ({ path, query }: Asked): string => {
    const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return search === '' ? path : `${path}?${search}`;
  };

  build = (asked: Asked): Sent => ({
    method: 'GET',
    target: this.target(asked),
    headers: { authorization: `Bearer ${this.apiKey}`, accept: 'application/json', 'user-agent': 'driver' },
  });

  send = ({ method, target, headers, body }: Sent): Promise<Received> =>
    new Promise((resolve) => {
      const { signal } = this.host;
      if (signal?.aborted === true) return;
      const { hostname, port, pathname } = new URL(this.baseUrl);
      const path = /^https?:/.test(target) ? target : pathname.replace(/\/$/, '') + target;
      const { agent } = this;
      let ticks = 0;
      const req = request({ hostname, port, path, method, headers, agent, signal }, (res) => {
        const chunks: Buffer[] = [];
        const end = (isComplete: boolean): void => {
          const text = this.decode(this.join(chunks), res.headers);
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, isComplete });
        };
        res.on('data', (it: Buffer) => {
          ticks = 0;
          chunks.push(it);
        });
        res.on('end', () => {
          end(true);
        });
        res.on('error', () => {
          end(false);
        });
      });
      const timer = setInterval(() => {
        ticks += 1;
        if (ticks === TIME_LIMIT_TICKS) req.destroy();
      }, TICK_MS);
      req.on('close', () => {
        clearInterval(timer);
      });
      req.on('error', () => {
        const isLate = ticks === TIME_LIMIT_TICKS;
        if (signal?.aborted !== true) resolve({ status: 0, headers: {}, text: '', isComplete: false, isLate });
      });
      req.end(body);
    });

  join = (chunks: readonly Buffer[]): Buffer => Buffer.concat(chunks);

  /** @returns the text of a body. */
  decode = (bytes: Buffer, _headers: IncomingHttpHeaders): string => bytes.toString();

  /** @returns how long to wait before the next attempt, or `undefined` for no other. */
  delay = ({ status, headers, isComplete }: Received, attempt: number): number | undefined => {
    if (attempt + 1 >= ATTEMPTS || (isComplete && !TEMPORARY.includes(status))) return undefined;
    const asked = this.retryAfter(headers['retry-after']);
    if (asked === undefined) return FIRST_DELAY_MS * 2 ** attempt;
    return asked > MAX_DELAY_MS ? undefined : asked;
  };

  retryAfter = (value: string | undefined): number | undefined =>
    value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;

  parse = (text: string): unknown => JSON.parse(text);

  /** @returns the body of a response. @throws Failure if it is an error. */
  read = (received: Received): unknown => {
    const { status, text, isComplete } = received;
    if (status === 0) throw new Failure(0, 'network');
    let body: unknown;
    try {
      if (isComplete) body = this.parse(text);
    } catch {
      body = undefined;
    }
    if (!isObject(body)) throw new Failure(status, 'unreadable');
    if (status === 200) return body;
    throw new Failure(status, typeof body['name'] === 'string' ? body['name'] : 'unreadable');
  };

  /** Sends a request until it succeeds, fails for good, or has failed too often. */
  call = async (asked: Asked): Promise<unknown> => {
    const received = await this.send(this.build(asked));
    const ms = this.delay(received, asked.attempt);
    if (ms === undefined) return this.read(received);
    await sleep(ms);
    return this.call(this.again(asked));
  };

  again = (asked: Asked): Asked => ({ ...asked, attempt: asked.attempt + 1 });

  /** @throws Failure if a body is not a page. */
  toPage = (body: unknown): Page => {
    if (!isPage(body)) throw new Failure(200, 'unreadable');
    return body;
  };

  page = async (collection: string, options: Options, cursor: string | undefined, page: number): Promise<Page> =>
    this.toPage(
      await this.call({ path: this.path(collection), query: this.query(options, cursor, page), page, attempt: 0 }),
    );

  path = (collection: string): string => PATHS[collection] ?? '/';

  /** @returns what to print of a page. */
  ids = ({ data }: Page, _page: number): readonly string[] => data.map(({ id }) => id);

  /** @returns the item to continue from. */
  cursor = ({ data }: Page, isBackward: boolean, _page: number): string | undefined => data.at(isBackward ? 0 : -1)?.id;

  isLast = ({ has_more: hasMore }: Page, _page: number, _options: Options): boolean => !hasMore;

  /** Called if a server returns a cursor that it has returned before. */
  stalled = (): void => {
    throw new Failure(200, 'unreadable');
  };

  /** Called if a page after the first fails. */
  interrupted = (failure: unknown): void => {
    throw failure;
  };

  list = async (collection: string, options: Options): Promise<void> => {
    this.print(this.ids(await this.page(collection, options, undefined, 0), 0));
  };

  /** @returns the items of a page as records. */
  items = ({ data }: Page): readonly Item[] => data;

  records = async (collection: string, options: Options): Promise<void> => {
    for (const it of this.items(await this.page(collection, options, undefined, 0))) this.say(this.write(it));
  };

  listAll = async (collection: string, options: Options): Promise<void> => {
    const seen = new Set<string | undefined>();
    let cursor: string | undefined;
    for (let page = 0; ; page += 1) {
      let it: Page;
      try {
        it = await this.page(collection, options, cursor, page);
      } catch (error) {
        if (page === 0) throw error;
        this.interrupted(error);
        return;
      }
      this.print(this.ids(it, page));
      if (this.isLast(it, page, options)) return;
      cursor = this.cursor(it, options.before !== undefined, page);
      if (cursor === undefined || seen.has(cursor)) this.stalled();
      seen.add(cursor);
    }
  };

  get = (id: string): Promise<unknown> =>
    this.call({ path: `${this.path('contact-imports')}/${encodeURIComponent(id)}`, query: [], page: 0, attempt: 0 });

  /** @returns a record as a line of JSON. */
  write = (record: unknown): string => JSON.stringify(record);

  /** @returns the exit code of an error. */
  fail = ({ status, name }: Failure): number => {
    this.say(`error ${String(status)} ${name}`);
    return EXIT_ERROR;
  };

  run = async (args: readonly string[]): Promise<number> => {
    const [task = '', name = '', ...flags] = args;
    const options: Options = Object.fromEntries(
      flags.flatMap((it, at) => (at % 2 === 0 ? [[it.replace(/^--/, ''), flags[at + 1]]] : [])),
    );
    this.isTraversal = task === 'list-all';
    try {
      if (task === 'get') this.say(this.write(await this.get(name)));
      else if (task === 'list' && name in PATHS) await this.list(name, options);
      else if (task === 'records' && name in PATHS) await this.records(name, options);
      else if (this.isTraversal && name in PATHS) await this.listAll(name, options);
      else this.say('unsupported');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return this.fail(error);
    } finally {
      this.agent.destroy();
    }
    return 0;
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isItem = (value: unknown): value is Item => isObject(value) && typeof value['id'] === 'string';
const isPage = (value: unknown): value is Page & Readonly<Record<string, unknown>> =>
  isObject(value) &&
  typeof value['has_more'] === 'boolean' &&
  Array.isArray(value['data']) &&
  value['data'].every(isItem);
