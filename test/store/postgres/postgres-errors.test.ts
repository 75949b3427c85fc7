/** What an error of a statement is while requests are served, by its SQLSTATE: the outages that are real are in test/processes/postgres. */
import { describe, expect, test } from '@jest/globals';
import { asOutage, translateError, unreachable } from '../../../server/store/postgres/postgres-errors.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';

const SERVER = 'PostgreSQL at db:5432 (database "it", user "me")';
const failure = (code: string, message = 'why'): Error =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });
const served = (error: Error): unknown => asOutage(translateError(error, SERVER), SERVER);
const outage = (message: string, cause: Error): unknown =>
  expect.objectContaining({ constructor: StoreUnavailable, message, cause });

// The classes of PostgreSQL's errors: appendix A of its documentation.
const CLASSES = [
  ...['03', '08', '09', '0A', '0B', '0F', '0L', '0P', '0Z', '20', '21', '22', '23', '24', '25', '26', '27', '28'],
  ...['2B', '2D', '2F', '34', '38', '39', '3B', '3D', '3F', '40', '42', '44', '53', '54', '55', '57', '58', '72'],
  ...['F0', 'HV', 'P0', 'XX'],
];

describe('while requests are served', () => {
  test('an error of every class is an outage, except those about the data that is read', () => {
    const isNone = CLASSES.filter((it) => !(served(failure(`${it}000`)) instanceof StoreUnavailable));
    expect(isNone).toEqual(['22', 'XX']);
  });

  const tables =
    'The tables are not those of this version of Rollcall (why). If the database was upgraded, restart the server with that version.';
  test.each([
    ['08006', 'The connection to the database was lost.'],
    ['0A000', tables],
    ['25006', 'The database is a read-only standby.'],
    ['42501', `${SERVER} denied permission to this user (why).`],
    ['42703', tables],
    ['42883', tables],
    ['42P01', tables],
    [
      '53100',
      `${SERVER} has no disk space left. Unfinished changes were rolled back. Free up space and try again (why).`,
    ],
    ['53200', 'The database is out of memory.'],
    ['55000', `${SERVER} reported an error (why).`],
    ['57014', 'The database did not respond in time.'],
    ['57P01', 'The database is shutting down or starting.'],
    ['58030', `${SERVER} reported an error (why).`],
    ['58P01', `${SERVER} reported an error (why).`],
  ])('%s', (code, message) => {
    const error = failure(code);
    expect(served(error)).toEqual(outage(message, error));
  });

  test.each(['22P02', '22021', 'XX000', 'XX001', 'XX002'])('%s is no outage: other requests may succeed', (code) => {
    expect(served(failure(code))).not.toBeInstanceOf(StoreUnavailable);
  });

  test('an error of the program is none', () => {
    const error = new TypeError('x is not a function');
    expect(served(error)).toBe(error);
  });

  test.each([
    [new Error('timeout exceeded when trying to connect'), 'All connections to the database are in use.'],
    [failure('ECONNREFUSED', 'connect ECONNREFUSED'), `${SERVER} cannot be reached: connect ECONNREFUSED.`],
    [failure('ENOTFOUND'), `${SERVER} cannot be reached: its host is unknown.`],
    [failure('28P01'), `${SERVER} rejected the user or the password (why).`],
    [failure('3D000'), `${SERVER} has no such database (why).`],
    [failure('42501'), `${SERVER} denied permission to this user (why).`],
    [failure('53300'), `${SERVER}: The database accepts no more connections.`],
    [failure('55000'), `${SERVER} cannot be reached: why.`],
    [failure('57P03'), `${SERVER}: The database is shutting down or starting.`],
  ])('a connection that cannot be opened: %s', (error, message) => {
    expect(unreachable(error, SERVER)).toEqual(outage(message, error));
  });
});
