/** Faults of ids and paths: what frameworks accept beside the path and the pattern of the contract. */
import { idOf, paths } from './edits.ts';
import { becomes, hasKey, PROPERTIES, isGetById, mutantsOf, fails, rejects } from './mutant.ts';
import type { Change } from './proxy.ts';

const asks = (path: RegExp): Change =>
  fails(401, 'missing_api_key', ({ status }, it) => {
    return status === 404 && path.test(it.path) && !('authorization' in it.headers);
  });

export const PATH_FAULTS = mutantsOf({
  'get.malformed_id': {
    'an id with a NUL is a 500': rejects(500, 'application_error', (it) => idOf(it)?.includes('\0') === true),
    'any letters are hexadecimal': fails(404, 'not_found', ({ status }, request) => {
      return (
        status === 422 && /^[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}$/i.test(idOf(request) ?? '') && isPlain(request)
      );
    }),
    'hyphens may stand anywhere in an id': fails(404, 'not_found', ({ status }, request) => {
      return status === 422 && /^[0-9a-f-]{36}$/i.test(idOf(request) ?? '') && isPlain(request);
    }),
    'an id may have digits of any script': fails(404, 'not_found', ({ status }, request) => {
      const id = idOf(request) ?? '';
      return status === 422 && /\p{Nd}/u.test(id.replaceAll(/[0-9]/g, '')) && isPlain(request);
    }),
  },
  'get.id_case': {
    'an id in upper and lower case at once is malformed': rejects(422, 'validation_error', (it) => {
      return isGetById(it) && /[A-F]/.test(idOf(it) ?? '') && /[a-f]/.test(idOf(it) ?? '');
    }),
  },
  'request.exact_path': {
    'an escaped slash separates segments': paths((path) => path.replace('%2F', '/')),
    'an escaped letter of a path is malformed': rejects(
      422,
      'validation_error',
      (it, context) => hasKey(it, context) && /%[67]/.test(it.path),
    ),
  },
  'request.unknown_path': {
    'below automations the key comes before the path': asks(/^\/automations\/[0-9a-f-]+$/),
    'the first of several leading segments is a host': paths((path) => path.replace(/^\/\/[^/]+(?=\/)/, '')),
    'what follows the id of an import is passed over': paths((path) =>
      path.replace(/^(\/contacts\/imports\/[0-9a-f-]{36})\/.+$/i, '$1'),
    ),
    'with its key, a contact property has a path too': becomes(
      () => `${PROPERTIES}?limit=1`,
      ({ status }, it, context) =>
        status === 404 && hasKey(it, context) && /^\/contact-properties\/[0-9a-f-]{36}$/.test(it.path),
    ),
  },
  'request.leading_slashes': {
    'three leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('///')),
  },
  'request.fragment': {
    'a fragment is part of the last parameter': rejects(422, 'validation_error', ({ target }) => {
      return /[?].*#/.test(target);
    }),
    'a fragment behind the id of an import is part of the id': rejects(404, 'not_found', (it) => {
      return isGetById(it) && it.target.includes('#');
    }),
  },
});

/** Whether the path is all that may be wrong with a request. */
function isPlain({ method, query }: { readonly method: string; readonly query: URLSearchParams }): boolean {
  return (method === 'GET' || method === 'HEAD') && query.size === 0;
}
