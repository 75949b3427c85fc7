/** Mutants of the caches, each of which the differential test must find: a part of a file, and its replacement. */

const PIPELINE = 'server/http/pipeline.ts';
const AUTHENTICATION = 'server/http/authentication.ts';
const CACHE = 'server/http/cache.ts';
const TEMPLATES = 'server/http/request-templates.ts';
const LIMITS = 'server/http/rate-limits.ts';
const STATEMENTS = 'server/store/postgres/statements.ts';
const REUSE = 'x.isCached = x.reply !== undefined;';

type Mutant = readonly [file: string, part: string, replacement: string, engine?: 'postgres'];

/** On SQLite, unless they say otherwise. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'invalidation is switched off': [CACHE, 'generation?.revision !== revision', 'generation === undefined'],
  'the revision never moves': ['server/store/sqlite/reader.ts', 'return revision;', 'return 1;'],
  'replies are cached without their account': [CACHE, '`${String(caller.account)}${target}`', 'target'],
  'a cached reply lacks a header': [
    PIPELINE,
    REUSE,
    `${REUSE} if (x.reply !== undefined) x.reply = { ...x.reply, headers: x.reply.headers.slice(2) };`,
  ],
  'a cached reply is a 304 whatever tag is given': [
    PIPELINE,
    REUSE,
    `${REUSE} if (x.isCached && x.req.headers['if-none-match'] !== undefined) x.req.headers['if-none-match'] = '*';`,
  ],
  'a cached reply has the request id of the first': [
    PIPELINE,
    REUSE,
    `${REUSE} if (x.isCached) Object.assign(x, { id: 'the-first' });`,
  ],
  'a validation result is used whatever the filter': [
    TEMPLATES,
    'const found = this.#id.exec(target);',
    "target = target.replace(/status=[a-z_]+/, ''); const found = this.#id.exec(target);",
  ],
  'a validation result is used with the id that was validated': [
    TEMPLATES,
    'if (template?.id === undefined)',
    'if (template !== undefined)',
  ],
  'an id is taken from a fragment or an authority': [TEMPLATES, ' || !PLAIN_TARGET.test(target)', ''],
  'a key works after it has been revoked': [
    CACHE,
    'generation = createGeneration(revision, replyBytes);',
    'generation = { ...createGeneration(revision, replyBytes), ...(generation && { accessOf: generation.accessOf, addAccess: generation.addAccess }) };',
  ],
  'what is read late is cached under a newer revision': [
    PIPELINE,
    'x.generation?.addReply(access, x.url, x.reply);',
    'for (const late of [1, 2]) if (late > 0) generationOf?.(store.revision() ?? 0).addReply(access, x.url, x.reply);',
  ],
  'a key that is read late is cached under a newer revision': [
    AUTHENTICATION,
    'x.generation?.addAccess(authorization, x.access);',
    'generationOf?.(store.revision() ?? 0).addAccess(authorization, x.access);',
  ],
  'a key works after it has expired': ['server/store/sqlite/reader.ts', '&& now < state.until) return;', ') return;'],
  'a key with U+00A0 behind it is that key': [
    AUTHENTICATION,
    'x.generation?.accessOf(authorization);',
    'x.generation?.accessOf(authorization.trim());',
  ],
  'a cached reply is not counted': [
    PIPELINE,
    'const spend: Stage = (x) => rateLimits?.spend(x, accessOf(x).caller.account);',
    'const spend: Stage = (x) => x.generation?.replyOf(accessOf(x), x.url) === undefined ? rateLimits?.spend(x, accessOf(x).caller.account) : undefined;',
  ],
  'a cached reply may not be read by scripts': [PIPELINE, REUSE, `${REUSE} if (x.isCached) x.corsHeaders = [];`],
  'a read of a key that has been live may not be read by scripts': [
    AUTHENTICATION,
    'x.isKeyUnverified = readerOf !== undefined;',
    'x.isKeyUnverified = readerOf !== undefined; x.corsHeaders = [];',
    'postgres',
  ],
  'a key that is revoked reads on': [STATEMENTS, ' = $1 AND live.revoked_at IS NULL', ' = $1', 'postgres'],
  'a key that has expired reads on': [STATEMENTS, 'OR live.expires_at > $', 'OR live.expires_at <> $', 'postgres'],
  'a key that is no longer live costs its account a request': [LIMITS, 'await x.refund?.();', '', 'postgres'],
  'a key that is no longer live costs its address nothing': [
    AUTHENTICATION,
    'after(rateLimits?.spendFailure(x), ',
    'after(undefined, ',
    'postgres',
  ],
  'a request counts twice': [
    LIMITS,
    'const state = await limiter.penalty(key);',
    'await limiter.penalty(key); const state = await limiter.penalty(key);',
    'postgres',
  ],
  'a request over the limit is served': [
    PIPELINE,
    'const spend: Stage = (x) => rateLimits?.spend(x, accessOf(x).caller.account);',
    'const spend: Stage = (x) => (x.isKeyUnverified ? undefined : rateLimits?.spend(x, accessOf(x).caller.account));',
    'postgres',
  ],
  'a revoked key gets a 422': [PIPELINE, 'await verifyKey(x); // A 401 comes before a 422.', '', 'postgres'],
};
