/** A load generator: requests at a rate that does not depend on how the server does, or as many as it takes. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface LoadOptions {
  readonly url: string;
  /** The bytes of a request, which leaves its connection open. */
  readonly request: string;
  readonly connections: number;
  /** Without one, each connection sends its next request when it has its response. */
  readonly perSecond?: number;
  readonly seconds: number;
}
export interface Loaded {
  readonly perSecond: number;
  /** How long each response took, by its status, sorted, in milliseconds; a wait for a free connection counts. */
  readonly times: ReadonlyMap<number, readonly number[]>;
  /** The first responses of each status, and one of each thousand of the others. */
  readonly samples: readonly string[];
}

const TICK_MS = 1;
/** What a tick offers at most: a generator that was held up does not make up for it by a burst. */
const MAX_TICK_MS = 5;
const FIRST = 5;
const SAMPLE_EVERY = 1000;
const DEADLINE_MS = 20_000;

/** Offers a load, and waits for its last response. @throws Error if a connection ends, or a response does not come. */
export async function load({ url, request, connections, perSecond, seconds }: LoadOptions): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let at = 0; at < connections; at += 1) sockets.push(await dial(hostname, Number(port), request));
  const times = new Map<number, number[]>();
  const samples: string[] = [];
  const idle: Exchange[] = [];
  const waiting: number[] = []; // When each should have been sent.
  let [sent, completed] = [0, 0];

  const failure = Promise.withResolvers<never>();
  const allCompleted = Promise.withResolvers<undefined>();
  let isOver = false;
  const ask = (due: number): void => {
    sent += 1;
    const exchange = idle.pop();
    if (exchange === undefined) waiting.push(due);
    else exchange.send(due);
  };
  const take = (exchange: Exchange, status: number, ms: number, text: string): void => {
    completed += 1;
    const own = times.get(status) ?? [];
    times.set(status, own);
    own.push(ms);
    if (own.length <= FIRST || own.length % SAMPLE_EVERY === 0) samples.push(text);
    const due = waiting.shift();
    if (due === undefined) idle.push(exchange);
    else exchange.send(due);
    if (perSecond === undefined && !isOver) ask(performance.now());
    if (isOver && completed === sent) allCompleted.resolve(undefined);
  };
  for (const socket of sockets) idle.push(new Exchange(socket, request, take, failure.reject));

  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  if (perSecond === undefined) for (const _ of sockets) ask(performance.now());
  let [last, wanted] = [started, 0];
  const ticks = setInterval(() => {
    const now = performance.now();
    wanted += (Math.min(now - last, MAX_TICK_MS) / 1000) * (perSecond ?? 0);
    last = now;
    while (sent < wanted) ask(now);
    if (elapsed() < seconds) return;
    isOver = true;
    clearInterval(ticks);
    setTimeout(() => {
      failure.reject(new Error(`${String(sent - completed)} of ${String(sent)} requests have no response.`));
    }, DEADLINE_MS).unref();
    if (completed === sent) allCompleted.resolve(undefined);
  }, TICK_MS);
  try {
    await Promise.race([allCompleted.promise, failure.promise]);
  } finally {
    clearInterval(ticks);
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  }
  for (const own of times.values()) own.sort((a, b) => a - b);
  return { perSecond: completed / elapsed(), times, samples };
}

/** @returns a connection that the server has accepted, because it has responded on it: it accepts one in each turn of its event loop. */
function dial(host: string, port: number, request: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const exchange = new Exchange(
      socket,
      request,
      () => {
        resolve(socket.removeAllListeners('data'));
      },
      reject,
    );
    socket.on('error', reject);
    exchange.send(0);
  });
}

/** A connection with one request at a time. */
class Exchange {
  readonly #socket: Socket;
  readonly #request: string;
  #due = 0;
  #text = '';

  constructor(
    socket: Socket,
    request: string,
    take: (exchange: Exchange, status: number, ms: number, text: string) => void,
    fail: (error: Error) => void,
  ) {
    this.#socket = socket;
    this.#request = request;
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#text += chunk;
      const end = this.#text.indexOf('\r\n\r\n');
      const length = Number(/\r\nContent-Length: (\d+)/i.exec(this.#text)?.[1]);
      if (end === -1 || this.#text.length < end + 4 + length) return;
      const text = this.#text;
      this.#text = '';
      take(this, Number(text.slice(9, 12)), performance.now() - this.#due, text);
    });
    socket.on('close', () => {
      fail(new Error('The server has closed a connection.'));
    });
  }

  /** @param due when it should have been sent. */
  send(due: number): void {
    this.#due = due;
    this.#socket.write(this.#request);
  }
}
