/** MikroORM's `findByCursor`: lists in several orders. `node mikro-orm.js PORT`. */
import { CursorError, EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { URL_OF_DATABASE, serve, sizeOf } from './rows.js';

const Row = new EntitySchema({
  name: 'Row',
  tableName: 'rows',
  properties: {
    id: { type: 'integer', primary: true },
    grade: { type: 'integer' },
    score: { type: 'integer', nullable: true },
    created: { type: 'datetime', length: 6 },
  },
});
const orm = await MikroORM.init({ clientUrl: URL_OF_DATABASE, entities: [Row] });

const listBy =
  (orderBy) =>
  async ({ first, after, last, before }) => {
    const way = before === undefined ? { first: sizeOf(first), after } : { last: sizeOf(last), before };
    try {
      const page = await orm.em.fork().findByCursor(Row, { ...way, orderBy });
      const { items, totalCount, startCursor, endCursor, hasPrevPage, hasNextPage } = page;
      return { items, totalCount, startCursor, endCursor, hasPrevPage, hasNextPage };
    } catch (error) {
      if (error instanceof CursorError) error.status = 400; // What it is for.
      throw error;
    }
  };

await serve({
  '/id': listBy({ id: 'asc' }),
  '/grade': listBy({ grade: 'asc', id: 'asc' }),
  '/nulls-first': listBy({ score: 'desc', id: 'asc' }),
  '/nulls-last': listBy({ score: 'asc', id: 'asc' }),
  '/oldest': listBy({ created: 'asc', id: 'asc' }),
  '/newest': listBy({ created: 'desc', id: 'asc' }),
});
