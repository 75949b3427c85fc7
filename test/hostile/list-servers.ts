/** Hostile servers of lists, generated from a seed: what is wrong, at which requests, and what is quoted in it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Dice } from './attacks.ts';

export interface ListServer {
  readonly url: string;
  /** What is wrong with it. */
  readonly flaws: string;
  /** Whether it keeps its clients waiting: then they come to their time limit. */
  readonly isSlow: boolean;
  readonly close: () => Promise<void>;
}

/** What a server is made of, beside the seed. */
export interface Surroundings {
  /** The key that it quotes. */
  readonly key: string;
  /** The authority of another server, to which it would like to lead its clients. */
  readonly elsewhere: string;
}

/** A response, until it is written. */
interface Reply {
  version: string;
  status: number;
  reason: string;
  headers: (readonly [name: string, value: string])[];
  /** What becomes the body. */
  json: Record<string, unknown>;
  /** The body, in place of `json`. */
  body: Buffer | undefined;
  /** How it is written, and what becomes of the connection. */
  write: (socket: Socket, head: string, body: Buffer) => void;
}
interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
}
interface Place extends Surroundings {
  readonly dice: Dice;
  /** A text with the key. */
  readonly quote: () => string;
  readonly authority: string;
}
/** Something wrong with a response. */
type Flaw = (reply: Reply, place: Place, asked: Asked) => void;

const COUNT = 30;
const JSON_TYPE = 'application/json';
const HOSTILE = [
  ...[
    '::error::x',
    '\n::set-output name=x::y',
    '##[group]x',
    '##vso[task.setvariable]x',
    '${HOME}',
    '${{ secrets.X }}',
  ],
  ...[
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\r',
    '\0',
    '\u202e',
    '\u2028',
    '\ud800',
    '\ufeff',
    ']]>',
    '<!--',
    '&x;',
    '"',
    "'",
  ],
  ...['`id`', '$(id)', '%0a::x', '{id}', '../../x', '__proto__', 'é👋', ''],
];
const QUOTED: readonly ((key: string) => string)[] = [
  (key) => key,
  encodeURIComponent,
  (key) => Buffer.from(key).toString('base64'),
  (key) => Buffer.from(key).toString('hex'),
  (key) => key.toUpperCase(),
  (key) => `Bearer ${key}`,
];

/** What servers have in headers, but never this one: no header can hold these. */
const inHeader = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');

const replaceItems =
  (change: (item: unknown, at: number, place: Place) => unknown): Flaw =>
  (reply, place) => {
    reply.json['items'] = (reply.json['items'] as readonly unknown[]).map((it, at) => change(it, at, place)); // As made below.
  };
const header =
  (name: string, value: (place: Place) => string): Flaw =>
  (reply, place) => {
    reply.headers.push([name, inHeader(value(place))]);
  };
const body =
  (text: (place: Place) => string | Buffer): Flaw =>
  (reply, place) => {
    reply.body = Buffer.from(text(place));
  };
const next =
  (value: (place: Place) => unknown): Flaw =>
  (reply, place) => {
    for (const name of ['next', 'next_cursor']) if (name in reply.json) reply.json[name] = value(place);
  };
const encoded =
  (name: string, encode: (bytes: Buffer) => Buffer): Flaw =>
  (reply) => {
    reply.headers.push(['Content-Encoding', name]);
    reply.body = encode(bodyOf(reply));
  };
const written =
  (write: Reply['write']): Flaw =>
  (reply) => {
    reply.write = write;
  };

