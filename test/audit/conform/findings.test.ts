/** How a rule fails: each bad value is a finding, and what could not be checked does not hide it. */
import { expect, test } from '@jest/globals';
import { Failure, NotChecked, forEach, requireRecords } from '../../../audit/rules/rule.ts';
import type { Finding } from '../../../audit/rules/rule.ts';
import { say } from '../../../audit/rules/text.ts';
import type { Text } from '../../../audit/rules/text.ts';
import { Untestable } from '../../../audit/session/session.ts';
import { said, show } from '../../support/text.ts';

const finding = (value: number): Finding<Text> => ({
  ...{ request: say`GET /${value}`, expected: say`422`, actual: say`200 ${value}` },
});

/** Checks values: those that throw are given. @returns the error, and the values that were checked. */
async function check(values: readonly number[], errors: ReadonlyMap<number, Error>): Promise<[unknown, number[]]> {
  const checked: number[] = [];
  const each = (value: number): Promise<void> => {
    checked.push(value);
    const error = errors.get(value);
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  const error: unknown = await forEach(values, each).catch((it: unknown) => it);
  return [error, checked];
}
const failures = (...values: readonly number[]): Map<number, Error> =>
  new Map(values.map((it) => [it, new Failure(finding(it))]));

test('every bad value is a finding of one failure, the first one its message', async () => {
  const [error, checked] = await check([1, 2, 3, 4], failures(2, 4));
  expect(checked).toEqual([1, 2, 3, 4]);
  expect(error).toBeInstanceOf(Failure);
  expect(said(error)).toBe('GET /2: expected 422, got 200 2');
  expect(error).toMatchObject({ findings: [finding(2), finding(4)] });
});

test('beyond twelve findings the others are counted', async () => {
  const values = Array.from({ length: 15 }, (_, at) => at);
  const [error] = await check(values, failures(...values));
  const { findings } = error as Failure;
  expect(findings.slice(0, 12)).toEqual(values.slice(0, 12).map(finding));
  const [more, ...others] = findings.slice(12);
  expect(more && [more.request, more.expected, more.actual].map(show)).toEqual([
    '3 more requests',
    '422',
    'also wrong',
  ]);
  expect(others).toEqual([]);
});

test('a failure counts, although another value could not be checked', async () => {
  const [error] = await check([1, 2], new Map([[1, new NotChecked(say`it is empty`)], ...failures(2)]));
  expect(error).toMatchObject({ findings: [finding(2)] });
});

test('the first value that could not be checked says why, after all have been tried', async () => {
  const errors = new Map([1, 2].map((it) => [it, new NotChecked(say`no ${it}`, { of: 'items', count: it })]));
  const [error, checked] = await check([1, 2, 3], errors);
  expect(checked).toEqual([1, 2, 3]);
  expect(said(error)).toBe('no 1');
  expect(error).toMatchObject({ need: { of: 'items', count: 1 } });
});

test('what was found is kept if the run cannot continue', async () => {
  const [error, checked] = await check([1, 2, 3, 4], new Map([...failures(2), [3, new Untestable(say`The end.`)]]));
  expect(checked).toEqual([1, 2, 3]);
  expect(error).toMatchObject({ findings: [finding(2)] });
  const [end] = await check([1, 2], new Map([[1, new Untestable(say`The end.`)]]));
  expect(end).toBeInstanceOf(Untestable);
});

test('any other error ends the check at once', async () => {
  expect(await check([1, 2], new Map([[1, new Error('the time is up')]]))).toEqual([new Error('the time is up'), [1]]);
});

test('where nothing is bad, nothing is thrown', async () => {
  expect(await check([1, 2], new Map())).toEqual([undefined, [1, 2]]);
});

test('records that the account lacks are named', () => {
  expect(() => {
    requireRecords(false, { of: 'automations', count: 2, actual: 1 });
  }).toThrow(new NotChecked(say`the account needs 2 automations (it has 1)`));
  expect(() => {
    requireRecords(false, { of: 'automations', count: 1, what: 'with status enabled' });
  }).toThrow(new NotChecked(say`the account needs 1 automation with status enabled`));
  expect(() => {
    requireRecords(true, { of: 'automations', count: 2 });
  }).not.toThrow();
});
