/** objection-cursor: lists in several orders. `node objection.js PORT`. */
import knex from 'knex';
import { Model } from 'objection';
import cursor from 'objection-cursor';
import { URL_OF_DATABASE, serve, sizeOf } from './rows.js';

class Row extends cursor({ pageInfo: { total: true, hasNext: true, hasPrevious: true } })(Model) {
  static tableName = 'rows';
}
Row.knex(knex({ client: 'pg', connection: URL_OF_DATABASE }));

const listBy =
  (...orders) =>
  ({ limit, next, previous }) => {
    const query = Row.query().limit(sizeOf(limit));
    for (const order of orders) query.orderBy(...order);
    return previous === undefined ? query.cursorPage(next) : query.previousCursorPage(previous);
  };

await serve({
  '/id': listBy(['id']),
  '/grade': listBy(['grade'], ['id']),
  '/nulls-first': listBy(['score', 'desc'], ['id']),
  '/nulls-last': listBy(['score'], ['id']),
  '/oldest': listBy(['created'], ['id']),
  '/newest': listBy(['created', 'desc'], ['id']),
});
