/** Faults planted into a copy of the project, each of which the tests of the cache must find: a part of a file, and what stands there instead. */

const CACHE = 'server/http/cache/cache.ts';
const SHAPES = 'server/http/cache/shapes.ts';
const SEND = 'kept.responses.sendFound(req, res, kept.found);';

export const PLANTS: Readonly<Record<string, readonly [file: string, part: string, instead: string]>> = {
  'invalidation is switched off': [CACHE, 'epoch?.revision !== revision', 'epoch === undefined'],
  'the revision never moves': ['server/store/sqlite/reader.ts', 'return revision;', 'return 1;'],
  'answers are kept without their account': [CACHE, '`${String(account)}${target}`', 'target'],
  'a remembered answer lacks a header': [
    CACHE,
    SEND,
    `Object.assign(res, { writeHead: (status, head) => Object.getPrototypeOf(res).writeHead.call(
      res, status, head.filter((_, at) => head[at - (at % 2)] !== 'Vary')) });
    ${SEND}`,
  ],
  'a remembered answer is 304 whatever tag is given': [
    CACHE,
    SEND,
    `if (req.headers['if-none-match'] !== undefined) req.headers['if-none-match'] = '*'; ${SEND}`,
  ],
  'a remembered answer has the request id of the first': [CACHE, SEND, `delete req.headers['x-request-id']; ${SEND}`],
  'a verdict is used whatever the filter': [
    SHAPES,
    'const found = this.#id.exec(target);',
    "target = target.replace(/status=[a-z_]+/, ''); const found = this.#id.exec(target);",
  ],
  'a verdict is used with the id that was judged': [SHAPES, 'if (slot !== undefined) call', 'if (slot === null) call'],
  'an id is taken from a fragment or an authority': [SHAPES, 'if (!PLAIN_TARGET.test(target)) return;', ''],
  'a key works after it has been revoked': [
    CACHE,
    'callers: new BoundedMap(MAX_KEYS)',
    'callers: epoch?.callers ?? new BoundedMap(MAX_KEYS)',
  ],
  'a key is filed under a later state than it was read in': [CACHE, 'pending.epoch.callers', 'epoch.callers'],
  'an answer is filed under a later state than it was read in': [CACHE, 'now.answers.set', 'epoch.answers.set'],
};
