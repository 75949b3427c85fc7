/** Requests of every kind: valid, odd and hostile; their text on the wire, and the tags that they name. */
import fc from 'fast-check';
import { mostly } from './targets.ts';
import { IDS, KEYS } from './store.ts';

const ID_FORMS = {
  plain: (id: string) => id,
  upper: (id: string) => id.toUpperCase(),
  encoded: (id: string) => id.replace('-', '%2D'),
  short: (id: string) => id.slice(1),
  long: (id: string) => `${id}0`,
  urn: (id: string) => `urn:uuid:${id}`,
};
// One of them more often, so that requests are alike.
const id = fc.oneof(fc.constant(IDS[0] ?? ''), fc.constantFrom(...IDS));
const ids = fc
  .tuple(
    id,
    mostly(fc.constant<keyof typeof ID_FORMS>('plain'), 'upper', 'encoded', 'encoded', 'short', 'long', 'urn'),
    fc.option(id, { freq: 2 }),
  )
  .map(([first, form, second]) => [ID_FORMS[form](first), second ?? first] as const);

const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...KEYS.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
);
const ODD_AUTHORIZATIONS = [
  'bearer KEY',
  'BEARER   KEY ',
  'Bearer\tKEY',
  'BearerKEY',
  'Bearer',
  'Basic KEY',
  'Basic bearer',
  'Bearer KEY KEY',
  ...['Bearer KEY,Bearer KEY', '"Bearer KEY"', 'Bearer \xe9', '', `Bearer ${'x'.repeat(2000)}`],
].map((value) => `Authorization: ${value}`);
const authorizationOf = mostly(
  fc.constant<string[]>(['Authorization: Bearer KEY']),
  [],
  ['AUTHORIZATION: Bearer KEY'],
  ['Authorization: Bearer KEY', `Authorization: Bearer ${String(KEYS[0])}`],
  [`Authorization: Bearer ${String(KEYS[0])}`, 'authorization: Bearer KEY'],
  ...ODD_AUTHORIZATIONS.map((it) => [it]),
);
const authorization = fc.oneof(
  { weight: 30, arbitrary: authorizationOf },
  { weight: 1, arbitrary: fc.constant(['Authorization: Bearer KEY\xa0']) },
);

// TAG stands for the tag of the latest response to the same target and key, STALE for one of another.
const condition = fc.constantFrom(
  ...[
    'TAG',
    'TAG',
    'W/TAG',
    '"x", TAG',
    'TAG,STALE',
    'STALE',
    'W/STALE',
    '*',
    '',
    '"',
    '"x"',
    'TAGx',
    'tag',
    '*, "x"',
  ].map((value) => `If-None-Match: ${value}`),
);
const requestId = fc.constantFrom(
  ...['req-1', 'req-2', 'A/b+c=@~.-', 'a'.repeat(128), 'a'.repeat(129), '', 'two words', 'a,b', '\xfc'].map(
    (value) => `X-Request-Id: ${value}`,
  ),
);
const other = fc.constantFrom(
  'Cache-Control: no-cache',
  'Cache-Control: only-if-cached',
  'Content-Type: text/plain',
  'content-type: application/json; charset=utf-8',
  'Accept: text/html',
  'Accept-Encoding: gzip',
  'Range: bytes=0-1',
  'If-Modified-Since: Sat, 21 Nov 2026 10:00:00 GMT',
  'Expect: 100-continue',
  'Cookie: a=b',
  'bad header',
);
const origin = fc.constantFrom(
  'Origin: http://x',
  'Origin: http://x',
  'Origin: http://evil',
  'Origin: null',
  'Origin: http://x\r\nAccess-Control-Request-Method: GET',
);
const headers = fc
  .tuple(...[condition, requestId, origin, other].map((it) => fc.option(it, { freq: 2 })))
  .map((all) => all.filter((it) => it !== null));
const body = mostly(
  fc.constant<string[]>([]),
  ['Content-Length: 2\r\n', '{}'],
  ['Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
);

/** A request as it will be written, but for the tag that it names, and the target, which is one of the scenario's. */
export interface Request {
  readonly method: string;
  readonly version: string;
  /** Of the scenario's targets, modulo their number. */
  readonly target: number;
  readonly ids: readonly [string, string];
  /** Which of each choice in the target, modulo their number. */
  readonly choice: number;
  readonly key: string;
  readonly headers: readonly string[];
  readonly body: readonly string[];
}

export const request: fc.Arbitrary<Request> = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant('GET') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE', 'get', 'PURGE') },
  ),
  version: mostly(fc.constant('1.1'), '1.1', '1.1', '1.0', '0.9'),
  target: fc.nat(7),
  ids,
  choice: fc.nat(11),
  key,
  headers: fc.tuple(authorization, headers).map((all) => all.flat()),
  body,
});

/** The tags of responses so far, by which requests are made conditional. */
export class Tags {
  readonly #latest = new Map<string, string>();
  #last = '"none"';

  /** @returns the tag of the latest response to a request like this one. */
  of(target: string, { key }: Request): string {
    return this.#latest.get(`${key} ${target}`) ?? '"none"';
  }

  /** @returns the tag of the last response of all, if it is another. */
  stale(tag: string): string {
    return this.#last === tag ? '"stale"' : this.#last;
  }

  /** Notes the tags of responses to a request. */
  learn(target: string, { key }: Request, responses: string): void {
    const tags = [...responses.matchAll(/^ETag: (.*)\r$/gm)];
    if (tags.length === 1) this.#latest.set(`${key} ${target}`, tags[0]?.[1] ?? '');
    this.#last = tags.at(-1)?.[1] ?? this.#last;
  }
}

/** @returns the target of a request, one of those of a scenario. */
export function targetOf({ target, ids, choice }: Request, targets: readonly string[]): string {
  return (targets[target % targets.length] ?? '')
    .replaceAll('{0}', ids[0])
    .replaceAll('{1}', ids[1])
    .replaceAll(
      /\{([^}]*)\}/g,
      (_, choices: string) => choices.split('|').at(choice % choices.split('|').length) ?? '',
    );
}

/** @returns requests as one text, on a connection that the last of them closes. */
export function write(requests: readonly Request[], targets: readonly string[], tags: Tags): string {
  const texts = requests.map((request, at) => {
    const target = targetOf(request, targets);
    const tag = tags.of(target, request);
    const [framing = '', body = ''] = request.body;
    const headers = [...request.headers, ...(at === requests.length - 1 ? ['Connection: close'] : [])].map(
      (it) => `${it.replaceAll('KEY', request.key).replaceAll('TAG', tag).replaceAll('STALE', tags.stale(tag))}\r\n`,
    );
    return `${request.method} ${target} HTTP/${request.version}\r\nHost: x\r\n${headers.join('')}${framing}\r\n${body}`;
  });
  return texts.join('');
}
