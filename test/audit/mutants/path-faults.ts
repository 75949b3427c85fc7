/** Faults of ids and paths: what frameworks accept beside the path and the pattern of the contract. */
import { ids, idOf, paths, page } from './edits.ts';
import {
  becomes,
  hasKey,
  AUTOMATIONS,
  IMPORTS,
  LISTS,
  PROPERTIES,
  inReply,
  isGetById,
  isList,
  mutantsOf,
  fails,
  rejects,
  problem,
} from './mutant.ts';
import type { Change } from './proxy.ts';

const asks = (path: RegExp): Change =>
  fails(401, 'missing_api_key', ({ status }, it) => {
    return status === 404 && path.test(it.path) && !('authorization' in it.headers);
  });
const ZEROS = '00000000-0000-0000-0000-000000000000';
/** Takes ids in another form for what they stand for. */
const reads = (form: RegExp, as: string): Change => ids((id) => id.replace(form, as));

export const PATH_FAULTS = mutantsOf({
  'get.malformed_id': {
    'a line feed behind an id is passed over': reads(/%0a$/i, ''),
    'an id may stand in braces': reads(/^(?:%7b|\{)(.*)(?:%7d|\})$/i, '$1'),
    'an id needs no hyphens': reads(/^(.{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i, '$1-$2-$3-$4-$5'),
    'an id may begin with urn:uuid:': reads(/^urn(?::|%3a)uuid(?::|%3a)/i, ''),
    'blanks around an id are cut off': reads(/^(?:%20|\+)+|(?:%20|\+)+$/g, ''),
    'what follows the 36 characters of an id is cut off': reads(/^([0-9a-f-]{36})[^/?#;]+$/i, '$1'),
    'an id may be followed by a matrix parameter': reads(/(?:;|%3b).*$/i, ''),
    'an id with a NUL is a 500': rejects(500, 'application_error', (it) => idOf(it)?.includes('\0') === true),
    'an id that is not UTF-8 is a 500': rejects(500, 'application_error', ({ path }) => /%(ff|c0|fe)/i.test(path)),
    'an id of more than 255 characters is a 500': rejects(
      500,
      'application_error',
      (it) => (idOf(it)?.length ?? 0) > 255,
    ),
    'any letters are hexadecimal': fails(404, 'not_found', ({ status }, request) => {
      return (
        status === 422 && /^[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}$/i.test(idOf(request) ?? '') && isPlain(request)
      );
    }),
    'hyphens may stand anywhere in an id': fails(404, 'not_found', ({ status }, request) => {
      return status === 422 && /^[0-9a-f-]{36}$/i.test(idOf(request) ?? '') && isPlain(request);
    }),
    'the groups of an id may be short': fails(404, 'not_found', ({ status }, request) => {
      return (
        status === 422 &&
        /^[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}$/i.test(idOf(request) ?? '') &&
        isPlain(request)
      );
    }),
    'an id may have digits of any script': fails(404, 'not_found', ({ status }, request) => {
      const id = idOf(request) ?? '';
      return status === 422 && /\p{Nd}/u.test(id.replaceAll(/[0-9]/g, '')) && isPlain(request);
    }),
    'a number is an id': fails(404, 'not_found', ({ status }, request) => {
      return status === 422 && /^-?\d+$/.test(idOf(request) ?? '') && isPlain(request);
    }),
  },
  'get.not_found': {
    'the id of zeros is malformed': rejects(422, 'validation_error', (it) => isPlain(it) && idOf(it) === ZEROS),
    'an id must be a UUID of version 4': fails(422, 'validation_error', ({ status }, request) => {
      return status === 404 && isPlain(request) && isGetById(request) && idOf(request)?.[14] !== '4';
    }),
    'an id must have a variant of RFC 9562': fails(422, 'validation_error', ({ status }, request) => {
      return status === 404 && isPlain(request) && isGetById(request) && !/[89ab]/i.test(idOf(request)?.[19] ?? '');
    }),
    'the id of a contact property is that of an import': inReply(async (reply, request, context) => {
      const at = context.items(PROPERTIES).findIndex((it) => it.id === idOf(request)?.toLowerCase());
      if (reply.status !== 404 || at < 0) return;
      Object.assign(reply, await context.get(`${IMPORTS}/${context.items(IMPORTS)[at]?.id ?? ''}`));
    }),
  },
  'get.id_case': {
    'an id in upper and lower case at once is malformed': rejects(422, 'validation_error', (it) => {
      return isGetById(it) && /[A-F]/.test(idOf(it) ?? '') && /[a-f]/.test(idOf(it) ?? '');
    }),
  },
  'request.exact_path': {
    'unknown paths below a list are malformed ids': rejects(422, 'validation_error', ({ path }) => {
      return LISTS.slice(0, 2).some((it) => path.startsWith(`${it}/`) && path.length > it.length + 1);
    }),
    'a slash behind the id of an import is passed over': paths((path) =>
      isGetById({ path: path.replace(/\/$/, '') }) ? path.replace(/\/$/, '') : path,
    ),
    'a slash behind contact properties is passed over': paths((path) =>
      path === `${PROPERTIES}/` ? PROPERTIES : path,
    ),
    'before the id of an import the path is read in any case': paths((path) => {
      const [, id] = /^\/contacts\/imports\/([0-9a-f-]{36})$/i.exec(path) ?? [];
      return id === undefined ? path : `${IMPORTS}/${id}`;
    }),
    'a list may end with .json': paths((path) => path.replace(/^(\/[a-z/-]+)\.json$/, '$1')),
    'matrix parameters are cut off the paths of lists': paths((path) => {
      const list = path.replace(/(?:;|%3b).*$/i, '');
      return isList({ path: list }) ? list : path;
    }),
    'blanks behind a path are cut off': paths((path) => path.replace(/^(\/[a-z/-]+)(?:%20)+$/, '$1')),
    'without an id the id is malformed': rejects(422, 'validation_error', ({ path }) => path === `${IMPORTS}/`),
    'an escaped slash separates segments': paths((path) => path.replace('%2F', '/')),
    'an escaped letter of a path is malformed': rejects(
      422,
      'validation_error',
      (it, context) => hasKey(it, context) && /%[67]/.test(it.path),
    ),
    'an underscore is a hyphen': paths((path) => path.replace('/contact_properties', PROPERTIES)),
  },
  'response.status': {
    'a slash behind a path redirects to the path without it': {
      request: ({ path, method }) => {
        const exact = path.replace(/\/$/, '');
        if (exact === path || method !== 'GET' || !(isList({ path: exact }) || isGetById({ path: exact })))
          return undefined;
        return { ...page(301), headers: { ...page(301).headers, location: exact } };
      },
    },
  },
  'request.unknown_path': {
    'below automations the key comes before the path': asks(/^\/automations\/[0-9a-f-]+$/),
    'at the path above imports the key comes before the path': asks(/^\/contacts$/),
    'the first of several leading segments is a host': paths((path) => path.replace(/^\/\/[^/]+(?=\/)/, '')),
    'a version may stand before a path': paths((path) => path.replace(/^\/v\d+(?=\/)/, '')),
    'what follows the id of an import is passed over': paths((path) =>
      path.replace(/^(\/contacts\/imports\/[0-9a-f-]{36})\/.+$/i, '$1'),
    ),
    'the path above imports exists for other methods': rejects(
      405,
      'method_not_allowed',
      ({ path }) => path === '/contacts',
    ),
    'with its key, a contact property has a path too': becomes(
      () => `${PROPERTIES}?limit=1`,
      ({ status }, it, context) =>
        status === 404 && hasKey(it, context) && /^\/contact-properties\/[0-9a-f-]{36}$/.test(it.path),
    ),
    'an automation has a path too': inReply((reply, { path, method }, { items }) => {
      const item = items(AUTOMATIONS).find((it) => path === `${AUTOMATIONS}/${it.id}`);
      if (item === undefined || method !== 'GET') return;
      Object.assign(reply, { ...problem(200, ''), body: JSON.stringify(item) });
      reply.headers['etag'] = `"${item.id}"`;
    }),
  },
  'request.leading_slashes': {
    'three leading slashes are another path': rejects(404, 'not_found', ({ path }) => path.startsWith('///')),
    'leading slashes before the id of an import are another path': rejects(404, 'not_found', (it) => {
      return it.path.startsWith('//') && isGetById(it);
    }),
  },
  'request.fragment': {
    'a fragment is part of the path': rejects(
      404,
      'not_found',
      ({ target }) => target.includes('#') && !target.includes('?'),
    ),
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
