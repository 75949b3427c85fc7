/** A thread that gives one record another `created_at` again and again, over a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface Move {
  readonly file: string;
  /** The record, as it is stored. */
  readonly id: Buffer;
  /** The instants between which it moves, in microseconds. */
  readonly instants: readonly bigint[];
  /** Counts the rounds; negative, it ends the thread. */
  readonly moves: Int32Array;
}

const { file, id, instants, moves } = workerData as Move; // The test's own.
const db = new Database(file);
db.pragma('synchronous = OFF'); // The disk is not what is tried.
const move = db.prepare('UPDATE records SET created_us = ? WHERE id = ?');
const moveAround = (): void => {
  for (const instant of instants) move.run(instant, id);
  Atomics.add(moves, 0, 1);
};
moveAround();
parentPort?.postMessage('moving');
while (Atomics.load(moves, 0) > 0) moveAround();
db.close();
