/** Bare prepared inserts of ready rows into Rollcall's tables, in list order: `inserts.ts DB RECORDS` prints their CPU time. */
import { openForWriting } from '../../../server/store/sqlite/database.ts';
import { rowAt } from '../records.ts';

const ROWS_PER_TURN = 10_000;

const [file = '', records = ''] = process.argv.slice(2);
let us = 0;
/** Counts the time of the inserts alone: rows are made in between. */
function timed(work: () => void): void {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  us += user + system;
}

const db = openForWriting(file);
const account = db.prepare("INSERT INTO accounts (name) VALUES ('bench')").run().lastInsertRowid;
const collection = db.prepare<[], number>("SELECT id FROM collections WHERE name = 'contactImports'").pluck().get();
const insert = db.prepare(
  'INSERT INTO records (account, collection, created_us, id, filter, json) VALUES (?, ?, ?, ?, ?, ?)',
);
timed(() => db.exec('BEGIN IMMEDIATE'));
for (let at = 0; at < Number(records); at += ROWS_PER_TURN) {
  const rows = Array.from({ length: Math.min(ROWS_PER_TURN, Number(records) - at) }, (_, n) => rowAt(at + n));
  timed(() => {
    for (const { createdUs, id, status, json } of rows) insert.run(account, collection, createdUs, id, status, json);
  });
}
timed(() => {
  db.exec('COMMIT');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
});
process.stdout.write(String(us / 1000));
