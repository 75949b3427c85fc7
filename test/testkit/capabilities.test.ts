/** The kit and the control API can do the same: every method has its operation, and the table of docs/test-kit.md has both. */
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
/** By the property of the kit: the method and the path of its operation. */
const { paths } = readDocument('control') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>;
};
const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, it]) =>
    'operationId' in it ? [[it['x-kit'] ?? it.operationId, `${method.toUpperCase()} ${path}`] as const] : [],
  ),
);

const spansOf = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it);
const ROWS = [...proseOf('docs/test-kit.md').matchAll(/^\| (.+?) +\| (`.+?) +\| (.+?) +\|$/gm)]
  .map(([, what = '', kit = '', control = '']) => ({ what, kit: spansOf(kit), control }))
  .filter(({ kit }) => kit.some((it) => /^(?:server|account)\.|^startRollcall/.test(it)));

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
  const inBoth = [...OPERATIONS.map(([kit]) => kit), ...NO_OPERATION];
  expect(properties.toSorted()).toEqual(inBoth.toSorted());
  expect(new Set(inBoth).size).toBe(inBoth.length);
  expect([...ofAccount.keys()].filter((it) => !(it in server))).toEqual([]);
});

test('the table of docs/test-kit.md has each of them, next to its operation, and no empty cell', () => {
  const pairs = ROWS.flatMap(({ kit, control }) => {
    const operations = spansOf(control).filter((it) => /^[A-Z]+ \//.test(it));
    return operations.length === 0 ? [] : kit.map((it, at) => [it, operations[at]]);
  });
  expect(pairs.toSorted()).toEqual(OPERATIONS.toSorted());
  const others = ROWS.flatMap(({ kit, control }) => (/`[A-Z]+ \//.test(control) ? [] : kit));
  expect(others.toSorted()).toEqual(['startRollcall()', ...NO_OPERATION].toSorted());
  expect(ROWS.flatMap(({ what, control }) => [what, control]).filter((it) => !/[a-z]/.test(it))).toEqual([]);
});
