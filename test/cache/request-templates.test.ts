/** What a validation result is cached for: the same text with another id where a parameter is. */
import { describe, expect, test } from '@jest/globals';
import { ProblemError } from '../../contract/problems.ts';
import { RequestTemplates } from '../../server/http/request-templates.ts';
import type { Parameters } from '../../server/http/request-templates.ts';
import { contract } from '../support/app.ts';

const A = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const B = '5D0A7C92-3E1B-4F68-8B24-91C7E6D5A034';
const ENCODED = A.replace('-', '%2D');

const page = (query: object): Parameters => ({ query, path: {} }) as unknown as Parameters; // As the validator leaves it.
const byId = (id: string): Parameters => ({ query: {}, path: { id } });

/** @returns what is found of `asked`, once `target` has been validated. */
function found(target: string, parameters: Parameters, asked: string): Parameters | undefined {
  const templates = new RequestTemplates(contract);
  templates.add(target, parameters);
  return templates.match(asked);
}

const after = page({ after: A, limit: 20 });

test.each<[target: string, parameters: Parameters, asked: string, result: Parameters]>([
  ['/automations?limit=2', page({ limit: 2 }), '/automations?limit=2', page({ limit: 2 })],
  [`/automations?after=${A}&limit=2`, after, `/automations?after=${B}&limit=2`, page({ after: B, limit: 20 })],
  [
    `//automations?&status=enabled&before=${B}&`,
    page({ status: 'enabled', before: B, limit: 20 }),
    `//automations?&status=enabled&before=${A}&`,
    page({ status: 'enabled', before: A, limit: 20 }),
  ],
  [`/contacts/imports/${A}`, byId(A), `/contacts/imports/${B}`, byId(B)],
])('a result holds: %s, validated: %j; of %s', (target, parameters, asked, result) => {
  expect(found(target, parameters, asked)).toEqual(result);
});

test('each of several results holds, and again of the id that was validated, after another', () => {
  const templates = new RequestTemplates(contract);
  expect(templates.match(`/automations?after=${A}`)).toBeUndefined();
  templates.add(`/automations?after=${A}`, after);
  templates.add(`/automations?before=${A}`, page({ before: A, limit: 20 }));
  expect(templates.match(`/automations?after=${B}`)).toEqual(page({ after: B, limit: 20 }));
  expect(templates.match(`/automations?before=${B}`)).toEqual(page({ before: B, limit: 20 }));
  expect(templates.match(`/automations?after=${A}`)).toEqual(after);
});

test('the results of targets without parameters are there from the start', () => {
  const templates = new RequestTemplates(contract);
  const results = ['/automations', '/contact-properties', '/contacts/imports', '/contacts/imports/'].map((target) =>
    templates.match(target),
  );
  expect(results).toEqual([page({ limit: 20 }), page({ limit: 20 }), page({ limit: 10 }), undefined]);
});

describe('a result does not hold', () => {
  test.each([
    ['/automations?limit=2', '/automations?limit=3'],
    ['/automations?limit=2', '/automations?limit=02'],
    ['/automations?limit=2', '/Automations?limit=2'],
    ['/automations?status=enabled', '/automations?status=disabled'],
  ])('%s, validated; of %s', (target, asked) => {
    expect(found(target, page({ limit: 2 }), asked)).toBeUndefined();
  });

  test.each([
    ...[`before=${B}`, 'after=', 'after=x', `after=${B}0`, `after=0${B}`, `after=${B.replaceAll('-', '')}`],
    ...[`after=${B}&before=${B}`, `after=${B}&after=${B}`],
  ])('after=..., validated; of %s', (query) => {
    expect(found(`/automations?after=${A}`, after, `/automations?${query}`)).toBeUndefined();
  });

  test.each<[target: string, parameters: Parameters, asked: string]>([
    // The parameter is in other letters, or further on; the text that looks like it means nothing.
    [`/automations?after=${ENCODED}#${A}`, after, `/automations?after=${ENCODED}#${B}`],
    [`/contacts/imports/${ENCODED}#${A}`, byId(A), `/contacts/imports/${ENCODED}#${B}`],
    [`http://${A}/automations?after=${A}`, after, `http://${B}/automations?after=${A}`],
    [`http://${A}/contacts/imports/${A}`, byId(A), `http://${B}/contacts/imports/${A}`],
    [`/automations#${A}`, page({ limit: 20 }), `/automations#${B}`],
    [`http://${A}/automations`, page({ limit: 20 }), `http://${B}/automations`],
  ])('%s, validated: %j; of %s, where the id is not the text of the parameter', (target, parameters, asked) => {
    expect(found(target, parameters, asked)).toBeUndefined();
  });
});

test('a rejection holds for the same target alone, is not kept for a long one, and no number of them evicts a result', () => {
  const templates = new RequestTemplates(contract);
  const error = new ProblemError('validation_error', 'It is invalid.');
  const long = `/automations?${'x'.repeat(300)}=1`;
  templates.add('/automations?limit=2', page({ limit: 2 }));
  for (let n = 0; n < 10_000; n += 1) templates.addRejection(`/automations?limit=0${String(n)}`, error);
  templates.addRejection(`/automations?after=${A}&limit=0`, error);
  templates.addRejection(long, error);
  expect(templates.rejectionOf(`/automations?after=${A}&limit=0`)).toBe(error);
  expect(templates.rejectionOf(`/automations?after=${B}&limit=0`)).toBeUndefined();
  expect(templates.rejectionOf('/automations?limit=00')).toBeUndefined();
  expect(templates.rejectionOf(long)).toBeUndefined();
  expect(templates.match('/automations?limit=2')).toEqual(page({ limit: 2 }));
});
