/** Whether a replica may answer, by where it and its primary are in the log. Its clock is a test's own. */
import { expect, test } from '@jest/globals';
import { Lag, MAX_LAG_MS } from '../../../server/store/postgres/replicas.ts';
import type { Position } from '../../../server/store/postgres/replicas.ts';

const primaryAt = (at: number, more: Partial<Position> = {}): Position => ({
  ...{ database: 'it', run: 'first', isStandby: false, at: BigInt(at) },
  ...more,
});
const replicaAt = (at: number, more: Partial<Position> = {}): Position =>
  primaryAt(at, { run: 'other', isStandby: true, ...more });

/** @returns what judges a replica, after the primary has been seen at these places of the log, a second after each other. */
function lagAfter(...places: readonly number[]): { lag: Lag; judge: (replica: Position) => string | undefined } {
  const lag = new Lag();
  places.forEach((at, second) => {
    lag.sawPrimary(primaryAt(at), second * 1000);
  });
  return { lag, judge: (replica) => lag.faultOf(replica, primaryAt(places.at(-1) ?? 0)) };
}
const BEHIND = 'It is more than 5 seconds behind the primary.';
const AHEAD = 'It has changes that the primary does not have: after a failover it must be rewound or recreated.';

test('one that has all, or all of some seconds ago, may answer; one with less may not', () => {
  const { judge } = lagAfter(0, 10, 20, 30, 40, 50, 60, 70);
  expect([70, 69, 20, 19].map((at) => judge(replicaAt(at)))).toEqual([undefined, undefined, undefined, BEHIND]);
});

test('the bound is kept to the millisecond', () => {
  for (const [ms, fault] of [
    [MAX_LAG_MS, undefined],
    [MAX_LAG_MS + 1, BEHIND],
  ] as const) {
    const { lag } = lagAfter(10);
    lag.sawPrimary(primaryAt(20), ms);
    expect(lag.faultOf(replicaAt(15), primaryAt(20))).toBe(fault);
  }
});

test('where nothing is written, it may answer for ever', () => {
  const { judge } = lagAfter(...Array<number>(100).fill(10));
  expect(judge(replicaAt(10))).toBeUndefined();
});

test('while the primary is out of reach, what was seen last counts', () => {
  const { lag } = lagAfter(10, 20, 30);
  expect(lag.faultOf(replicaAt(15), undefined)).toBeUndefined();
  expect(lag.faultOf(replicaAt(5), undefined)).toBe(BEHIND);
  // It has come back after a minute, in which others may have written.
  lag.sawPrimary(primaryAt(40), 60_000);
  expect(lag.faultOf(replicaAt(30), primaryAt(40))).toBe(BEHIND);
  expect(lag.faultOf(replicaAt(40), primaryAt(40))).toBeUndefined();
});

test('before the primary was ever seen, none may answer', () => {
  expect(new Lag().faultOf(replicaAt(10), undefined)).toBe('It is not a replica of this database.');
});

test('one of another database may not', () => {
  const { judge } = lagAfter(10);
  expect(judge(replicaAt(10, { database: 'other' }))).toBe('It is not a replica of this database.');
});

test('one that is no standby may only be the primary itself, or what shall be it', () => {
  const { lag, judge } = lagAfter(10);
  expect(judge(replicaAt(10, { isStandby: false, run: 'first' }))).toBeUndefined();
  expect(judge(replicaAt(10, { isStandby: false }))).toBe('It is an independent primary, not a standby.');
  expect(lag.faultOf(replicaAt(11, { isStandby: false }), undefined)).toBeUndefined();
});

test('after a failover those that follow may answer, though the log is shorter now', () => {
  const { lag } = lagAfter(10, 20, 100);
  lag.sawPrimary(primaryAt(30, { run: 'promoted' }), 3000);
  expect(lag.faultOf(replicaAt(30), primaryAt(30, { run: 'promoted' }))).toBeUndefined();
});

test('one with a history of its own may not, not even when the primary has overtaken it', () => {
  const { lag, judge } = lagAfter(10, 20, 30);
  expect(judge(replicaAt(31))).toBe(AHEAD);
  lag.sawPrimary(primaryAt(32), 3000);
  expect(lag.faultOf(replicaAt(31), primaryAt(32))).toBe(BEHIND);
  expect(lag.faultOf(replicaAt(32), primaryAt(32))).toBeUndefined(); // It was recreated.
});
