/** The fault endpoint: the requests it accepts and rejects, and hostile peers. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../server/http/connections.ts';
import { startFaultEndpoint } from '../../server/testing/fault-endpoint.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import { exchange, parseResponse } from '../support/raw.ts';

const KEY = 'a-key';

let added: [fault: unknown, times: number][];
let cleared: number;
let url: string;
/** Starts an endpoint until the test has ended. */
async function open(limits = LIMITS): Promise<void> {
  const faults = {
    add: (fault: unknown, times: number) => {
      if (JSON.stringify(fault) === '{"status":418}') throw new RangeError('There is no error of status 418.');
      added.push([fault, times]);
    },
    clear: () => {
      cleared += 1;
    },
  };
  const endpoint = await startFaultEndpoint(contract, faults, KEY, limits);
  afterTest(endpoint.stop);
  url = endpoint.url;
}
beforeEach(async () => {
  [added, cleared] = [[], 0];
  await open();
});

async function send(
  method: string,
  body?: string | Uint8Array<ArrayBuffer>,
  to = url,
  key = KEY,
): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(to, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test.each<[string, unknown, number]>([
  ['{"status":503}', { status: 503 }, 1],
  ['{"body":"slow","ms":5,"times":3}', { body: 'slow', ms: 5 }, 3],
  ['{"times":"always","delayMs":1}', { delayMs: 1 }, Infinity],
])('POST %s adds a fault', async (body, fault, times) => {
  expect(await send('POST', body)).toMatchObject({ status: 204, text: '' });
  expect(added).toEqual([[fault, times]]);
});

test('DELETE clears all faults', async () => {
  expect(await send('DELETE')).toMatchObject({ status: 204, text: '' });
  expect(cleared).toBe(1);
});

const NO_JSON = 'The body must be a fault as JSON, such as {"status": 503, "times": 2}.';
const TIMES = '`times` must be a whole number of 1 or more, or "always".';
test.each<[string, number, string, string | Uint8Array<ArrayBuffer>]>([
  ['no body', 400, NO_JSON, ''],
  ['truncated JSON', 400, NO_JSON, '{"status":503'],
  ['a repeated member', 400, 'The body has /status more than once.', '{"status":503,"status":500}'],
  ['a body that is not UTF-8', 400, NO_JSON, new Uint8Array([0x22, 0xff, 0x22])],
  ['a body that is too long', 413, 'A fault has no more than 4096 bytes.', `{"status":503,"x":"${'x'.repeat(5000)}"}`],
  ['an invalid fault', 422, 'There is no error of status 418.', '{"status":418}'],
  ['invalid times', 422, TIMES, '{"status":503,"times":"often"}'],
  ['times of null', 422, TIMES, '{"status":503,"times":null}'],
])('%s is rejected', async (_, status, message, body) => {
  const response = await send('POST', body);
  expect(response).toMatchObject({ status, text: JSON.stringify({ message }) });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(added).toEqual([]);
});

test('another path, another method and another or no key are rejected', async () => {
  expect(await send('POST', '{}', url.replace('/faults', '/fault'))).toMatchObject({
    status: 404,
    text: '{"message":"There is nothing here but /faults."}',
  });
  const wrong = await send('GET');
  expect(wrong).toMatchObject({ status: 405, text: '{"message":"/faults accepts only POST and DELETE."}' });
  expect(wrong.headers.get('allow')).toBe('POST, DELETE');
  const other = await send('POST', '{"status":503}', url, 'another');
  expect(other).toMatchObject({
    status: 401,
    text: '{"message":"Send the key of the server: `Authorization: Bearer <key>`."}',
  });
  expect(other.headers.get('www-authenticate')).toBe('Bearer');
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(401);
  expect([added, cleared]).toEqual([[], 0]);
});

describe('the endpoint drops a client', () => {
  const head = `POST /faults HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 100000\r\n\r\n`;
  afterEach(async () => {
    expect(added).toEqual([]);
    expect((await send('POST', '{"status":503}')).status).toBe(204);
  });

  test('that does not end its body', async () => {
    await open({ ...LIMITS, headersMs: 200, requestMs: 400, checkEveryMs: 50 });
    expect(await exchange(url, `${head}{"st`)).toBe('');
    await open();
  });

  test('that never stops sending', async () => {
    expect(parseResponse(await exchange(url, head + 'x'.repeat(5000))).status).toBe(413);
  });

  test('that disconnects in the middle of its body', async () => {
    const sent = request(url, { method: 'POST', headers: { authorization: `Bearer ${KEY}` } });
    const closed = new Promise((resolve) => sent.on('error', () => undefined).on('close', resolve));
    sent.write('{"status"', () => sent.destroy());
    await closed;
  });
});
