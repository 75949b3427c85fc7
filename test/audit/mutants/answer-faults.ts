/** Faults of responses that a few requests show: conditions with cursors, headers of some statuses alone, what messages say and reveal. */
import { opaque, toLimited } from './edits.ts';
import { inBody, inReply, isGetById, mutantsOf, on } from './mutant.ts';
import { isKnownPath } from './mutant.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

/** Puts rate-limit headers into the responses to reads, but not into all. */
const limitsBut = (isLeftOut: (reply: Reply, request: InterceptedRequest) => boolean): Change =>
  inReply((reply, request) => {
    if (!['GET', 'HEAD'].includes(request.method) || !isKnownPath(request) || isLeftOut(reply, request)) return;
    toLimited(reply);
  });
const CORS = ['access-control-allow-origin', 'access-control-expose-headers'];
/** Takes the headers for other origins away from some responses. */
const withoutCors = (isSo: (reply: Reply, request: InterceptedRequest) => boolean): Change =>
  inReply((reply, request) => {
    if (isSo(reply, request)) for (const name of CORS) Reflect.deleteProperty(reply.headers, name);
  });
const twice = (status: number, name: string, value: (old: string) => string): Change =>
  on(status, (reply) => (reply.again = { [name]: value(reply.headers[name] ?? '') }));
/** Gives errors of a status another message. */
const says = (
  status: number,
  message: (old: string, request: InterceptedRequest) => string,
  isSo: (request: InterceptedRequest) => boolean = () => true,
): Change =>
  inBody(status, (body, request) => {
    if (isSo(request)) body['message'] = message(String(body['message']), request);
  });
const STATUS = /`status` must be one of.*/;

export const ANSWER_FAULTS = mutantsOf({
  'header.rate_limit_coverage': {
    'a 304 has no rate-limit headers': limitsBut(({ status }) => status === 304),
    'a 401 has no rate-limit headers': limitsBut(({ status }) => status === 401),
  },
  'http.cross_origin': {
    'a 401 is not for other origins': withoutCors(({ status }) => status === 401),
    'a 404 is not for other origins': withoutCors(({ status }) => status === 404),
    'a 422 is not for other origins': withoutCors(({ status }) => status === 422),
    'a 304 is not for other origins': withoutCors(({ status }) => status === 304),
    'HEAD is not for other origins': withoutCors((_reply, { method }) => method === 'HEAD'),
    'a 405 is not for other origins': withoutCors(({ status }) => status === 405),
    'a preflight request does not allow Authorization': inReply(({ headers }, { method }) => {
      if (method === 'OPTIONS' && 'access-control-allow-headers' in headers)
        headers['access-control-allow-headers'] = 'Content-Type';
    }),
  },
  'header.repeated': {
    'two Content-Type lines differ': twice(200, 'content-type', () => 'text/plain'),
    'Content-Type is sent twice': twice(200, 'content-type', (old) => old),
    'two ETag lines differ': twice(200, 'etag', (old) => `W/"${opaque(old).slice(2)}`),
  },
  'response.disclosure': {
    'the message of an unknown path has a file': says(
      404,
      (old) => `${old} open /var/www/html/index.html: no such file or directory`,
      (it) => !isKnownPath(it),
    ),
    'a 422 has its statement among the details': inBody(422, (body) => {
      body['errors'] = [{ detail: 'SELECT id FROM items WHERE account_id = 7' }];
    }),
    'the message of a wrong status names a class of Java': says(
      422,
      (old) => `${old} No enum constant com.example.api.AutomationStatus.NONSENSE`,
      ({ query }) => query.has('status'),
    ),
    'a 404 names the table': says(404, (old) => `${old} SQLITE_ERROR: no such row in contact_imports`, isGetById),
  },
  'response.error_values': {
    'the message of a wrong status does not say the values': says(422, (old) =>
      old.replace(STATUS, '`status` is not a valid choice.'),
    ),
    'the message of a wrong status names one value': says(422, (old) =>
      old.replace(STATUS, '`status` must be `enabled` or `completed`, for example.'),
    ),
  },
});
