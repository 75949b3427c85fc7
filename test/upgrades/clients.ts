/** The clients of both releases, each in a process of its own. */
import { deepEqual, equal } from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { COLLECTIONS, operationsOf, pathOf } from '../../server/contract/collections.ts';
import { ROOT } from '../support/project.ts';
import { run } from '../testers/tester.ts';
import type { Previous } from './previous.ts';
import { itemsIn } from './servers.ts';
import type { Bodies, Page } from './servers.ts';

/** Reads everything from a server through the client of each release. @throws AssertionError if it is not what the server sends. */
export type Clients = (url: string, key: string, bodies: Bodies) => Promise<void>;

const MAX_SHOWN = 200; // Characters of a difference.
const SCRIPT = join(ROOT, 'test/upgrades/read-all.ts');

// What the contract declares.
const NOT_FOUND = ['not_found', 404];

/** @returns what both clients are to read, named as in read-all.ts. */
function partsOf(bodies: Bodies): readonly (readonly [string, unknown])[] {
  const items = itemsIn(bodies);
  return COLLECTIONS.flatMap((name) => {
    const { data, has_more } = JSON.parse(bodies.get(pathOf(name)) ?? '') as Page;
    const parts: [string, unknown][] = [
      ['first', { data, has_more }],
      ['items', items[name]],
      ['unknown cursor', NOT_FOUND],
      ['limit', ['validation_error', 422]],
      ['key', ['invalid_api_key', 401]],
    ];
    if (operationsOf(name).get !== undefined) parts.push(['get', items[name]?.[0]], ['unknown id', NOT_FOUND]);
    return parts.map(([part, value]) => [`${name}.${part}`, value] as const);
  });
}

export function clientsOf({ folder }: Previous): Clients {
  const copy = join(folder, 'read-all.ts');
  copyFileSync(SCRIPT, copy);
  const both = [
    { script: copy, client: '@rollcall/client' },
    { script: SCRIPT, client: join(ROOT, 'client/index.ts') },
  ];
  return async (url, key, bodies) => {
    const expected = partsOf(bodies);
    for (const { script, client } of both) {
      const argv = [script, client, url, key, ...COLLECTIONS];
      const { ok, output } = await run([process.execPath, ...argv], { cwd: dirname(script) });
      equal(ok, true, output);
      const parts = JSON.parse(output) as readonly (readonly [string, unknown])[];
      deepEqual(parts.map(([part]) => part), expected.map(([part]) => part), client); // prettier-ignore
      const wrong = parts.filter(([, value], at) => !isDeepStrictEqual(value, expected[at]?.[1]));
      deepEqual(wrong.map(([part, value]) => `${part}: ${JSON.stringify(value).slice(0, MAX_SHOWN)}`), [], client); // prettier-ignore
    }
  };
}
