/** Faults that `conform` must find, and the least records it needs for that. Every rule has its faults in `npm run test:e2e -- mutants`. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { automation } from '../../server/testing/builders.ts';
import { openTestApp } from '../support/app.ts';
import { series } from '../support/series.ts';
import { open, results } from './target.ts';

const automations = series(10, automation);

/** @returns the results of a rule for the list of automations, on a server that changes requests first. */
async function outcomesOf(
  rule: string,
  change: (req: IncomingMessage) => void = () => undefined,
  records = automations,
): Promise<unknown[]> {
  const t = await openTestApp({ automations: records });
  const server = await open({
    ...t,
    app: (req, res) => {
      change(req);
      t.app(req, res);
    },
  });
  const all = await results(server, { only: [rule] });
  return all.filter((it) => it.operation === 'listAutomations').map(({ title: _, ...it }) => it);
}
const outcome = (rule: string, rest: object): unknown[] => [expect.objectContaining({ rule, ...rest })];

test('a list that begins again after its last item', async () => {
  const after = `after=${automations.at(-1)?.id ?? ''}`;
  const found = await outcomesOf('list.after', (req) => {
    req.url = req.url?.replace(`&${after}`, '') ?? '';
  });
  expect(found).toEqual(outcome('list.after', { outcome: 'failed', request: `GET /automations?limit=100&${after}` }));
});

test('a declared error by the name of another one of the same status', async () => {
  const found = await outcomesOf('auth.missing', (req) => {
    req.headers.authorization ??= 'Bearer nonsense';
  });
  const actual: unknown = expect.stringMatching(/^401 .*invalid_api_key/);
  expect(found).toEqual(outcome('auth.missing', { outcome: 'failed', expected: '401 missing_api_key', actual }));
});

test.each([
  ['three of a value and another one between them', 'passed', ['enabled', 'enabled', 'disabled', 'enabled']],
  ['two of a value', 'skipped', ['enabled', 'disabled', 'enabled']],
  ['three of a value, and none between them', 'skipped', ['disabled', 'enabled', 'enabled', 'enabled']],
] as const)('a cursor with a filter is tested with %s: %s', async (_, expected, statuses) => {
  const records = automations.slice(0, statuses.length).map((it, at) => ({ ...it, status: statuses[at] ?? it.status }));
  expect(await outcomesOf('list.filter_cursor', undefined, records)).toEqual(
    outcome('list.filter_cursor', { outcome: expected }),
  );
});
