/** Faults of lists: walks, limits, cursors, filters and their combinations. */
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
import type { Ask, Item, Scene } from './proxy.ts';

const cursorOf = ({ query }: Ask): string | null => query.get('after') ?? query.get('before');
const positionOf = (ask: Ask, scene: Scene): number => scene.items(ask.path).findIndex((it) => it.id === cursorOf(ask));
const limitOf = ({ query, path }: Ask): number => Number(query.get('limit') ?? (path === IMPORTS ? 10 : 20));

/** Changes `created_at` of the item at a place of a list, wherever it is answered. */
const dated = (place: number, date: (items: readonly Item[]) => string | undefined): Mutant['reply'] =>
  inItems((item, _ask, scene) => {
    const items = scene.items(AUTOMATIONS);
    if (item.id === items[place]?.id) item.created_at = date(items) ?? '';
  });

const withoutCursor = (ask: Ask): string =>
  targetOf(ask, (query) => {
    query.delete('after');
    query.delete('before');
  });

/** @returns a request without what makes a server refuse it. */
const lenient = (
  name: string,
  isRefused: (value: string) => boolean,
  instead: (value: string) => string,
): Mutant['ask'] => {
  return ({ query }) => {
    const value = query.get(name);
    if (value === null || !isRefused(value) || query.getAll(name).length > 1) return undefined;
    if (instead(value) === '') query.delete(name);
    else query.set(name, instead(value));
    return undefined;
  };
};