/** Addresses at another server, or what a client may take for one. */
const leaving = ({ elsewhere: there, authority: here, dice }: Place): string =>
  dice.one([
    ...[`http://${there}/list`, `//${there}/list`, `http://${here}@${there}/list`, `http:${there}/list`],
    ...[`/\\${there}/list`, `\\\\${there}\\list`, `http:\\\\${there}/list`, `////${there}/list`, `/\t/${there}/list`],
    ...[` http://${there}/list`, `HTTP://${there}`, `/..//${there}/list`, `//${here}//${there}/list`, `/%2f/${there}`],
    ...[`:${there.replace(/.*:/, '')}/list`, `@${there}/list`, `.${there}/list`, `http://${there}%2f@${here}/list`],
    ...[`http://${there}#@${here}/list`, `ftp://${there}/`, `javascript:alert(1)`, `file:///etc/passwd`, 'http://['],
    ...[`http://${here}/list?aws_secret_access_key=x&github_token=y`, '', '?', '#', '.', '/', 'http://'],
  ]);

const STATES = [
  '0',
  '1',
  '-1',
  '1e9',
  '999999999',
  '99999999999999',
  'soon',
  '',
  'Thu, 01 Jan 2099 00:00:00 GMT',
  '0.5',
];
const TOTALS = ['-1', '1e400', 'NaN', '0', '29', '31', '999999999999999999999', 'items 0-9/30', 'x', ''];
const ODD = [null, true, false, -1, 0, 1e400, -0, '', ' ', [], {}, [[]], { a: null }, 'null', 'None', '\0', 0.1];
const BODIES: readonly ((place: Place) => string)[] = [
  ({ quote }) => quote(),
  ({ quote }) => `<!doctype html><title>${quote()}</title>`,
  ...[
    '',
    'null',
    'true',
    '0',
    '"x"',
    '[]',
    '{}',
    '[{}]',
    '[null]',
    '[[]]',
    '{"items":{}}',
    '{"items":[1,2',
    '{',
    '﻿{}',
  ].map((it) => () => it),
  () => `${'['.repeat(150)}${']'.repeat(150)}`,
  () => `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`,
  () => `[${'[],'.repeat(20_000)}[]]`,
  () => `{${Array.from({ length: 2000 }, (_, at) => `"a${String(at)}":[{"id":${String(at)}}]`).join(',')}}`,
  () => `{"items":[${'{},'.repeat(20_000)}{}]}`,
  () => '{"items":[{"id":9007199254740993},{"id":9007199254740992},{"id":1e999},{"id":-0}],"next_cursor":"a"}',
  () => '{"__proto__":[{"id":1}],"constructor":{"prototype":[{"id":1}]},"toString":[{"id":1},{"id":2},{"id":3}]}',
  () => '{"items":[{"id":1,"id":2},{"id":1},{"id":2}],"items":[{"id":3}],"next":"/list","next":null}',
  ({ quote }) => JSON.stringify({ [quote()]: [{ id: 1 }, { id: 2 }, { id: 3 }] }),
  ({ quote }) => JSON.stringify({ data: { [quote()]: [{ [quote()]: 1 }, { [quote()]: 2 }] }, next: quote() }),
  ({ quote }) => JSON.stringify({ errors: [{ message: quote() }], [quote()]: quote() }),
  ({ quote }) => `{"items":[{"id":"${quote()}"`,
  () => `{"text":"${'\\u0041'.repeat(50_000)}"}`,
  () => `{"next":"${'/list?'.repeat(20_000)}"}`,
];

