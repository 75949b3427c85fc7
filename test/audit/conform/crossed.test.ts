/** What a failure says of a context, of chance, and of a run that ends; on the model in memory. */
import { expect, test } from '@jest/globals';
import type { Options, Result } from '../../../audit/conform/conform.ts';
import { Untestable } from '../../../audit/session/session.ts';
import { on, onHead } from '../mutants/mutant.ts';
import type { Change } from '../mutants/proxy.ts';
import { judged, openServer } from '../mutants/server.ts';

type Failed = Extract<Result, { outcome: 'failed' }>;

/** @returns the failures of a run, and why it could not continue. */
async function failuresOf(change: Change, options: Options): Promise<{ failed: Failed[]; sent: number; end?: string }> {
  await using server = await openServer();
  const failed: Failed[] = [];
  let sent = 0;
  const trace = (): void => {
    sent += 1;
  };
  try {
    for await (const result of judged(server, change, { seed: 1, crossed: 0, ...options, trace })) {
      if (result.outcome === 'failed') failed.push(result);
      if (failed.length > 0) break;
    }
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return { failed, sent, end: error.message };
  }
  return { failed, sent };
}
const first = ({ failed: [failure] }: { readonly failed: readonly Failed[] }) => failure?.findings[0];

const isInvalid = on(422, (reply, { query }) => {
  if (query.get('limit') === '0') reply.status = 404;
});

test('a failure that does not come again says so, instead of the advice of its rule', async () => {
  let count = 0;
  const once = on(422, (reply, { query }) => {
    if (query.get('limit') === '0' && ++count === 1) reply.status = 404;
  });
  const always = await failuresOf(isInvalid, { only: ['list.invalid_limit'] });
  const byChance = await failuresOf(once, { only: ['list.invalid_limit'] });
  expect(always.failed[0]?.change).toMatch(/^Match the whole string of `limit`/);
  expect(byChance.failed[0]?.change).toMatch(/^Sent again, the same request returned another response\./);
  expect(first(byChance)?.actual).toEqual(first(always)?.actual);
});

test('a failure is kept if no request is left to send it again', async () => {
  const whole = await failuresOf(isInvalid, { only: ['list.invalid_limit'] });
  const short = await failuresOf(isInvalid, { only: ['list.invalid_limit'], requests: whole.sent - 1 });
  expect([whole.failed.length, short.failed.length, short.sent]).toEqual([1, 1, whole.sent - 1]);
  expect(short.failed[0]?.findings).toEqual(whole.failed[0]?.findings);
});

test('a request in one context that closes the connection is the smallest that does so', async () => {
  const crash = onHead((reply, { body, query }) => {
    if (body !== '' && query.has('limit')) reply.isCut = true;
  });
  const { failed } = await failuresOf(crash, { crossed: 2400, requests: 5000 });
  expect(failed.map(({ rule }) => rule)).toEqual(['list.sampled']);
  const finding = first({ failed });
  expect(finding?.request).toMatch(
    /^HEAD \/automations\?[^ ]*limit=[^ ]* \(content-type: application\/json\) \(body: /,
  );
  expect(finding?.actual).toBe('no response: the connection was closed without a response');
  expect(finding?.difference).toMatch(/^the response is right without .*\bHEAD\b.*; it breaks [a-z]+\.[a-z_]+$/);
});
