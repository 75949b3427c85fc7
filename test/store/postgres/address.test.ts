/** Addresses as they are shown: never with what may be a password. */
import { expect, test } from '@jest/globals';
import { addressesIn, databaseIn, isFilePath, isPostgres, shownAddress } from '../../../server/store/address.ts';

test.each([
  ['postgres://me:secret@db.example:5432/it', 'postgres://me:...@db.example:5432/it'],
  ['postgresql://me:secret@[::1]:5432/it', 'postgresql://me:...@[::1]:5432/it'],
  ['POSTGRES://me:secret@db.example/it', 'POSTGRES://me:...@db.example/it'],
  ['postgres://me@db.example/it', 'postgres://me@db.example/it'],
  ['postgres://db.example:5432/it', 'postgres://db.example:5432/it'],
  ['postgres:///it', 'postgres:///it'],
  ['postgres://me:secret@db.example/it?password=secret&sslpassword=secret', 'postgres://me:...@db.example/it'],
  ['postgres://db.example/it?user=me&password=secret', 'postgres://db.example/it'],
  // Not escaped as they should be.
  ['postgres://me:sec@ret@db.example/it', 'postgres://me:...@db.example/it'],
  ['postgres://me:sec/ret#@db.example/it', 'postgres://me:...@db.example/it'],
  ['postgres://me:sec:ret@db.example/it', 'postgres://me:...@db.example/it'],
  ['postgres://me:sec?ret@db.example/it', 'postgres://...'],
  ['postgres://me:secret', 'postgres://...'],
])('%s', (address, shown) => {
  expect(isPostgres(address)).toBe(true);
  expect(shownAddress(address)).toBe(shown);
  expect(shown).not.toMatch(/s3cret|secret|ret@/);
});

test.each(['./rollcall.db', '/srv/a:b@c.db', './a:b@c.db', '../postgres:x', 'postgres.db', ':memory:'])(
  'a path is shown: %s',
  (path) => {
    expect([isPostgres(path), isFilePath(path)]).toEqual([false, true]);
    expect(shownAddress(path)).toBe(path);
  },
);

test.each([
  ...['postgres:/x', 'postgres:me:secret@h/x', ' postgres://me:secret@h/x', 'me:secret@h', '//me:secret@h/x'],
  ...['"postgres://me:secret@h/x"', 'jdbc:postgresql://me:secret@h/x', 'host=h user=me password=secret'],
])('what may hold a password is no path, and not shown: %s', (address) => {
  expect([isPostgres(address), isFilePath(address)]).toEqual([false, false]);
  expect(shownAddress(address)).toBe('...');
});

test.each([
  ['postgres://me:a@x/it', 'it'],
  ['postgres://me:a@x/a%2Fb%3Fc%23d%3Be%252F?sslmode=verify-full#f/g', 'a/b?c#d;e%2F'],
  ['postgres://[::1]:5432/a/b;c', 'a/b;c'],
  ['POSTGRESQL:///it', 'it'],
  ...['postgres://me:a@x', 'postgres://me:a@x/', 'postgres://x?user=a/b', 'postgres://x/50%', 'postgres://x/%ff'].map(
    (it) => [it, undefined] as const,
  ),
])('the database of %s', (address, name) => {
  expect(databaseIn(address)).toBe(name);
});

test.each([
  ['postgres://me:a@x/it', ['postgres://me:a@x/it']],
  ['postgres://me:a@x/it, postgresql://me:b@y/it', ['postgres://me:a@x/it', 'postgresql://me:b@y/it']],
  ['postgres://me:a,b@x/it,POSTGRES://y/it', ['postgres://me:a,b@x/it', 'POSTGRES://y/it']],
  ['it.db,postgres://y/it', ['it.db', 'postgres://y/it']],
])('a list of addresses: %s', (list, addresses) => {
  expect(addressesIn(list)).toEqual(addresses);
});
