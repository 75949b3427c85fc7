/** Faults of responses: headers, schemas, records, errors. */
import { PROPERTIES, inBody, inItems, inList, isList, isGetById, on } from './mutant.ts';
import type { Mutant } from './mutant.ts';
import type { Reply } from './proxy.ts';

/** Removes a header from every response. */
const without =
  (name: string): Mutant['reply'] =>
  (reply) =>
    void Reflect.deleteProperty(reply.headers, name);
const html = (reply: Reply): void => {
  reply.headers['content-type'] = 'text/html';
  reply.body = '<h1>Not found</h1>';
};

export const RESPONSE_MUTANTS: readonly Mutant[] = [
  { name: 'no response has an X-Request-Id', rule: 'header.x_request_id', reply: without('x-request-id') },
  { name: 'no response has a Cache-Control', rule: 'header.cache_control', reply: without('cache-control') },
  {
    name: 'any cache may store responses',
    rule: 'header.cache_control',
    reply: on(200, ({ headers }) => (headers['cache-control'] = 'public, max-age=60')),
  },
  { name: 'no response has a Vary', rule: 'header.vary', reply: without('vary') },
  { name: 'no response has an ETag', rule: 'header.etag', reply: without('etag') },
  {
    name: 'a 304 has no ETag',
    rule: 'header.etag',
    reply: on(304, ({ headers }) => Reflect.deleteProperty(headers, 'etag')),
  },
  { name: 'a 401 has no WWW-Authenticate', rule: 'header.www_authenticate', reply: without('www-authenticate') },
  {
    name: 'a 405 has no Allow',
    rule: 'header.allow',
    reply: on(405, ({ headers }) => Reflect.deleteProperty(headers, 'allow')),
  },
  {
    name: 'rate-limit headers come in part',
    rule: 'header.rate_limit',
    reply: on(200, ({ headers }) => Object.assign(headers, { 'ratelimit-limit': '10', 'ratelimit-remaining': '9' })),
  },
  {
    name: 'X-Content-Type-Options is none that there is',
    rule: 'header.optional',
    reply: ({ headers }) => (headers['x-content-type-options'] = 'sniff'),
  },
  {
    name: 'unknown paths have HTML responses',
    rule: 'response.content_type',
    reply: on(404, (reply, request) => {
      if (!isList(request) && !isGetById(request)) html(reply);
    }),
  },
  {
    name: 'a 401 has HTML',
    rule: 'response.content_type',
    reply: on(401, html),
  },
  {
    name: 'responses are text',
    rule: 'response.content_type',
    reply: on(200, ({ headers }) => (headers['content-type'] = 'text/plain')),
  },
  {
    name: 'a page lacks has_more',
    rule: 'response.schema',
    reply: inList((body) => Reflect.deleteProperty(body, 'has_more')),
  },
  {
    name: 'has_more is a text',
    rule: 'response.schema',
    reply: inList((body) => Object.assign(body, { has_more: 'true' })),
  },
  {
    name: 'data is null where there is none',
    rule: 'response.schema',
    reply: inList((body) => Object.assign(body, { data: body.data.length > 0 ? body.data : null })),
  },
  {
    name: 'an id is in upper case',
    rule: 'response.schema',
    reply: inItems((item) => (item.id = item.id.toUpperCase())),
  },
  {
    name: 'timestamps are RFC 3339',
    rule: 'response.schema',
    reply: inItems((item) => (item.created_at = item.created_at.replace(' ', 'T'))),
  },
  {
    name: 'completed_at is left out where it is null',
    rule: 'response.schema',
    reply: inItems((item) => {
      if (item['completed_at'] === null) delete item['completed_at'];
    }),
  },
  {
    name: 'counts are texts',
    rule: 'response.schema',
    reply: inItems(({ counts }) => {
      const all = counts as Record<string, unknown> | undefined;
      if (all !== undefined) all['total'] = String(all['total']);
    }),
  },
  {
    name: 'a status is none of the contract',
    rule: 'response.schema',
    reply: inItems((item) => {
      if (item['status'] === 'disabled') item['status'] = 'paused';
    }),
  },
  {
    name: 'an error has no name',
    rule: 'response.schema',
    reply: inBody(422, (body) => Reflect.deleteProperty(body, 'name')),
  },
  {
    name: 'an error has a name of its own',
    rule: 'response.schema',
    reply: inBody(404, (body) => (body['name'] = 'missing')),
  },
  {
    name: 'an error has no message',
    rule: 'response.schema',
    reply: inBody(401, (body) => Reflect.deleteProperty(body, 'message')),
  },
  {
    name: 'the statusCode of an error is another',
    rule: 'response.error_status_code',
    reply: inBody(422, (body) => (body['statusCode'] = 400)),
  },
  {
    name: 'a message names nothing',
    rule: 'response.error_message',
    reply: inBody(422, (body) => (body['message'] = 'Bad request.')),
  },
  {
    name: 'validation errors are 400',
    rule: 'response.status',
    reply: (reply) => {
      if (reply.status === 422) reply.status = 400;
    },
  },
  {
    name: 'a queued import has an end',
    rule: 'record.constraints',
    reply: inItems((item) => {
      if (item['status'] === 'queued') item['completed_at'] = item.created_at;
    }),
  },
  {
    name: 'an import that has ended has no end',
    rule: 'record.constraints',
    reply: inItems((item) => {
      if (item['status'] === 'failed') item['completed_at'] = null;
    }),
  },
  {
    name: 'the fallback of a number is a text',
    rule: 'record.constraints',
    reply: inItems((item, { path }) => {
      if (path.endsWith(PROPERTIES) && item['type'] === 'number') item['fallback_value'] = '5';
    }),
  },
  {
    name: 'a day is none of the calendar',
    rule: 'record.constraints',
    reply: inItems((item) => {
      if ('updated_at' in item) item['updated_at'] = '2026-02-30 00:00:00+00';
    }),
  },
  {
    name: 'a text has NUL',
    rule: 'record.constraints',
    reply: inItems((item) => {
      if ('name' in item) item['name'] = 'a\u0000b';
    }),
  },
];
