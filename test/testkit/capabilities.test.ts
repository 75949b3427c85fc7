/** The kit and the control API can do the same: every method has its operation, and docs/test-kit.md lists every method. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { readDocument } from '../../contract/document.ts';
import { proseOf } from '../support/docs.ts';
import { ask, start } from '../support/kit.ts';

/** Properties of the kit for which the other way is no operation. */
const NO_OPERATION = [
  ...['server.url', 'account.name', 'account.apiKey'], // The command prints them, and so does every account.
  ...['server.errors', 'server.close'], // Standard error, and a signal.
];

interface Operation {
  readonly operationId: string;
  readonly 'x-kit'?: string;
}
/** The property of the kit that each operation names. */
const { paths } = readDocument('control') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>;
};
const OPERATIONS = Object.values(paths).flatMap((methods) =>
  Object.values(methods).flatMap((it) => ('operationId' in it ? [it['x-kit'] ?? it.operationId] : [])),
);

const spansOf = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it);
const [, LISTED = ''] = /^## Capabilities\n(.+?)^## /ms.exec(proseOf('docs/test-kit.md')) ?? [];

test('every property of a server and of an account has an operation of control.yaml, and every operation one', async () => {
  const server = await start();
  const [first] = server.accounts;
  await ask({ url: server.url, apiKey: 'none' }, '/automations'); // No request of the account.
  const ofAccount = new Map<string, unknown>(Object.entries(first ?? {}));
  // A server is its first account too: what is the same there is the account's.
  const ofServer = Object.entries(server).filter(
    ([name, it]) => !ofAccount.has(name) || !isDeepStrictEqual(it, ofAccount.get(name)),
  );
  const properties = [...ofServer.map(([it]) => `server.${it}`), ...[...ofAccount.keys()].map((it) => `account.${it}`)];
  const inBoth = [...OPERATIONS, ...NO_OPERATION];
  expect(properties.toSorted()).toEqual(inBoth.toSorted());
  expect(new Set(inBoth).size).toBe(inBoth.length);
  expect([...ofAccount.keys()].filter((it) => !(it in server))).toEqual([]);
});

test('docs/test-kit.md lists each of them', () => {
  expect(spansOf(LISTED).toSorted()).toEqual(['startRollcall()', ...OPERATIONS, ...NO_OPERATION].toSorted());
});
