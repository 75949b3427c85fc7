/** Every rule of requests that needs no record: input, exact status, exact name, exact message, and what must be absent. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { OperationId } from '../../contract/types.ts';
import { afterFile } from '../support/after-test.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import {
  KEYS,
  METHODS,
  PAGES,
  PARAMETERS,
  PRECEDENCE,
  RECORDS,
  UNKNOWN,
  UNKNOWN_PATHS,
  UUID,
} from '../support/decisions.ts';
import type { Decision } from '../support/decisions.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, lastText, parseResponse } from '../support/raw.ts';
import { expectProblem, get } from '../support/requests.ts';
import { serve } from '../support/served.ts';

function operationOf(target: string): OperationId {
  const [path = ''] = target.replace(/^\/+/, '/').split(/[?#]/);
  if (path === '/automations') return 'listAutomations';
  if (path === '/contact-properties') return 'listContactProperties';
  return path === '/contacts/imports' ? 'listContactImports' : 'getContactImport';
}

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp(RECORDS, {}, undefined, { after: afterFile });
});

/** Sends the request of a decision. */
const send = ({ method, target, authorization }: Decision): request.Test => {
  const asked = request(t.app)[method.toLowerCase() as 'get'](target); // Of supertest's methods.
  if (authorization !== undefined) asked.set('authorization', authorization.replaceAll('KEY', t.key));
  const hasBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
  return hasBody ? asked.set('content-type', 'application/json').send('{') : asked;
};

describe.each([
  ['parameters that are rejected', PARAMETERS],
  ['paths that lead nowhere', UNKNOWN_PATHS],
  ['methods', METHODS],
  ['keys', KEYS],
  ['the order of checks: path, method, key, parameters, existence', PRECEDENCE],
  ['pages', PAGES],
])('%s:', (_, decisions) => {
  test.each(decisions.map((it): [string, Decision] => [`${it.method} ${it.target}, ${String(it.authorization)}`, it]))(
    '%s',
    async (_name, decision) => {
      const { method, target, status, name, message, ids, hasMore } = decision;
      const response = await send(decision);
      const body = response.body as { message?: string; data?: { id: string }[]; has_more?: boolean };
      expect(response.status).toBe(status);
      if (name !== undefined) expectProblem(response, status, name, message ?? String(body.message));
      if (ids !== undefined) expect([body.data?.map(({ id }) => id), body.has_more]).toEqual([ids, hasMore]);
      if (status === 405 || status === 204) expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
      const challenge = name === 'invalid_api_key' ? ', error="invalid_token"' : '';
      expect(response.headers['www-authenticate']).toBe(
        status === 401 ? `Bearer realm="rollcall"${challenge}` : undefined,
      );
      if (status === 204) {
        expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(response.text).toBe('');
      } else if (method !== 'HEAD') expectDeclared(operationOf(target), response);
    },
  );
});

test.each([
  ...['/automations', '/automations?limit=0', '/nope'],
  ...[`/contacts/imports/${UUID}`, `/contacts/imports/${UNKNOWN}`],
])('HEAD %s is GET without the body', async (target) => {
  const whole = await get(t, target, { 'x-request-id': 'same' });
  const head = await request(t.app)
    .head(target)
    .set({ authorization: `Bearer ${t.key}`, 'x-request-id': 'same' });
  expect(head.status).toBe(whole.status);
  expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
  expect(head.text).toBeUndefined();
});

test.each<[Record<string, string>, string | undefined]>([
  [{ 'content-type': 'application/json' }, '{}'],
  [{ 'content-type': 'application/json' }, '{ not json'],
  [{ 'content-type': 'multipart/form-data' }, 'no boundary'],
  [{ 'content-type': 'nonsense' }, 'x'],
  [{ accept: 'text/html' }, undefined],
  [{ accept: 'application/xml;q=1' }, undefined],
])('a body, Content-Type and Accept are ignored: %j %s', async (headers, body) => {
  const response = await request(t.app)
    .get('/automations')
    .set({ authorization: `Bearer ${t.key}`, ...headers })
    .send(body);
  expect(response.status).toBe(200);
  expectDeclared('listAutomations', response);
});

test.each([
  ['Bearer KEY', 'Bearer KEY'],
  ['Bearer KEY', 'Bearer nonsense'],
  ['Bearer nonsense', 'Bearer KEY'],
  ['Basic dXNlcjpwYXNz', 'Bearer KEY'],
  ['Bearer KEY', ''],
])('two Authorization headers, %s and %s, are 401: no single key was sent', async (...headers) => {
  const { url, key } = await serve();
  expect(parseResponse(await exchange(url, lastText(key))).status).toBe(200); // From here on the key is cached.
  const lines = headers.map((it) => `Authorization: ${it.replace('KEY', key)}`);
  const response = parseResponse(
    await exchange(url, ['GET /automations HTTP/1.1', 'Host: x', ...lines, 'Connection: close', '', ''].join('\r\n')),
  );
  expect([response.status, JSON.parse(response.text)]).toEqual([
    401,
    { statusCode: 401, name: 'invalid_api_key', message: 'Send only one `Authorization` header.' },
  ]);
  expect(response.headers['www-authenticate']).toBe('Bearer realm="rollcall", error="invalid_token"');
  expectDeclared('listAutomations', response);
});
