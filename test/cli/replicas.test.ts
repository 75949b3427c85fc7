/** `--db-read` on the command line: which addresses it takes, and that none of their passwords is to be seen. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';

const SECRET = 'correct-horse';
const URL_OF = (host: string): string => `postgres://me:${SECRET}@${host}/it`;
const NEEDS = 'Replicas are of PostgreSQL: --db and --db-read take URLs such as postgres://user@host/database.';

describe('is wrong usage', () => {
  const ofFile = `error: --db-read is given, but --db is no URL of PostgreSQL. ${NEEDS}`;
  const second = `error: address 2 of --db-read is no URL of PostgreSQL. ${NEEDS}`;
  test.each([
    ['beside a file', ['--db', 'it.db', '--db-read', URL_OF('a')], {}, ofFile],
    ['beside the default', ['--db-read', URL_OF('a')], {}, ofFile],
    ['by the environment', [], { ROLLCALL_DB_READ: URL_OF('a') }, ofFile],
    ['by a file of settings', ['--config', 'c.json'], {}, ofFile],
    [
      'with a URL of something else',
      ['--db', URL_OF('a'), '--db-read', `${URL_OF('b')},mysql://me:${SECRET}@c/it`],
      {},
      second,
    ],
    [
      'without any address',
      ['--db', URL_OF('a'), '--db-read', ' '],
      {},
      "error: option '--db-read <urls>' argument ' ' is invalid. It must be one URL such as " +
        'postgres://user@host/database, or more by commas.',
    ],
    [
      'with a file',
      ['--db', URL_OF('a'), '--db-read', 'it.db'],
      {},
      `error: address 1 of --db-read is no URL of PostgreSQL. ${NEEDS}`,
    ],
  ])('%s', async (_, argv, env, message) => {
    writeFileSync(folder.path('c.json'), JSON.stringify({ 'db-read': URL_OF('a') }));
    const { code, stdout, stderr } = await folder.call(['serve', ...argv], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toBe(message);
    expect(stderr).not.toContain(SECRET);
  });
});