/** What may be wrong, by kind. */
const FLAWS: Readonly<Record<string, readonly Flaw[]>> = {
  status: [
    (reply, { dice }) => void (reply.status = 100 + dice.below(900)),
    (reply, { dice }) => void (reply.status = dice.one([301, 302, 303, 307, 308, 401, 403, 404, 410, 500, 502])),
    (reply, { quote }) => void (reply.reason = inHeader(quote())),
    (reply, { dice }) => void (reply.version = dice.one(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2', 'HTTP/1.1.1', 'ICY', ''])),
  ],
  header: [
    header('X-Echo', ({ quote }) => quote()),
    header('Content-Type', ({ quote, dice }) =>
      dice.one(['text/html', 'application/json; charset=utf-16', quote(), '']),
    ),
    header('X-Total-Count', ({ dice, quote }) => dice.one([...TOTALS, quote()])),
    header('Content-Range', ({ dice, quote }) => dice.one([...TOTALS, quote()])),
    header('Content-Length', ({ dice }) => dice.one(['0', '5', '-1', '1e9', '99999999999999999999', 'x', ''])),
    header('Transfer-Encoding', ({ dice }) => dice.one(['chunked', 'gzip, chunked', 'x', 'identity'])),
    header('Set-Cookie', ({ quote }) => quote()),
    header('ETag', ({ quote }) => quote()),
    header('Upgrade', () => 'h2c'),
    header('Connection', ({ dice }) => dice.one(['close', 'upgrade', 'x', ''])),
    header('X-Long', () => 'x'.repeat(20_000)),
    (reply, { quote }) => void reply.headers.push([quote(), 'x']),
    (reply, { dice }) => void reply.headers.push(['', ''], [' ', ':'], [`a\0`, dice.text(9)], ['b\r\n c', '']),
    (reply) => void reply.headers.push(...Array.from({ length: 300 }, (_, at) => [`X-${String(at)}`, ''] as const)),
  ],
  encoding: [
    encoded('gzip', (it) => gzipSync(it)),
    encoded('gzip', (it) => it),
    encoded('gzip', (it) => gzipSync(it).subarray(0, -9)),
    encoded('gzip', () => gzipSync(Buffer.alloc(3_000_000, ' '))),
    encoded('gzip', (it) => gzipSync(gzipSync(it))),
    encoded('deflate', (it) => deflateSync(it)),
    encoded('br', (it) => brotliCompressSync(it)),
    encoded('x', (it) => it),
    encoded('identity', (it) => Buffer.from(`\ufeff${it.toString()}`)),
    encoded('identity', (it) => Buffer.from(it.toString(), 'utf16le')),
    encoded('identity', (it) => Buffer.concat([it.subarray(0, 9), Buffer.of(0xff, 0xc0, 0xaf), it.subarray(9)])),
    encoded('identity', () => Buffer.alloc(3_000_000, ' ')),
  ],
  body: BODIES.map((it) => body(it)),
  item: [
    replaceItems((_, at, { quote }) => ({ id: `${String(at)}${quote()}`, [quote()]: quote() })),
    replaceItems((it, _, { dice }) => dice.one([it, ...ODD])),
    replaceItems((it, _, { dice }) => ({ ...(it as object), id: dice.one(ODD) })),
    replaceItems((it, at) => ({ ...(it as object), id: at % 2 })),
    replaceItems((it, at) => ({ ...(it as object), id: 'x'.repeat(3000) + String(at) })),
    replaceItems((it) => ({ ...(it as object), created: '9999-99-99T99:99:99Z', '': 0, ['a.b']: {} })),
    (reply) => void (reply.json['items'] = []),
    (reply) => void (reply.json = { data: [reply.json], items: reply.json['items'], more: reply.json['items'] }),
    (reply, { dice, quote }) => void (reply.json['total'] = dice.one([...TOTALS, ...ODD, quote()])),
    (reply, { dice, quote }) => void (reply.json['has_more'] = dice.one([...ODD, quote()])),
  ],
  link: [
    next(leaving),
    next(({ quote }) => `/list?cursor=${quote()}`),
    header('Link', (place) => `<${leaving(place)}>; rel="next"`),
    header('Link', ({ quote }) => `<${quote()}>; rel=next; title="${quote()}", <, >;;; rel`),
    header('Link', ({ dice }) => '<a>;rel=next,'.repeat(dice.below(1000))),
    header('X-Next', leaving),
    (reply, place) => {
      reply.status = place.dice.one([301, 302, 303, 307, 308]);
      reply.headers.push(['Location', inHeader(leaving(place))]);
    },
    (reply, { quote }, { path, query }) => {
      if (query.has('x')) return;
      reply.status = 302;
      reply.headers.push(['Location', inHeader(`${path}?x=${quote()}`)]);
    },
  ],
  token: [
    next(({ dice }) => dice.one(ODD)),
    next(({ quote }) => quote()),
    next(leaving),
    next(({ dice }) => String(dice.below(1_000_000_000))), // A list without end.
    next(() => '3'),
    next(() => 'x'.repeat(20_000)),
    next(({ dice }) => dice.text(30)),
  ],
  waiting: [
    (reply, { dice }) => {
      reply.status = dice.one([429, 503, 202]);
      reply.headers.push(['Retry-After', dice.one(STATES)]);
    },
    (reply, { dice }) => void reply.headers.push(['RateLimit-Remaining', '0'], ['RateLimit-Reset', dice.one(STATES)]),
    (reply, { dice }) =>
      void reply.headers.push(['X-RateLimit-Remaining', '0'], ['X-RateLimit-Reset', dice.one(STATES)]),
  ],
  timing: [
    written(() => undefined),
    written((socket, head) => void socket.write(head.slice(0, 20))),
    written((socket, head, bytes) => void socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, 1)]))),
    written((socket, head, bytes) => {
      trickle(socket, Buffer.concat([Buffer.from(head, 'latin1'), bytes]), 1);
    }),
    written((socket) => {
      trickle(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'.repeat(2000)), 50);
    }),
    written((socket) => {
      trickle(socket, Buffer.from(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`), 50);
    }),
    written((socket, head, bytes) => {
      setTimeout(() => socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes])), 30);
    }),
  ],
  connection: [
    written((socket) => socket.destroy()),
    written((socket) => socket.resetAndDestroy()),
    written((socket, head) => socket.end(head.slice(0, 30))),
    written((socket, head) => socket.end(head)),
    written((socket, head, bytes) => socket.end(Buffer.concat([Buffer.from(head), bytes.subarray(0, 2)]))),
    written((socket, _, bytes) => socket.end(bytes)),
    written((socket, head, bytes) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${bytes.toString()}${head}`)),
    written(
      (socket, head, bytes) =>
        void socket.write(Buffer.concat(Array<Buffer>(3).fill(Buffer.from(head + bytes.toString())))),
    ),
    written((socket) => socket.end('\x15\x03\x03\x00\x02\x02\x46')),
    written((socket) => socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')),
    written((socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n\0\0'),
    ),
    written((socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\r\n0\r\n\r\n')),
    written((socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\n{}')),
    written((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x="\r\n{}\r\n0\r\nX: y\r\n\r\n'),
    ),
  ],
};
const KINDS = Object.keys(FLAWS);
const SLOW = ['waiting', 'timing'];
// Few servers are slow: the others take a twentieth of the time.
const SLOW_EVERY = 8;

/** Writes so many bytes at a time, until all are written or the client disconnects. */
function trickle(socket: Socket, bytes: Buffer, size: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= bytes.length || socket.destroyed) clearInterval(timer);
    else socket.write(bytes.subarray(at, (at += size)));
  }, 1);
}

const bodyOf = ({ body: bytes, json }: Reply): Buffer => bytes ?? Buffer.from(JSON.stringify(json));

/** How a list tells the next page, and which query it reads. */
const STYLES: readonly ((reply: Reply, at: number, size: number, url: string) => void)[] = [
  ({ json }, at, size) => void (json['next_cursor'] = at + size < COUNT ? String(at + size) : null),
  ({ json }, at, size, url) =>
    void (json['next'] = at + size < COUNT ? `${url}?limit=${String(size)}&cursor=${String(at + size)}` : null),
  ({ headers }, at, size, url) => {
    if (at + size >= COUNT) return;
    headers.push(['Link', `<${url}?limit=${String(size)}&cursor=${String(at + size)}>; rel="next"`]);
  },
  ({ json }) => void (json['total'] = COUNT), // With `offset`.
];

/** @returns the response of a right server. */
function rightReply({ query }: Asked, style: (typeof STYLES)[number], url: string): Reply {
  const numberOf = (name: string, otherwise: number): number => parseInt(query.get(name) ?? '', 10) || otherwise;
  const size = Math.min(Math.max(numberOf('limit', 10), 1), 20);
  const at = Math.max(numberOf('cursor', 0), numberOf('offset', 0), 0);
  const items = Array.from({ length: Math.max(0, Math.min(size, COUNT - at)) }, (_, index) => ({
    id: at + index + 1,
    created: `2026-01-01T00:00:${String(at + index).padStart(2, '0')}Z`,
  }));
  const reply: Reply = {
    ...{ version: 'HTTP/1.1', status: 200, reason: 'OK', headers: [['Content-Type', JSON_TYPE]] },
    ...{
      json: { items },
      body: undefined,
      write: (socket, head, bytes) => void socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes])),
    },
  };
  style(reply, at, size, url);
  return reply;
}

/** When a flaw shows: the number of the request, and what it asks for, decide. */
const TIMES: readonly (readonly [name: string, isNow: (count: number, asked: Asked) => boolean])[] = [
  ['always', () => true],
  ['behind the first request', (count) => count > 1],
  ['from the eighth request on', (count) => count >= 8],
  ['at every fifth request', (count) => count % 5 === 0],
  ['with small pages', (_, { query }) => query.get('limit') === '3' || query.get('limit') === '1'],
  ['behind the first page', (_, { query }) => query.has('cursor') || query.has('offset')],
];

/** Starts the server of a seed on a free port. */
export async function startHostileList(seed: number, surroundings: Surroundings): Promise<ListServer> {
  const dice = new Dice(seed);
  const style = dice.one(STYLES);
  const kinds = dice.below(SLOW_EVERY) === 0 ? KINDS : KINDS.filter((it) => !SLOW.includes(it));
  const chosen = Array.from({ length: 1 + dice.below(3) }, () => {
    const kind = dice.one(kinds);
    const all = FLAWS[kind] ?? [];
    const at = dice.below(all.length);
    return { kind, flaw: all[at], name: `${kind} ${String(at)}`, when: dice.one(TIMES) };
  });
  const quote = (): string => {
    const parts = [dice.one(HOSTILE), dice.one(QUOTED)(surroundings.key), dice.one(HOSTILE), dice.text(5)];
    return parts.join(dice.one(['', ' ', '=']));
  };
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const [, method = '', target = '/'] = /^(\S+) (\S+)/.exec(received) ?? [];
      received = '';
      count += 1;
      respond(socket, method, new URL(target.startsWith('/') ? `http://a${target}` : target));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${String((server.address() as AddressInfo).port)}`; // It listens on a port.
  const url = `http://${authority}/list`;
  const place: Place = { ...surroundings, dice, quote, authority };

  function respond(socket: Socket, method: string, { pathname: path, searchParams: query }: URL): void {
    const asked = { path, query };
    const reply = rightReply(asked, style, dice.one([url, '/list']));
    for (const { flaw, when } of chosen) if (when[1](count, asked)) flaw?.(reply, place, asked);
    const bytes = method === 'HEAD' ? Buffer.of() : bodyOf(reply);
    const isSized = reply.headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
    const headers = isSized ? reply.headers : [...reply.headers, ['Content-Length', String(bytes.length)] as const];
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    reply.write(
      socket,
      [`${reply.version} ${String(reply.status)} ${reply.reason}`, ...lines, '', ''].join('\r\n'),
      bytes,
    );
    if (reply.status < 200) setTimeout(() => socket.end(), 5); // No other response follows.
  }

  return {
    url,
    flaws: chosen.map(({ name, when }) => `${name} ${when[0]}`).join(', '),
    isSlow: chosen.some(({ kind }) => SLOW.includes(kind)),
    close: async () => {
      server.close();
      for (const it of sockets) it.destroy();
      await once(server, 'close');
    },
  };
}
