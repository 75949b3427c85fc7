/** Faults of bodies: encodings, forms of JSON, types of values. */
import { toHtml } from './edits.ts';
import {
  AUTOMATIONS,
  PROPERTIES,
  inBody,
  inItems,
  inList,
  inReply,
  isGetById,
  mutantsOf,
  on,
  inText,
} from './mutant.ts';

export const BODY_FAULTS = mutantsOf({
  'response.encoding': {
    'texts are in another encoding than UTF-8': on(200, (reply, { method, path }) => {
      if (method === 'GET' && path === AUTOMATIONS)
        reply.bytes = Buffer.from(reply.body.replaceAll(/[^\0-\xff]/g, '\xb9'), 'latin1');
    }),
    'lists begin with a byte order mark': inText((body) => (body.includes('"data"') ? `\ufeff${body}` : body)),
    'errors begin with a byte order mark': on(404, (reply) => (reply.body &&= `\ufeff${reply.body}`)),
  },
  'response.integers': {
    'counts in lists are written with a fraction': inText((body) =>
      body.includes('"data"') ? body.replaceAll(/"(total|created)":(\d+)/g, '"$1":$2.0') : body,
    ),
    'counts alone are written with an exponent': inText((body) =>
      body.includes('"data"') ? body : body.replaceAll(/"(updated|skipped)":(\d+)/g, '"$1":$2e0'),
    ),
    'the statusCode of an error has a fraction': on(
      422,
      (reply) => (reply.body = reply.body.replace(/("statusCode":\d+)/, '$1.0')),
    ),
  },
  'record.constraints': {
    'texts have NUL characters': inText((body) => body.replaceAll('№', '\\u0000')),
    'texts have halves of surrogate pairs': inText((body) => body.replaceAll('№', '\\ud83d')),
  },
  'response.content_type': {
    'Accept of another JSON type is the type of responses': on(200, ({ headers }, request) => {
      if (request.headers['accept']?.startsWith('application/vnd.') === true)
        headers['content-type'] = request.headers['accept'];
    }),
    'Accept: text/html has HTML errors': inReply((reply, { headers, method }) => {
      if (reply.status >= 400 && method === 'GET' && headers['accept']?.includes('text/html') === true) toHtml(reply);
    }),
    'get by id names a charset': on(200, ({ headers }, it) => {
      if (isGetById(it)) headers['content-type'] = 'application/json; charset=utf-8';
    }),
  },
  'response.schema': {
    'a page without items has no data': inList((body) => {
      if (body.data.length === 0) Object.assign(body, { data: null });
    }),
    'what is false is left out': inList((body) => {
      if (!body.has_more) Reflect.deleteProperty(body, 'has_more');
    }),
    'counts alone that are zero are left out': inBody(200, (body, it) => {
      if (isGetById(it))
        body['counts'] = Object.fromEntries(
          Object.entries(body['counts'] as object).filter(([, count]) => count !== 0),
        );
    }),
    'has_more of contact properties is a number': inList((body, { path }) => {
      if (path === PROPERTIES) Object.assign(body, { has_more: body.has_more ? 1 : 0 });
    }),
    'counts are texts': inItems((item) => {
      const counts = item['counts'] as Record<string, unknown> | undefined;
      if (counts) counts['total'] = String(counts['total']);
    }),
    'instants of contact properties have seven digits': inItems((item, { path }) => {
      if (path === PROPERTIES)
        item.created_at = item.created_at.replace(/\.(\d+)/, (_, it: string) => `.${it.padEnd(7, '0')}`);
    }),
    'completed_at alone is as RFC 3339 has it': inBody(200, (body, it) => {
      if (isGetById(it) && typeof body['completed_at'] === 'string')
        body['completed_at'] = body['completed_at'].replace(' ', 'T').replace('+00', 'Z');
    }),
    'a number that is no number is written as NaN': inText((body) =>
      body.replaceAll('"type":"number","fallback_value":null', '"type":"number","fallback_value":NaN'),
    ),
    'a warning stands before errors': on(
      422,
      (reply) => (reply.body &&= `<br />\n<b>Warning</b>: Undefined index${reply.body}`),
    ),
  },
});
