/** Faults of lists: pagination, limits, cursors, filters and their combinations. */
import {
  AUTOMATIONS,
  IMPORTS,
  become,
  hasKey,
  inItems,
  inList,
  isCursor,
  isList,
  problem,
  targetOf,
} from './mutant.ts';
import type { Mutant } from './mutant.ts';
import type { InterceptedRequest, Item, Context } from './proxy.ts';

const cursorOf = ({ query }: InterceptedRequest): string | null => query.get('after') ?? query.get('before');
const positionOf = (request: InterceptedRequest, context: Context): number =>
  context.items(request.path).findIndex((it) => it.id === cursorOf(request));
const limitOf = ({ query, path }: InterceptedRequest): number =>
  Number(query.get('limit') ?? (path === IMPORTS ? 10 : 20));

/** Changes `created_at` of the item at a place of a list, wherever it is answered. */
const dated = (place: number, date: (items: readonly Item[]) => string | undefined): Mutant['reply'] =>
  inItems((item, _ask, context) => {
    const items = context.items(AUTOMATIONS);
    if (item.id === items[place]?.id) item.created_at = date(items) ?? '';
  });

const withoutCursor = (request: InterceptedRequest): string =>
  targetOf(request, (query) => {
    query.delete('after');
    query.delete('before');
  });

/** @returns a request without what makes a server reject it. */
const lenient = (
  name: string,
  isRejected: (value: string) => boolean,
  instead: (value: string) => string,
): Mutant['request'] => {
  return ({ query }) => {
    const value = query.get(name);
    if (value === null || !isRejected(value) || query.getAll(name).length > 1) return undefined;
    if (instead(value) === '') query.delete(name);
    else query.set(name, instead(value));
    return undefined;
  };
};

