/** What a run of a client proves, where two things are wrong at once, or where only the time is up. */
import { expect, test } from '@jest/globals';
import { verdictOf } from '../../../audit/examine/verdict.ts';
import type { Run } from '../../../audit/examine/client.ts';
import type { Scenario } from '../../../audit/fake/scenario.ts';
import type { SeenRequest } from '../../../audit/fake/types.ts';
import type { Profile } from '../../../audit/lists/profile.ts';

const PROFILE: Profile = { url: 'http://a/orders', items: 'items', id: 'id', next: { token: 'cursor', from: 'next' } };
const SCENARIO: Scenario = {
  ...{ name: 'a.b', pack: 'a', does: {}, server: 'is right', expect: 'all', report: '' },
  watch: { early: 'note' },
};
const seen = (target: string, atMs: number, more: Partial<SeenRequest> = {}): SeenRequest => ({
  ...{ number: 1, method: 'GET', target, host: 'a', port: 1, headers: {}, status: 200, isElsewhere: false },
  ...(target.startsWith('/orders') && { items: 2 }),
  ...{ atMs, doneMs: atMs, ...more },
});
const RUN: Run = {
  ...{ ending: { kind: 'exited', code: 0 }, printed: ['1', '2'], said: '', ids: ['1', '2'], added: [], ms: 60_000 },
  requests: [seen('/orders', 0)],
};
const EARLY = [seen('/orders', 0, { status: 503, retryMs: 3000 }), seen('/orders', 1000)];
const HUNG = { kind: 'hung' } as const;

test.each<[string, Partial<Run>, Partial<Scenario>, readonly string[], object | undefined]>([
  ['a right run', {}, {}, [], undefined],
  ['a note', { requests: EARLY }, {}, [], { is: 'noted', why: 'early' }],
  ['a note hides no failure', { requests: EARLY, printed: ['1'] }, {}, [], { is: 'failed', why: 'missing' }],
  ['an item is printed again', { printed: ['1', '2', '1'] }, {}, [], { is: 'failed', why: 'repeated' }],
  ['what is no item is printed', { printed: ['1', '2', 'x'] }, {}, [], { is: 'failed', why: 'unknown' }],
  ['a list without a fault fails', { ending: { kind: 'exited', code: 1 } }, {}, [], { is: 'failed', why: 'broken' }],
  [
    'an error where one is due',
    { ending: { kind: 'exited', code: 1 }, printed: ['1'] },
    { expect: 'error' },
    [],
    undefined,
  ],
  [
    'a slow client that goes on',
    { ending: HUNG, requests: [seen('/orders?cursor=9', 59_000)] },
    {},
    [],
    { is: 'noted' },
  ],
  ['a client that waits for nothing', { ending: HUNG }, {}, [], { is: 'failed', why: 'endless' }],
  [
    'a parameter that is never sent',
    {},
    { watch: { params: 'failure' } },
    ['status=open'],
    { is: 'failed', why: 'params' },
  ],
  [
    'another path, which --serve answers, needs no parameter',
    {
      requests: [
        seen('/user', 0),
        seen('/orders?status=open&limit=2', 1),
        seen('/orders?status=open&limit=2&cursor=b', 2),
      ],
    },
    { watch: { params: 'failure' } },
    ['status=open'],
    undefined,
  ],
  [
    'a parameter that is sent',
    { requests: [seen('/orders?status=open', 0)] },
    { watch: { params: 'failure' } },
    ['status=open'],
    undefined,
  ],
])('%s', (_, run, scenario, params, expected) => {
  const verdict = verdictOf({ ...SCENARIO, ...scenario }, PROFILE, { ...RUN, ...run }, params);
  if (expected === undefined) expect(verdict).toBeUndefined();
  else expect(verdict).toMatchObject(expected);
});
