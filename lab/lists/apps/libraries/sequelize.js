/** sequelize-cursor-pagination: lists in several orders. `node sequelize.js PORT`. */
import { DataTypes, Sequelize } from 'sequelize';
import { makePaginate } from 'sequelize-cursor-pagination';
import { URL_OF_DATABASE, serve, sizeOf } from './rows.js';

const sequelize = new Sequelize(URL_OF_DATABASE, { logging: false });
const Row = sequelize.define(
  'row',
  {
    id: { type: DataTypes.INTEGER, primaryKey: true },
    grade: DataTypes.INTEGER,
    score: DataTypes.INTEGER,
    created: DataTypes.DATE(6),
  },
  { tableName: 'rows', timestamps: false },
);
const paginate = makePaginate(Row);

// It adds the primary key to every order.
const listBy =
  (...order) =>
  ({ limit, after, before }) =>
    paginate({ order: [order], limit: sizeOf(limit), after, before });

await serve({
  '/id': listBy('id'),
  '/grade': listBy('grade'),
  '/nulls-first': listBy('score', 'DESC'),
  '/nulls-last': listBy('score'),
  '/oldest': listBy('created'),
  '/newest': listBy('created', 'DESC'),
});
