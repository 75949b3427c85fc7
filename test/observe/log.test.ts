/** The lines of the log, and which events it logs. */
import { describe, expect, test } from '@jest/globals';
import type { RequestCompleted, Observer } from '../../server/http/events.ts';
import { createLog, droppedLine, messageLine, numberedLine } from '../../server/observe/log.ts';
import type { LogFormat } from '../../server/observe/log.ts';

const completed: RequestCompleted = {
  id: 'some-id',
  method: 'GET',
  path: '/automations',
  operation: 'listAutomations',
  account: 'acme',
  keyId: 'key-1',
  address: undefined,
  status: 200,
  problem: undefined,
  parameter: undefined,
  ms: 1.23456,
  bytes: 3021,
  isCached: true,
  isComplete: true,
};
const nothing = { id: undefined, status: undefined, account: undefined, keyId: undefined, bytes: 0 };
const aborted: RequestCompleted = { ...completed, ...nothing, isCached: false, isComplete: false };
const invalid = { status: 422, problem: 'validation_error', parameter: 'limit', isCached: false } as const;
const keyless = { status: 401, problem: 'missing_api_key', address: '192.0.2.1' } as const;
const url = 'http://127.0.0.1:3000';
const address = 'postgres://db/it';
const unavailable = { address, state: 'unavailable', reason: 'It is late.' } as const;
const error = Object.assign(new TypeError('injected'), { stack: 'TypeError: injected\n    at here', code: 'CODE' });

function linesOf(format: LogFormat, emit: (log: Observer) => void): readonly string[] {
  const lines: string[] = [];
  emit(createLog(format, true, (line) => lines.push(line)));
  return lines;
}
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const REQUEST = { level: 'info', event: 'completed', ms: 1.235 };
const { id: _id, status: _status, account: _account, keyId: _keyId, ...left } = aborted;
const FAILED = { level: 'error', event: 'failed', id: 'x' };
const named = { name: 'TypeError', message: 'injected', code: 'CODE', stack: error.stack };
const rejection = { reason: 'malformed', id: 'x', status: 422 } as const;

describe('an event', () => {
  test.each<[string, (log: Observer) => void, text: readonly string[], json: object]>([
    [
      'a request',
      (log) => log.completed?.(completed),
      ['GET /automations 200 1.2 ms 3021 B account "acme" key key-1 cached some-id'],
      { ...completed, ...REQUEST },
    ],
    [
      'an aborted request',
      (log) => log.completed?.(aborted),
      ['GET /automations no response 1.2 ms 0 B aborted'],
      { ...left, ...REQUEST },
    ],
    [
      'a request with an invalid parameter',
      (log) => log.completed?.({ ...completed, ...invalid }),
      ['GET /automations 422 1.2 ms 3021 B validation_error of limit account "acme" key key-1 some-id'],
      { ...completed, ...REQUEST, ...invalid },
    ],
    [
      'a request without a key',
      (log) => log.completed?.({ ...aborted, ...keyless }),
      ['GET /automations 401 1.2 ms 0 B missing_api_key from 192.0.2.1 aborted'],
      { ...left, ...REQUEST, ...keyless },
    ],
    [
      'a rejected message',
      (log) => log.rejected?.(rejection),
      ['rejected: malformed 422 x'],
      { level: 'info', event: 'rejected', ...rejection },
    ],
    [
      'a rejected message without a response',
      (log) => log.rejected?.({ reason: 'timeout', id: undefined, status: undefined }),
      ['rejected: timeout no response'],
      { level: 'info', event: 'rejected', reason: 'timeout' },
    ],
    [
      'a failure',
      (log) => log.failed?.({ error, id: 'x' }),
      ['failed: x', 'TypeError: injected', '    at here'],
      { ...FAILED, error: named },
    ],
    [
      'a thrown string',
      (log) => log.failed?.({ error: 'text', id: 'x' }),
      ['failed: x', 'text'],
      { ...FAILED, error: { message: 'text' } },
    ],
    [
      'a replica',
      (log) => log.replica?.(unavailable),
      ['replica unavailable: postgres://db/it: It is late.'],
      { level: 'warn', event: 'replica', ...unavailable },
    ],
    [
      'a replica that is available again',
      (log) => log.replica?.({ address, state: 'available' }),
      ['replica available: postgres://db/it'],
      { level: 'warn', event: 'replica', address, state: 'available' },
    ],
    [
      'a state',
      (log) => log.lifecycle?.({ state: 'stopping', url }),
      [`stopping ${url}`],
      { level: 'info', event: 'lifecycle', state: 'stopping', url },
    ],
  ])('%s, as text and as JSON', (_, emit, text, json) => {
    const [line = '', ...rest] = linesOf('text', emit);
    expect(line.slice(0, 24)).toMatch(TIME);
    expect([line.slice(25), ...rest]).toEqual(text);
    const [only = '', ...more] = linesOf('json', emit);
    expect(more).toEqual([]);
    const { time, ...others } = JSON.parse(only) as Record<string, unknown>;
    expect(time).toMatch(TIME);
    expect(others).toEqual(json);
  });

  test('causes are logged, also circular ones', () => {
    const circular = new Error('outer');
    circular.cause = new Error('inner', { cause: circular });
    const [line = ''] = linesOf('json', (log) => log.failed?.({ error: circular, id: 'x' }));
    expect(line.match(/"message":"(outer|inner)"/g)).toHaveLength(6);
  });

  test('lines that were dropped', () => {
    expect(JSON.parse(droppedLine('json', 3))).toMatchObject({ level: 'warn', event: 'dropped', lines: 3 });
    expect(droppedLine('text', 3)).toMatch(/Z log lines dropped because the log was not read: 3$/);
  });
});

test('without requests only failures and replicas are logged', () => {
  const lines: string[] = [];
  const log = createLog('json', false, (line) => lines.push(line));
  expect(log).not.toHaveProperty('completed'); // An event without a listener costs nothing.
  expect(log).not.toHaveProperty('rejected');
  log.lifecycle?.({ state: 'stopped', url });
  expect(lines).toEqual([]);
  log.failed?.({ error, id: 'x' });
  log.replica?.(unavailable);
  expect(lines).toHaveLength(2);
});

describe('a line of a worker', () => {
  test.each([droppedLine('json', 3), messageLine('warn', 'a "b"'), '{"event":"completed","path":"/x"}'])(
    '%s has its number',
    (line) => {
      expect(JSON.parse(numberedLine(line, 2))).toEqual({ ...(JSON.parse(line) as object), worker: 2 });
    },
  );

  test.each([
    '',
    '{}',
    '[]',
    'null',
    'Error: injected',
    '{"event":"completed"',
    '{"event":"failed","error":{}',
    '{"a":1}',
  ])('that is no line of a log, %j, becomes a message', (line) => {
    expect(JSON.parse(numberedLine(line, 0))).toEqual({
      ...{ time: expect.stringMatching(TIME) as unknown, level: 'error', event: 'message' },
      ...{ message: line, worker: 0 },
    });
  });
});
