/** What hostile peers send, generated from a seed, so that a run can be repeated. */
import { METHODS } from 'node:http';

/** What is sent on one connection, and how the peer closes it. */
export interface Attack {
  readonly kind: Kind;
  readonly bytes: Buffer;
  /** Once all requests are completed; by FIN or by RST right after sending; or after a moment. */
  readonly leaves: 'completed' | 'fin' | 'reset' | 'soon';
}
export type Kind = 'whole' | 'pipelined' | 'broken' | 'cut';

const ID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const PATHS = ['/automations', '/contact-properties', '/contacts/imports', `/contacts/imports/${ID}`];
const TARGETS = [
  ...PATHS,
  ...PATHS.map((it) => `${it}?limit=100`),
  ...['', '/', '//', '*', '?', '#', '/%', '/%00', '/%ff%fe', '/..%2f..%2fetc/passwd', '/automations/', '/AUTOMATIONS'],
  'http://[',
  'http://a@b:1/automations',
  '/automations?limit=%00',
  '/automations?limit[]=1',
  '/automations?__proto__=1',
  '/automations?limit=1&limit=2',
  '/automations?after=%',
  '/contacts/imports/%2e%2e',
  '/contacts/imports/\u0000',
  '/openapi.json',
];
const VERSIONS = ['1.1', '1.1', '1.1', '1.1', '1.0', '0.9', '2.0', '1.2', '9'];
const ODD_BYTES = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\t',
  '\x7f',
  '\xff',
  '\xc0\xaf',
  ':',
  ' ',
  '%',
  '\ud83d\ude00',
  '\u202e',
  'é',
];
const PREFACES = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'CONNECT example.invalid:443 HTTP/1.1\r\nHost: example.invalid:443\r\n\r\n',
  'GET /automations HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  'GET /automations HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
  'POST /automations HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  'POST /automations HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
  'POST /automations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /automations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1;x="\r\ny\r\n0\r\n\r\n',
  'POST /automations HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'GET /automations HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
  'GET /automations HTTP/1.1\nHost: x\n\n',
  '* * *\r\n\r\n',
];

/** Random numbers and choices from a seed. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  /** @returns a whole number from 0 to below `limit` (mulberry32). */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
  one<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    return from[this.below(from.length)] as T; // It has one.
  }
  text(maxLength: number): string {
    return Array.from({ length: this.below(maxLength) }, () =>
      this.below(4) === 0 ? this.one(ODD_BYTES) : String.fromCharCode(33 + this.below(94)),
    ).join('');
  }
}

/** @param key one that opens an account. */
export function attackOf(dice: Dice, key: string): Attack {
  const roll = dice.below(100);
  if (roll < 50) return { kind: 'whole', bytes: bytesOf(requestOf(dice, key, true)), leaves: 'completed' };
  if (roll < 65) {
    const count = 1 + dice.below(20);
    const several = Array.from({ length: count }, () => requestOf(dice, key, false)).join('');
    return { kind: 'pipelined', bytes: bytesOf(several + requestOf(dice, key, true)), leaves: 'completed' };
  }
  if (roll < 85) return { kind: 'broken', bytes: brokenOf(dice, key), leaves: dice.one(['soon', 'fin', 'reset']) };
  const whole = bytesOf(requestOf(dice, key, false));
  return {
    kind: 'cut',
    bytes: whole.subarray(0, dice.below(whole.length)),
    leaves: dice.one(['fin', 'reset', 'soon']),
  };
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A request that is framed correctly, so the server must respond, whatever its content. */
function requestOf(dice: Dice, key: string, isLast: boolean): string {
  const method = dice.below(3) > 0 ? 'GET' : dice.one(METHODS.filter((it) => it !== 'CONNECT'));
  const target =
    (dice.below(4) > 0 ? dice.one(TARGETS) : `/${dice.text(60)}`).replaceAll(/[\s\0-\x20\x7f]/g, 'x') || '/';
  const body = dice.below(4) === 0 ? 'x'.repeat(dice.below(2000)) : undefined;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...(dice.below(3) > 0 ? [`Authorization: Bearer ${key}`] : [`Authorization: ${headerText(dice, 80)}`]),
    ...(dice.below(2) > 0 ? [`Content-Type: ${headerText(dice, 40)}`] : []),
    ...(dice.below(8) === 0 ? [`X-Request-Id: ${headerText(dice, 200)}`] : []),
    ...(dice.below(8) === 0 ? [`If-None-Match: ${headerText(dice, 40)}`] : []),
    ...(dice.below(8) === 0 ? [`Accept-Encoding: ${headerText(dice, 40)}`] : []),
    ...(dice.below(8) === 0 ? [`Expect: ${dice.one(['100-continue', 'x'])}`] : []),
    ...(dice.below(8) === 0 ? ['Accept: image/png'] : []),
    ...(dice.below(20) === 0 ? ['Connection: Upgrade', 'Upgrade: h2c'] : []),
    ...(dice.below(50) === 0 ? [`X-Giant: ${'x'.repeat(dice.below(20_000))}`] : []),
    ...(dice.below(50) === 0 ? Array.from({ length: dice.below(200) }, (_, at) => `X-${String(at)}: x`) : []),
    ...(body === undefined ? [] : [`Content-Length: ${String(body.length)}`]),
    ...(isLast ? ['Connection: close'] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const headerText = (dice: Dice, maxLength: number): string =>
  dice.text(maxLength).replaceAll(/[^\x20-\x7e\x80-\xff]/g, '');

function brokenOf(dice: Dice, key: string): Buffer {
  switch (dice.below(4)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + dice.below(500) }, () => dice.below(256)));
    case 1:
      return bytesOf(dice.one(PREFACES));
    case 2:
      return bytesOf(requestOf(dice, key, true).replace('HTTP/1.1', `HTTP/${dice.one(VERSIONS)}`));
    default: {
      const bytes = bytesOf(requestOf(dice, key, true));
      const at = dice.below(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(dice.one(ODD_BYTES)), bytes.subarray(at)]);
    }
  }
}
