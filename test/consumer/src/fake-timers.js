/** What a suite sees of the kit while its timers are fake, whichever runner it uses. */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { automation, startRollcall } from 'rollcall/testing';

const now = performance.now.bind(performance);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

export const EXPECTED = {
  requests: [200],
  faults: [200, 503, 200, 200],
  left: 'AbortError',
  late: 'TypeError',
  isClosedAtOnce: true,
};

/** Starts a server, and asks and closes it. The timers are fake meanwhile, and nobody advances them. */
export async function underFakeTimers() {
  const server = await startRollcall({ automations: [automation()] });
  const ask = async (signal) => {
    const response = await fetch(`${server.url}/automations`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  };

  // More than the server has in flight at once.
  const requests = new Set();
  for (let at = 0; at < 300; at += 1) requests.add(await ask());

  const faults = [];
  for (const fault of [
    { delayMs: 20 },
    { status: 503, delayMs: 20 },
    { body: 'stalled', ms: 20 },
    { body: 'slow', ms: 20 },
  ]) {
    server.fail(fault);
    faults.push(await ask());
  }

  server.fail({ delayMs: 60_000 }, 2);
  const seen = server.requests.length;
  const controller = new AbortController();
  const left = ask(controller.signal).catch((error) => error.name);
  const late = ask().catch((error) => error.name);
  while (server.requests.length < seen + 2) await nextTurn();
  controller.abort();
  await left;
  const started = now();
  await server.close();
  const isClosedAtOnce = now() - started < 500;
  return { requests: [...requests], faults, left: await left, late: await late, isClosedAtOnce };
}
