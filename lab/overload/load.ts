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
/** How long no response at all may come at the end. */
const SILENCE_MS = 60_000;

/** Offers a load, and waits for its last response. @throws Error if a connection ends, or responses do not come. */
export async function load({ url, request, connections, perSecond, seconds }: LoadOptions): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // It is raced with below.
  const exchanges: Exchange[] = [];
  for (let at = 0; at < connections; at += 1) {
    const dialled = dial(hostname, Number(port), request, failure.reject);
    exchanges.push(await Promise.race([dialled, failure.promise]));
  }
  const times = new Map<number, number[]>();
  const samples: string[] = [];
  const idle = [...exchanges];
  const waiting: number[] = []; // When each should have been sent.
  const allCompleted = Promise.withResolvers<undefined>();
  let [sent, completed, isOver] = [0, 0, false];

  const ask = (due: number): void => {
    sent += 1;
    const exchange = idle.pop();
    if (exchange === undefined) waiting.push(due);
    else exchange.send(due);
  };
  for (const exchange of exchanges) {
    exchange.take = (status, ms, text) => {
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
  }

  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  if (perSecond === undefined) for (const _ of exchanges) ask(performance.now());
  let [last, wanted] = [started, 0];
  const ticks = setInterval(() => {
    const now = performance.now();
    wanted += (Math.min(now - last, MAX_TICK_MS) / 1000) * (perSecond ?? 0);
    last = now;
    while (sent < wanted) ask(now);
    if (elapsed() < seconds) return;
    isOver = true;
    clearInterval(ticks);
    let before = completed;
    setInterval(() => {
      if (completed === before)
        failure.reject(new Error(`${String(sent - completed)} of ${String(sent)} requests have no response.`));
      before = completed;
    }, SILENCE_MS).unref();
    if (completed === sent) allCompleted.resolve(undefined);
  }, TICK_MS);
  try {
    await Promise.race([allCompleted.promise, failure.promise]);
  } finally {
    clearInterval(ticks);
    for (const { socket } of exchanges) socket.removeAllListeners('close').destroy();
  }
  for (const own of times.values()) own.sort((a, b) => a - b);
  return { perSecond: completed / elapsed(), times, samples };
}

/** A connection with one request at a time. */
interface Exchange {
  readonly socket: Socket;
  /** @param due when it should have been sent. */
  readonly send: (due: number) => void;
  /** Called with each response. */
  take: (status: number, ms: number, text: string) => void;
}

/** @returns a connection that the server has accepted, because it has responded on it: it accepts one in each turn of its event loop. */
function dial(host: string, port: number, request: string, fail: (error: Error) => void): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    let [due, received] = [0, ''];
    const exchange: Exchange = {
      socket,
      send: (at) => {
        due = at;
        socket.write(request);
      },
      take: () => {
        resolve(exchange);
      },
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/\r\nContent-Length: (\d+)/i.exec(received)?.[1]);
      if (end === -1 || received.length < end + 4 + length) return;
      const text = received;
      received = '';
      exchange.take(Number(text.slice(9, 12)), performance.now() - due, text);
    });
    socket.on('error', fail);
    socket.on('close', () => {
      fail(new Error('The server has closed a connection.'));
    });
    exchange.send(0);
  });
}
