/** Words that people search for and that a title does not have. A comma separates them. */
const WORDS: readonly (readonly [title: RegExp, words: string])[] = [
  [/^quick start$/i, 'getting started, get started, tutorial, introduction, begin, hello world'],
  [/^get an api key$/i, 'create key, rollcall keys create, demo, access, sign up'],
  [
    /^send a request$/i,
    'curl, first request, first call, http, example, sample, typescript, javascript, node, python, go, golang, sdk, client',
  ],
  [/^get the next page$/i, 'next page, iterate, loop, all items, all pages'],
  [/^handle errors$/i, 'error handling, exceptions, try catch'],
  [/^pagination$/i, 'pagination, paging, pages, previous page, cursor, offset, has_more, infinite scroll'],
  [/^sorting$/i, 'sort, sorting, order, order by, newest first, oldest, descending, ascending, latest'],
  [
    /^authentication$/i,
    'authentication, auth, authorization, authorize, login, log in, sign in, api key, api keys, token, bearer, credentials, secret, scopes, permissions',
  ],
  [
    /^rate limits$/i,
    'rate limit, rate limits, rate limiting, throttling, quota, too many requests, retry, retries, backoff',
  ],
  [/^requests$/i, 'validation, query parameters, methods, options, head, post, put, patch, delete, trailing slash'],
  [/^responses$/i, 'responses, json, format, body, content type, null, unicode, encoding, timestamps'],
  [/^errors$/i, 'error codes, status codes, problem, failure'],
  [/^conditional requests$/i, 'polling, poll, refresh, cache, caching, not modified, webhook, webhooks, real time'],
  [/^stability$/i, 'versioning, version, versions, deprecation, deprecated, breaking changes, compatibility, semver'],
  [/^changelog$/i, 'change log, changes, releases, release notes, history, what is new'],
  [/^headers$/i, 'response headers, request headers'],
  [/^schemas$/i, 'types, models, objects, data types'],
  [/^timestamp$/i, 'timezone, time zone, time, date, dates, datetime, utc, iso 8601, rfc 3339, offset'],
  [/^id$/i, 'uuid, guid, identifier'],
  [/^cors$/i, 'cross-origin, origin, browser, preflight'],
  [/^x-request-id$/i, 'request id, correlation id, trace, tracing, support, logs'],
  [/^retry-after$/i, 'wait, seconds'],
];

/** @returns the words for a title; `undefined` if there are none. */
export const searchWordsOf = (title: string): string | undefined => WORDS.find(([word]) => word.test(title))?.[1];
