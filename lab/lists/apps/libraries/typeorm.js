/** typeorm-cursor-pagination: lists in several orders. `node typeorm.js PORT`. */
import 'reflect-metadata';
import { DataSource, EntitySchema } from 'typeorm';
import { buildPaginator } from 'typeorm-cursor-pagination';
import { URL_OF_DATABASE, serve, sizeOf } from './rows.js';

class Row {
  id;
}
// What the compiler of TypeScript writes for decorators.
for (const [key, type] of Object.entries({ id: Number, grade: Number, score: Number, created: Date }))
  Reflect.defineMetadata('design:type', type, Row.prototype, key);
const schema = new EntitySchema({
  name: 'row',
  target: Row,
  tableName: 'rows',
  columns: {
    id: { type: 'int', primary: true },
    grade: { type: 'int' },
    score: { type: 'int', nullable: true },
    created: { type: 'timestamptz' },
  },
});
const source = new DataSource({ type: 'postgres', url: URL_OF_DATABASE, entities: [schema] });
await source.initialize();

const listBy =
  (order, ...paginationKeys) =>
  ({ limit, afterCursor, beforeCursor }) => {
    const query = { limit: sizeOf(limit), order, afterCursor, beforeCursor };
    const paginator = buildPaginator({ entity: Row, alias: 'row', paginationKeys, query });
    return paginator.paginate(source.getRepository(Row).createQueryBuilder('row'));
  };

await serve({
  '/id': listBy('ASC', 'id'),
  '/grade': listBy('ASC', 'grade', 'id'),
  '/nulls-first': listBy('DESC', 'score', 'id'),
  '/nulls-last': listBy('ASC', 'score', 'id'),
  '/oldest': listBy('ASC', 'created', 'id'),
  '/newest': listBy('DESC', 'created', 'id'),
});
