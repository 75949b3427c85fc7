/** What a refusal says to a command that requests other paths than that of the list. */
import { expect, test } from '@jest/globals';
import { adviceFor } from '../../../audit/examine/other-path.ts';
import { show } from '../../support/text.ts';

test.each<[string, [list: string, basePath: string, requested: string], string]>([
  [
    'the client appends a path to its base',
    ['/orders', '', '/v2/orders'],
    'It requested /v2/orders, but the list is at /orders: add --base-path /v2, and give the client ROLLCALL_BASE_URL without that path: "${ROLLCALL_BASE_URL%/v2}".',
  ],
  [
    'it appends the base path that it is given',
    ['/v2/orders', '/v2', '/v2/v2/orders'],
    'It requested /v2/v2/orders, but the list is at /v2/orders: the client appends /v2 itself. Give it ROLLCALL_BASE_URL without that path: "${ROLLCALL_BASE_URL%/v2}".',
  ],
  [
    'it appends another path to the base path',
    ['/api/orders', '/api', '/api/v2/orders'],
    'It requested /api/v2/orders, but the list is at /api/orders: add --base-path /api/v2, and give the client ROLLCALL_BASE_URL without /v2: "${ROLLCALL_BASE_URL%/v2}".',
  ],
  [
    'it ignores the base path',
    ['/v2/orders', '/v2', '/orders'],
    'It requested /orders, but the list is at /v2/orders: leave out --base-path, or give the client ROLLCALL_BASE_URL, which ends with /v2.',
  ],
  [
    'it has another base path',
    ['/v2/orders', '/v2', '/api/v3/orders'],
    'It requested /api/v3/orders, but the list is at /v2/orders: replace --base-path /v2 by --base-path /api/v3.',
  ],
  [
    'its base has no path, and that of the profile has one',
    ['/v2/orders', '', '/orders'],
    'It requested /orders, but the list is at /v2/orders: append the path to the base: "$ROLLCALL_BASE_URL/v2".',
  ],
  [
    'it lacks a part of the path',
    ['/api/v2/orders', '/api', '/api/orders'],
    'It requested /api/orders, but the list is at /api/v2/orders: append the path to the base: "$ROLLCALL_BASE_URL/v2".',
  ],
  [
    'it appends to the URL of the list',
    ['/orders', '', '/orders/orders'],
    'It requested /orders/orders, but the list is at /orders: ROLLCALL_URL is the list itself. Give the client ROLLCALL_BASE_URL.',
  ],
  [
    'it has another path before the same end',
    ['/v2/orders', '', '/v1/orders'],
    'It requested /v1/orders, but the list is at /v2/orders: let the client request the list at ROLLCALL_URL.',
  ],
])('%s', (_, [list, basePath, requested], expected) => {
  const advice = adviceFor({ list, basePath, requested: ['/health', requested] });
  expect(advice && show(advice)).toBe(expected);
});

test.each([['/other'], ['/orders'], ['/orders/'], ['/myorders'], ['/']])('it says nothing of %s', (requested) => {
  expect(adviceFor({ list: '/orders', basePath: '', requested: [requested] })).toBeUndefined();
});
