/** Faults of errors: their names, bodies and statuses, and odd input that is a 500. */
import { idOf } from './edits.ts';
import { inBody, mutantsOf, on, cursorOf, fails } from './mutant.ts';
import type { Change, InterceptedRequest, Reply } from './proxy.ts';

type Test = (request: InterceptedRequest, reply: Reply) => boolean;
/** Puts a 500 in the place of a response to odd input. */
const breaks = (isSo: Test): Change =>
  fails(500, 'application_error', (reply, it) => reply.status === 422 && isSo(it, reply));

export const ERROR_FAULTS = mutantsOf({
  'response.error_name': {
    'a 405 is named not_found': inBody(405, (body) => (body['name'] = 'not_found')),
  },
  'response.error_status_code': {
    'the statusCode of a 405 is 404': inBody(405, (body) => (body['statusCode'] = 404)),
  },
  'response.error_message': {
    'the message of a wrong status names nothing': inBody(422, (body, { query }) => {
      if (query.has('status') && !query.has('nonsense')) body['message'] = 'Invalid value.';
    }),
  },
  'response.content_type': {
    'a 405 has no body': on(405, (reply) => {
      reply.body = '';
      delete reply.headers['content-type'];
    }),
  },
  'list.malformed_cursor': {
    'a cursor of more than 255 characters is a 500': breaks((it) => cursorOf(it).length > 255),
  },
  'request.unknown_parameter': {
    'an escape that is none is a 500': breaks(({ target }) => /%(?![0-9a-f]{2})/i.test(target)),
  },
  'get.malformed_id': {
    'an id that is a number is a 500': breaks((it) => /^\d+$/.test(idOf(it) ?? '')),
  },
});