export const LIST_MUTANTS: readonly Mutant[] = [
  {
    name: 'the cursor after is ignored',
    rule: 'list.pagination',
    request: (request, context) => {
      if (positionOf(request, context) >= 0) request.query.delete('after');
      return undefined;
    },
  },
  {
    name: 'the third page repeats the cursor',
    rule: 'list.after',
    reply: inList((body, request, context) => {
      const at = positionOf(request, context);
      const again = context.items(request.path)[at];
      if (request.query.has('after') && at > 10 && at < 40 && again)
        body.data = [again, ...body.data].slice(0, limitOf(request));
    }),
  },
  {
    name: 'far down an item is passed over',
    rule: 'list.pagination',
    reply: inList((body, request, context) => {
      if (request.query.has('after') && positionOf(request, context) === 98) body.data.shift();
    }),
  },
  {
    name: 'far down two items change places',
    rule: 'list.after',
    reply: inList(({ data }, request, context) => {
      if (request.query.has('after') && positionOf(request, context) > 102)
        data.splice(0, 2, ...data.slice(0, 2).reverse());
    }),
  },
  {
    name: 'an old item is out of order',
    rule: 'list.order',
    reply: dated(70, () => '2026-05-01 00:00:00+00'),
  },
  {
    name: 'the offset of instants is not applied',
    rule: 'list.order',
    reply: dated(90, (items) => items[90]?.created_at.replace('+00', '-05:30')),
  },
  {
    name: 'ties are by id, ascending',
    rule: 'list.ties',
    reply: inItems((item, _ask, { items }) => {
      const all = items(AUTOMATIONS);
      const at = all.findIndex(
        (it, index) => it.id < (all[index + 1]?.id ?? '') && it.created_at !== all[index + 1]?.created_at,
      );
      if (item.id === all[at + 1]?.id) item.created_at = all[at]?.created_at ?? '';
    }),
  },
  {
    name: 'the default limit is another',
    rule: 'list.default_limit',
    request: (request) => {
      if (isList(request) && !request.query.has('limit')) request.query.set('limit', '50');
      return undefined;
    },
  },
  {
    name: 'with a cursor the default limit is another',
    rule: 'list.default_limit',
    request: (request) => {
      if (isCursor(request) && !request.query.has('limit')) request.query.set('limit', '5');
      return undefined;
    },
  },
  {
    name: 'with a filter the default limit is another',
    rule: 'list.filter_limit',
    request: (request) => {
      if (request.query.has('status') && !request.query.has('limit')) request.query.set('limit', '100');
      return undefined;
    },
  },
  {
    name: 'a limit over 50 is taken for 50',
    rule: 'list.limit',
    request: lenient(
      'limit',
      (it) => Number(it) > 50 && Number(it) <= 100,
      () => '50',
    ),
  },
  {
    name: 'a middle limit is one short',
    rule: 'list.limit',
    request: lenient(
      'limit',
      (it) => it === '25',
      () => '24',
    ),
  },
  {
    name: 'a limit out of range is clamped',
    rule: 'list.invalid_limit',
    request: lenient(
      'limit',
      (it) => /^\d+$/.test(it) && (Number(it) < 1 || Number(it) > 100),
      () => '100',
    ),
  },
  {
    name: 'a limit is parsed as parseInt does',
    rule: 'list.invalid_limit',
    request: lenient(
      'limit',
      (it) => /^\s*\+?0*[1-9]/.test(it) && Number.parseInt(it, 10) <= 100,
      (it) => String(Number.parseInt(it, 10)),
    ),
  },
  {
    name: 'an empty limit is none',
    rule: 'list.invalid_limit',
    request: lenient(
      'limit',
      (it) => it === '',
      () => '',
    ),
  },
  {
    name: 'before returns the head of the list',
    rule: 'list.before',
    reply: async (reply, request, context) => {
      if (reply.status !== 200 || !request.query.has('before')) return;
      await become(reply, context.get(withoutCursor(request)));
    },
  },
  {
    name: 'before the first item comes the first page',
    rule: 'list.before',
    reply: async (reply, request, context) => {
      if (reply.status !== 200 || !request.query.has('before') || positionOf(request, context) !== 0) return;
      await become(reply, context.get(withoutCursor(request)));
    },
  },
  {
    name: 'before returns oldest first',
    rule: 'list.before',
    reply: inList((body, request) => {
      if (request.query.has('before')) body.data.reverse();
    }),
  },
  {
    name: 'has_more is always true',
    rule: 'list.has_more',
    reply: inList((body) => {
      body.has_more = true;
    }),
  },
  {
    name: 'has_more speaks of older items with before too',
    rule: 'list.has_more',
    reply: inList((body, request) => {
      if (request.query.has('before')) body.has_more = true;
    }),
  },
  {
    name: 'has_more is false where one item is left',
    rule: 'list.has_more',
    reply: inList((body, request, context) => {
      const left = context.items(request.path).length - (positionOf(request, context) + 1) - body.data.length;
      if (!request.query.has('before') && !request.query.has('status') && left === 1) body.has_more = false;
    }),
  },
  {
    name: 'with a filter has_more speaks of the whole list',
    rule: 'list.filter_cursor',
    reply: inList((body, request) => {
      if (request.query.has('status') && request.query.has('after')) body.has_more = true;
      if (request.query.has('status') && request.query.has('before')) body.has_more = false;
    }),
  },
  {
    name: 'a cursor in upper case is unknown',
    rule: 'list.cursor_case',
    request: (request) => (/[A-F]/.test(cursorOf(request) ?? '') ? problem(404, 'not_found') : undefined),
  },
  {
    name: 'an unknown cursor gets the first page',
    rule: 'list.unknown_cursor',
    reply: async (reply, request, context) => {
      if (reply.status !== 404 || !isList(request) || !hasKey(request, context) || request.method !== 'GET') return;
      await become(reply, context.get(withoutCursor(request)));
    },
  },
  {
    name: 'the id of an item of another collection is a cursor of no items',
    rule: 'list.foreign_cursor',
    reply: async (reply, request, context) => {
      const isForeign = [...['/automations', '/contact-properties', '/contacts/imports']]
        .filter((it) => it !== request.path)
        .some((it) => context.items(it).some(({ id }) => id === cursorOf(request)));
      if (reply.status !== 404 || !isForeign || !isList(request)) return;
      const last = context.items(request.path).at(-1)?.id ?? '';
      await become(reply, context.get(`${request.path}?after=${last}`));
    },
  },
  {
    name: 'a malformed cursor is unknown',
    rule: 'list.malformed_cursor',
    request: (request) => {
      const cursor = cursorOf(request);
      const isAlone =
        request.query.size <= 2 && request.query.getAll('after').length + request.query.getAll('before').length === 1;
      return isAlone && cursor !== null && cursor !== '' && cursor.length < 36 ? problem(404, 'not_found') : undefined;
    },
  },
  {
    name: 'of two cursors one is ignored',
    rule: 'list.conflicting_cursors',
    request: ({ query }) => {
      if (query.has('after') && query.has('before')) query.delete('after');
      return undefined;
    },
  },
  {
    name: 'the filter is ignored',
    rule: 'list.filter',
    request: lenient(
      'status',
      (it) => it !== '' && /^[a-z_]+$/.test(it) && it !== 'nonsense',
      () => '',
    ),
  },
  {
    name: 'one value of the filter has no items',
    rule: 'list.filter',
    reply: inList((body, request) => {
      if (request.query.get('status') === 'failed') Object.assign(body, { data: [], has_more: false });
    }),
  },
  {
    name: 'a page of a filter has texts of its own',
    rule: 'list.filter',
    reply: inList(({ data }, request) => {
      if (request.query.has('status')) for (const it of data) it['updated_at'] &&= '2026-04-16 13:49:40+00';
    }),
  },
  {
    name: 'with after the filter is dropped',
    rule: 'list.filter_cursor',
    request: ({ query }) => {
      if (query.has('status') && query.has('after')) query.delete('status');
      return undefined;
    },
  },
  {
    name: 'with before the filter is dropped',
    rule: 'list.filter_cursor',
    request: ({ query }) => {
      if (query.has('status') && query.has('before')) query.delete('status');
      return undefined;
    },
  },
  {
    name: 'with a filter the cursor is dropped',
    rule: 'list.filter_cursor',
    request: ({ query }) => {
      if (query.has('status')) query.delete('after');
      return undefined;
    },
  },
  {
    name: 'a cursor that does not match the filter is unknown',
    rule: 'list.filter_cursor',
    reply: (reply, request, context) => {
      const [item, status] = [context.items(request.path)[positionOf(request, context)], request.query.get('status')];
      if (reply.status === 200 && status !== null && item !== undefined && item['status'] !== status) {
        Object.assign(reply, problem(404, 'not_found'));
      }
    },
  },
  {
    name: 'the filter is read in any case',
    rule: 'list.invalid_filter',
    request: lenient(
      'status',
      (it) => it !== it.toLowerCase(),
      (it) => it.toLowerCase(),
    ),
  },
  {
    name: 'an unknown status gets an empty list',
    rule: 'list.invalid_filter',
    reply: async (reply, request, context) => {
      if (reply.status !== 422 || request.query.get('status') !== 'nonsense') return;
      await become(reply, context.get(`${request.path}?after=${context.items(request.path).at(-1)?.id ?? ''}`));
    },
  },
  {
    name: 'names are altered, everywhere alike',
    rule: 'record.example',
    reply: inItems((item) => {
      if ('name' in item) item['name'] = `${String(item['name'])}.`;
    }),
  },
  {
    name: 'counts are altered, in the list and alone alike',
    rule: 'record.example',
    reply: inItems((item) => {
      if ('counts' in item) Object.assign(item['counts'] as object, { skipped: 0 });
    }),
  },
  {
    name: 'texts differ in pages of a cursor',
    rule: 'list.pagination',
    reply: inList(({ data }, request) => {
      if (request.query.has('after')) for (const it of data) if ('name' in it) it['name'] = `${String(it['name'])}.`;
    }),
  },
];
