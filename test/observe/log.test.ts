/** The lines of the log, and who is told of what. */
import { describe, expect, test } from '@jest/globals';
import type { Observer, RequestCompleted } from '../../server/http/events.ts';
import { createLog, droppedLine, messageLine, numberedLine } from '../../server/observe/log.ts';
import type { LogFormat } from '../../server/observe/log.ts';

const answered: RequestCompleted = {
  id: 'some-id',
  method: 'GET',
  path: '/automations',
  operation: 'listAutomations',
  account: 'acme',
  keyId: 'key-1',
  status: 200,
  ms: 1.23456,
  bytes: 3021,
  isRemembered: true,
  isComplete: true,
};
const unanswered: RequestCompleted = {
  ...answered,
  ...{
    id: undefined,
    status: undefined,
    account: undefined,
    keyId: undefined,
    bytes: 0,
    isRemembered: false,
    isComplete: false,
  },
};
const url = 'http://127.0.0.1:3000';
const address = 'postgres://db/it';
const leftOut = { address, state: 'left_out', reason: 'It is late.' } as const;
const error = Object.assign(new TypeError('planted'), { stack: 'TypeError: planted\n    at here', code: 'CODE' });

function linesOf(format: LogFormat, tell: (log: Observer) => void): readonly string[] {
  const lines: string[] = [];
  tell(createLog(format, true, (line) => lines.push(line)));
  return lines;
}
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('text', () => {
  test.each<[string, (log: Observer) => void, readonly string[]]>([
    [
      'a request',
      (log) => log.answered?.(answered),
      ['GET /automations 200 1.2 ms 3021 B account "acme" key key-1 remembered some-id'],
    ],
    ['a caller that left', (log) => log.answered?.(unanswered), ['GET /automations unanswered 1.2 ms 0 B cut off']],
    ['a refusal', (log) => log.refused?.({ reason: 'malformed', id: 'x', status: 422 }), ['refused: malformed 422 x']],
    [
      'a refusal without an answer',
      (log) => log.refused?.({ reason: 'timeout', id: undefined, status: undefined }),
      ['refused: timeout unanswered'],
    ],
    ['a fault', (log) => log.failed?.({ error, id: 'x' }), ['failed: x', 'TypeError: planted', '    at here']],
    ['a thrown text', (log) => log.failed?.({ error: 'text', id: 'x' }), ['failed: x', 'text']],
    ['a replica', (log) => log.replica?.(leftOut), ['replica left out: postgres://db/it: It is late.']],
    ['a replica that is back', (log) => log.replica?.({ address, state: 'back' }), ['replica back: postgres://db/it']],
    ['a state', (log) => log.lifecycle?.({ state: 'stopping', url }), [`stopping ${url}`]],
  ])('%s', (_, tell, [first, ...others]) => {
    const [line = '', ...rest] = linesOf('text', tell);
    expect(line.slice(0, 24)).toMatch(TIME);
    expect([line.slice(25), ...rest]).toEqual([first, ...others]);
  });
});

describe('json', () => {
  const { id: _id, status: _status, account: _account, keyId: _keyId, ...left } = unanswered;
  test.each<[string, (log: Observer) => void, object]>([
    ['a request', (log) => log.answered?.(answered), { level: 'info', event: 'answered', ...answered, ms: 1.235 }],
    [
      'a caller that left',
      (log) => log.answered?.(unanswered),
      { level: 'info', event: 'answered', ...left, ms: 1.235 },
    ],
    [
      'a refusal',
      (log) => log.refused?.({ reason: 'method', id: 'x', status: 405 }),
      { level: 'info', event: 'refused', reason: 'method', id: 'x', status: 405 },
    ],
    [
      'a fault',
      (log) => log.failed?.({ error, id: 'x' }),
      {
        level: 'error',
        event: 'failed',
        id: 'x',
        error: { name: 'TypeError', message: 'planted', code: 'CODE', stack: error.stack },
      },
    ],
    ['a replica', (log) => log.replica?.(leftOut), { level: 'warn', event: 'replica', ...leftOut }],
    [
      'a state',
      (log) => log.lifecycle?.({ state: 'listening', url }),
      { level: 'info', event: 'lifecycle', state: 'listening', url },
    ],
  ])('%s', (_, tell, expected) => {
    const lines = linesOf('json', tell);
    expect(lines).toHaveLength(1);
    const { time, ...rest } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(time).toMatch(TIME);
    expect(rest).toEqual(expected);
  });

  test('causes are told, but not in a circle', () => {
    const circular = new Error('outer');
    circular.cause = new Error('inner', { cause: circular });
    const [line = ''] = linesOf('json', (log) => log.failed?.({ error: circular, id: 'x' }));
    expect(line.match(/"message":"(outer|inner)"/g)).toHaveLength(6);
  });

  test('lines that were dropped', () => {
    expect(JSON.parse(droppedLine('json', 3))).toMatchObject({ level: 'warn', event: 'dropped', lines: 3 });
    expect(droppedLine('text', 3)).toMatch(/Z lines dropped, because the log was not read: 3$/);
  });
});

test('without requests only faults and replicas are told', () => {
  const lines: string[] = [];
  const log = createLog('json', false, (line) => lines.push(line));
  expect(log).not.toHaveProperty('answered'); // What nobody is told of costs nothing.
  expect(log).not.toHaveProperty('refused');
  log.lifecycle?.({ state: 'stopped', url });
  expect(lines).toEqual([]);
  log.failed?.({ error, id: 'x' });
  log.replica?.(leftOut);
  expect(lines).toHaveLength(2);
});

describe('a line of one of several processes', () => {
  test.each([droppedLine('json', 3), messageLine('warn', 'a "b"'), '{"event":"answered","path":"/x"}'])(
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
    'Error: planted',
    '{"event":"answered"',
    '{"event":"failed","error":{}',
    '{"a":1}',
  ])('that is no line of a log, %j, is a message', (line) => {
    expect(JSON.parse(numberedLine(line, 0))).toEqual({
      ...{ time: expect.stringMatching(TIME) as unknown, level: 'error', event: 'message' },
      ...{ message: line, worker: 0 },
    });
  });
});
