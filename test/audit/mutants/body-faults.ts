import { mutantsOf, on, inText } from './mutant.ts';

export const BODY_FAULTS = mutantsOf({
  'response.encoding': {
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
  },
  'record.constraints': {
    'texts have NUL characters': inText((body) => body.replaceAll('№', '\\u0000')),
  },
  'response.schema': {
    'a number that is no number is written as NaN': inText((body) =>
      body.replaceAll('"type":"number","fallback_value":null', '"type":"number","fallback_value":NaN'),
    ),
  },
});