export const LIST_MUTANTS: readonly Mutant[] = [
  {
    name: 'the cursor after is ignored',
    rule: 'list.pagination',
    ask: (ask, scene) => {
      if (positionOf(ask, scene) >= 0) ask.query.delete('after');
      return undefined;
    },
  },
  {
    name: 'the third page repeats the cursor',
    rule: 'list.after',
    reply: inList((body, ask, scene) => {
      const at = positionOf(ask, scene);
      const again = scene.items(ask.path)[at];
      if (ask.query.has('after') && at > 10 && at < 40 && again)
        body.data = [again, ...body.data].slice(0, limitOf(ask));
    }),
  },
  {
    name: 'far down an item is passed over',
    rule: 'list.pagination',
    reply: inList((body, ask, scene) => {
      if (ask.query.has('after') && positionOf(ask, scene) === 98) body.data.shift();
    }),
  },
  {
    name: 'far down two items change places',
    rule: 'list.after',
    reply: inList(({ data }, ask, scene) => {
      if (ask.query.has('after') && positionOf(ask, scene) > 102) data.splice(0, 2, ...data.slice(0, 2).reverse());
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
    ask: (ask) => {
      if (isList(ask) && !ask.query.has('limit')) ask.query.set('limit', '50');
      return undefined;
    },
  },
  {
    name: 'with a cursor the default limit is another',
    rule: 'list.default_limit',
    ask: (ask) => {
      if (isCursor(ask) && !ask.query.has('limit')) ask.query.set('limit', '5');
      return undefined;
    },
  },
  {
    name: 'with a filter the default limit is another',
    rule: 'list.filter_limit',
    ask: (ask) => {
      if (ask.query.has('status') && !ask.query.has('limit')) ask.query.set('limit', '100');
      return undefined;
    },
  },
  {
    name: 'a limit over 50 is taken for 50',
    rule: 'list.limit',
    ask: lenient(
      'limit',
      (it) => Number(it) > 50 && Number(it) <= 100,
      () => '50',
    ),
  },
  {
    name: 'a middle limit is one short',
    rule: 'list.limit',
    ask: lenient(
      'limit',
      (it) => it === '25',
      () => '24',
    ),
  },
  {
    name: 'a limit out of range is clamped',
    rule: 'list.invalid_limit',
    ask: lenient(
      'limit',
      (it) => /^\d+$/.test(it) && (Number(it) < 1 || Number(it) > 100),
      () => '100',
    ),
  },
  {
    name: 'a limit is parsed as parseInt does',
    rule: 'list.invalid_limit',
    ask: lenient(
      'limit',
      (it) => /^\s*\+?0*[1-9]/.test(it) && Number.parseInt(it, 10) <= 100,
      (it) => String(Number.parseInt(it, 10)),
    ),
  },
  {
    name: 'an empty limit is none',
    rule: 'list.invalid_limit',
    ask: lenient(
      'limit',
      (it) => it === '',
      () => '',
    ),
  },
  {
    name: 'before answers the head of the list',
    rule: 'list.before',
    reply: async (reply, ask, scene) => {
      if (reply.status !== 200 || !ask.query.has('before')) return;
      await become(reply, scene.get(withoutCursor(ask)));
    },
  },
  {
    name: 'before the first item comes the first page',
    rule: 'list.before',
    reply: async (reply, ask, scene) => {
      if (reply.status !== 200 || !ask.query.has('before') || positionOf(ask, scene) !== 0) return;
      await become(reply, scene.get(withoutCursor(ask)));
    },
  },
  {
    name: 'before answers oldest first',
    rule: 'list.before',
    reply: inList((body, ask) => {
      if (ask.query.has('before')) body.data.reverse();
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
    reply: inList((body, ask) => {
      if (ask.query.has('before')) body.has_more = true;
    }),
  },
  {
    name: 'has_more is false where one item is left',
    rule: 'list.has_more',
    reply: inList((body, ask, scene) => {
      const left = scene.items(ask.path).length - (positionOf(ask, scene) + 1) - body.data.length;
      if (!ask.query.has('before') && !ask.query.has('status') && left === 1) body.has_more = false;
    }),
  },
  {
    name: 'with a filter has_more speaks of the whole list',
    rule: 'list.filter_cursor',
    reply: inList((body, ask) => {
      if (ask.query.has('status') && ask.query.has('after')) body.has_more = true;
      if (ask.query.has('status') && ask.query.has('before')) body.has_more = false;
    }),
  },
  {
    name: 'a cursor in upper case is unknown',
    rule: 'list.cursor_case',
    ask: (ask) => (/[A-F]/.test(cursorOf(ask) ?? '') ? problem(404, 'not_found') : undefined),
  },
  {
    name: 'an unknown cursor is answered with the first page',
    rule: 'list.unknown_cursor',
    reply: async (reply, ask, scene) => {
      if (reply.status !== 404 || !isList(ask) || !hasKey(ask, scene) || ask.method !== 'GET') return;
      await become(reply, scene.get(withoutCursor(ask)));
    },
  },
  {
    name: 'the id of an item of another collection is a cursor of no items',
    rule: 'list.foreign_cursor',
    reply: async (reply, ask, scene) => {
      const isForeign = [...['/automations', '/contact-properties', '/contacts/imports']]
        .filter((it) => it !== ask.path)
        .some((it) => scene.items(it).some(({ id }) => id === cursorOf(ask)));
      if (reply.status !== 404 || !isForeign || !isList(ask)) return;
      const last = scene.items(ask.path).at(-1)?.id ?? '';
      await become(reply, scene.get(`${ask.path}?after=${last}`));
    },
  },
  {
    name: 'a malformed cursor is unknown',
    rule: 'list.malformed_cursor',
    ask: (ask) => {
      const cursor = cursorOf(ask);
      const isAlone = ask.query.size <= 2 && ask.query.getAll('after').length + ask.query.getAll('before').length === 1;
      return isAlone && cursor !== null && cursor !== '' && cursor.length < 36 ? problem(404, 'not_found') : undefined;
    },
  },
  {
    name: 'of two cursors one is ignored',
    rule: 'list.conflicting_cursors',
    ask: ({ query }) => {
      if (query.has('after') && query.has('before')) query.delete('after');
      return undefined;
    },
  },
  {
    name: 'the filter is ignored',
    rule: 'list.filter',
    ask: lenient(
      'status',
      (it) => it !== '' && /^[a-z_]+$/.test(it) && it !== 'nonsense',
      () => '',
    ),
  },
  {
    name: 'one value of the filter has no items',
    rule: 'list.filter',
    reply: inList((body, ask) => {
      if (ask.query.get('status') === 'failed') Object.assign(body, { data: [], has_more: false });
    }),
  },
  {
    name: 'a page of a filter has texts of its own',
    rule: 'list.filter',
    reply: inList(({ data }, ask) => {
      if (ask.query.has('status')) for (const it of data) it['updated_at'] &&= '2026-04-16 13:49:40+00';
    }),
  },
  {
    name: 'with after the filter is dropped',
    rule: 'list.filter_cursor',
    ask: ({ query }) => {
      if (query.has('status') && query.has('after')) query.delete('status');
      return undefined;
    },
  },
  {
    name: 'with before the filter is dropped',
    rule: 'list.filter_cursor',
    ask: ({ query }) => {
      if (query.has('status') && query.has('before')) query.delete('status');
      return undefined;
    },
  },
  {
    name: 'with a filter the cursor is dropped',
    rule: 'list.filter_cursor',
    ask: ({ query }) => {
      if (query.has('status')) query.delete('after');
      return undefined;
    },
  },
  {
    name: 'a cursor that does not match the filter is unknown',
    rule: 'list.filter_cursor',
    reply: (reply, ask, scene) => {
      const [item, status] = [scene.items(ask.path)[positionOf(ask, scene)], ask.query.get('status')];
      if (reply.status === 200 && status !== null && item !== undefined && item['status'] !== status) {
        Object.assign(reply, problem(404, 'not_found'));
      }
    },
  },
  {
    name: 'the filter is read in any case',
    rule: 'list.invalid_filter',
    ask: lenient(
      'status',
      (it) => it !== it.toLowerCase(),
      (it) => it.toLowerCase(),
    ),
  },
  {
    name: 'an unknown status is answered with an empty list',
    rule: 'list.invalid_filter',
    reply: async (reply, ask, scene) => {
      if (reply.status !== 422 || ask.query.get('status') !== 'nonsense') return;
      await become(reply, scene.get(`${ask.path}?after=${scene.items(ask.path).at(-1)?.id ?? ''}`));
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
    name: 'counts are altered, in the list and the lookup alike',
    rule: 'record.example',
    reply: inItems((item) => {
      if ('counts' in item) Object.assign(item['counts'] as object, { skipped: 0 });
    }),
  },
  {
    name: 'texts differ in pages of a cursor',
    rule: 'list.pagination',
    reply: inList(({ data }, ask) => {
      if (ask.query.has('after')) for (const it of data) if ('name' in it) it['name'] = `${String(it['name'])}.`;
    }),
  },
];
