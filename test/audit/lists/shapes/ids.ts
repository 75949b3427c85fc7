/** APIs whose cursor is the id of the last item. */
import type { Shape } from './server.ts';
import { after, comparedTo, hex, ownerOf, seconds, snowflake } from './values.ts';

// prettier-ignore
export const IDS: Readonly<Record<string, Shape>> = {
  stripe: {
    path: '/v1/customers',
    headers: { authorization: 'Bearer sk_1' },
    size: { param: 'limit', default: 10, max: 100, over: 400, invalid: 400 },
    at: { kind: 'own', param: 'starting_after', back: 'ending_before', bad: 400, codec: after((row) => `cus_${hex(row, 14)}`) },
    isStrict: true,
    item: (row) => ({ id: `cus_${hex(row, 14)}`, object: 'customer', created: seconds(row), name: row.name, livemode: false,
      email: `a${String(row.n)}@example.com`, metadata: {}, preferred_locales: [], invoice_prefix: hex(row, 8, 'invoice') }),
    body: (page) => ({ object: 'list', data: page.items, has_more: page.more, url: '/v1/customers' }),
    right: { items: 'data', id: 'id', next: [{ id: 'starting_after', more: 'has_more' }] },
  },
  openai: {
    path: '/v1/vector_stores',
    headers: { authorization: 'Bearer sk-1' },
    count: 130,
    size: { param: 'limit', default: 20, max: 100, over: 400, invalid: 400 },
    at: { kind: 'own', param: 'after', back: 'before', codec: after((row) => `vs_${hex(row)}`), bad: 400 },
    item: (row) => ({ id: `vs_${hex(row)}`, object: 'vector_store', created_at: seconds(row), name: row.name, metadata: {},
      bytes: 139_920, file_counts: { in_progress: 0, completed: 3, total: 3 } }),
    body: ({ items, rows: [first], rows, more }) => ({ object: 'list', data: items, has_more: more,
      first_id: first === undefined ? null : `vs_${hex(first)}`,
      last_id: rows.length === 0 ? null : rows.slice(-1).map((it) => `vs_${hex(it)}`)[0] }),
    right: { items: 'data', id: 'id', next: [{ id: 'after' }, { token: 'after', from: 'last_id' }] },
  },
  trello: {
    path: '/1/boards/5f0/actions?key=k1&token=t1',
    size: { param: 'limit', default: 50, max: 1000, over: 400, invalid: 400 },
    at: { kind: 'own', param: 'before', codec: after((row) => hex(row)), bad: 400 },
    item: (row) => ({ id: hex(row), idMemberCreator: hex({ ...row, n: ownerOf(row) }, 24, 'member'), type: 'commentCard',
      date: row.created, data: { text: row.name, board: { id: '5f0' } }, limits: { reactions: {} } }),
    body: ({ items }) => items,
    right: { items: '', id: 'id', next: [{ id: 'before' }] },
  },
  discord: {
    path: '/api/v10/channels/7/messages',
    headers: { authorization: 'Bot d1' },
    size: { param: 'limit', default: 50, max: 100, over: 400, invalid: 400 },
    at: { kind: 'own', param: 'before', back: 'after', codec: comparedTo((row) => snowflake(row)), bad: 400 },
    item: (row) => ({ id: snowflake(row), type: 0, content: row.name, channel_id: '7', timestamp: row.created, pinned: false,
      author: { id: String(ownerOf(row)), username: 'ann' }, attachments: [], mentions: [] }),
    body: ({ items }) => items,
    right: { items: '', id: 'id', next: [{ id: 'before' }] },
  },
};
