/** The naive stack: Express, express-openapi-validator as its documentation has it, columns, `res.json`. */
import Database from 'better-sqlite3';
import express from 'express';
import type { Request } from 'express';
import { middleware } from 'express-openapi-validator';
import { fileURLToPath } from 'node:url';
import { accountOf } from './database.ts';
import type { Query } from './database.ts';
import { announce, setting } from './setting.ts';

type Columns = Readonly<Record<string, string | number | null>>;

const db = new Database(setting('BENCH_COLUMNS'), { readonly: true });
const record = db.prepare<[unknown], Columns>('SELECT * FROM contact_imports WHERE id = ?');
const place = db.prepare<[unknown], [number, string]>('SELECT created_us, id FROM contact_imports WHERE id = ?').raw();
const select = (side: string, order: string, filter = ''): Database.Statement<unknown[], Columns> =>
  db.prepare(`SELECT * FROM contact_imports WHERE ${filter} (created_us, id) ${side} (?, ?)
    ORDER BY created_us ${order}, id ${order} LIMIT ?`);
const older = [select('<', 'DESC'), select('<', 'DESC', 'status = ? AND')] as const;
const newer = [select('>', 'ASC'), select('>', 'ASC', 'status = ? AND')] as const;

function toImport(columns: Columns): object {
  const { id, status, created_at, completed_at, total, created, updated, skipped, failed } = columns;
  const counts = { total, created, updated, skipped, failed };
  return { object: 'contact_import', id, status, created_at, completed_at, counts };
}

const bearerKey = (req: Request): boolean => accountOf(req.headers.authorization) !== undefined;
const apiSpec = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
const app = express();
app.use(middleware({ apiSpec, validateSecurity: { handlers: { bearerKey } } }));
app.get('/contacts/imports', (req, res) => {
  const { limit, after, before, status } = req.query as unknown as Query; // The validator has coerced it.
  const cursor = after ?? before;
  const from = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : place.get(cursor);
  if (from === undefined) {
    res.status(404).json({ statusCode: 404, name: 'not_found', message: 'There is no such import.' });
    return;
  }
  const [all, filtered] = before === undefined ? older : newer;
  const rows = status === undefined ? all.all(...from, limit + 1) : filtered.all(status, ...from, limit + 1);
  const data = rows.slice(0, limit).map(toImport);
  res.json({ object: 'list', has_more: rows.length > limit, data: before === undefined ? data : data.reverse() });
});
app.get('/contacts/imports/:id', (req, res) => {
  const row = record.get(req.params.id);
  if (row === undefined)
    res.status(404).json({ statusCode: 404, name: 'not_found', message: 'There is no such import.' });
  else res.json(toImport(row));
});
announce(app.listen(0, '127.0.0.1'));
