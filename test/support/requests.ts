/** Requests to an application, and what every error of the contract has. */
import { expect } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import type { TestApp } from './app.ts';

/** @returns the response to a GET with the key. */
export const get = (
  { app, key }: Pick<TestApp, 'app' | 'key'>,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  request(app)
    .get(target)
    .set({ authorization: `Bearer ${key}`, ...headers })
    .then((it) => it);

/** Asserts that a response is this error, as JSON, and says nothing of the implementation. */
export function expectProblem(response: Response, statusCode: number, name: string, message: string): void {
  expect(response.body).toEqual({ statusCode, name, message });
  expect(response.status).toBe(statusCode);
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers).not.toHaveProperty('etag');
  expect(response.headers).not.toHaveProperty('x-powered-by');
  expect(response.text).not.toMatch(/rollcall_|SELECT|sqlite|node_modules|\.ts|\bat .*:/);
}
