/** Faults of one context: a rule of requests is broken there alone, and only a crossed request shows it. */
import {
  AUTOMATIONS,
  IMPORTS,
  PROPERTIES,
  becomes,
  fails,
  inPage,
  isCursor,
  isGetById,
  isSecond,
  mutantsOf,
  onHead,
  only,
  problem,
  reads,
  targetOf,
  where,
} from './mutant.ts';
import type { Change, Context, InterceptedRequest } from './proxy.ts';

const isDoubled = ({ path }: InterceptedRequest): boolean => path.startsWith('//');
const isHead = ({ method }: InterceptedRequest): boolean => method === 'HEAD';
const hasBody = ({ body }: InterceptedRequest): boolean => body !== '';
const hasOrigin = ({ headers }: InterceptedRequest): boolean => 'origin' in headers;

/** Reads a limit that is too large as the largest one. */
const clamps: Change = reads('limit', (value) => (Number(value) > 100 ? '100' : value));
/** Ignores parameters that are unknown. */
const ignoresUnknown: Change = {
  request: ({ query }) => {
    for (const name of [...query.keys()])
      if (!['limit', 'after', 'before', 'status'].includes(name)) query.delete(name);
    return undefined;
  },
};
/** Responds as if the cursor were that of a page without a filter. */
const ignoresFilter = becomes(
  (it: InterceptedRequest) => targetOf(it, 'status'),
  ({ status }, { query }) => status === 200 && query.has('status'),
);
const isFirst = (request: InterceptedRequest, context: Context): boolean => !isSecond(request, context);

export const CROSSED_FAULTS = mutantsOf({
  'list.sampled': {
    'only with HEAD, a limit of more than 100 is clamped': where((it) => isHead(it), only(AUTOMATIONS, clamps)),
    'only with HEAD, an unknown cursor is a page': onHead((reply, it) => {
      if (reply.status !== 404 || !isCursor(it)) return;
      reply.status = 200;
      reply.headers['etag'] = '"none"';
    }),
    'only with leading slashes, unknown parameters are ignored': where(isDoubled, ignoresUnknown),
    'only with leading slashes, a filter is ignored': where(
      (it, context) => isDoubled(it) && isFirst(it, context),
      only(AUTOMATIONS, ignoresFilter),
    ),
    'only with a body, has_more is true': where(
      hasBody,
      only(
        PROPERTIES,
        inPage((page) => (page.has_more = true)),
      ),
    ),
    'only for the second account, both cursors are a 404': where(
      isSecond,
      only(
        IMPORTS,
        fails(404, 'not_found', ({ status }, { query }) => status === 422 && query.has('after') && query.has('before')),
      ),
    ),
    'only from another origin, a limit of 0 is the default': where(
      hasOrigin,
      reads('limit', (value) => (Number(value) < 1 ? '20' : value)),
    ),
    'only with HEAD, a malformed id is a 404': onHead((reply, it) => {
      if (reply.status === 422 && /^\/+contacts\/imports\/[^/]+$/.test(it.path)) reply.status = 404;
    }),
    'only with a body, an import of the second account is unknown': {
      request: (it, context) =>
        isGetById(it) && hasBody(it) && isSecond(it, context) ? problem(404, 'not_found') : undefined,
    },
  },
});
