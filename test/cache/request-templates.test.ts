/** What a validation result is cached for: the same text with another id where a parameter is. */
import { describe, expect, test } from '@jest/globals';
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

describe('a result holds', () => {
  test.each<[target: string, parameters: Parameters, asked: string, result: Parameters]>([
    ['/automations', page({ limit: 20 }), '/automations', page({ limit: 20 })],
    ['/automations?limit=2', page({ limit: 2 }), '/automations?limit=2', page({ limit: 2 })],
    [
      `/automations?after=${A}&limit=2`,
      page({ after: A, limit: 2 }),
      `/automations?after=${B}&limit=2`,
      page({ after: B, limit: 2 }),
    ],
    [
      `//automations?&status=enabled&before=${B}&`,
      page({ status: 'enabled', before: B, limit: 20 }),
      `//automations?&status=enabled&before=${A}&`,
      page({ status: 'enabled', before: A, limit: 20 }),
    ],
    [`/contacts/imports/${A}`, byId(A), `/contacts/imports/${B}`, byId(B)],
  ])('%s, validated: %j; of %s', (target, parameters, asked, result) => {
    expect(found(target, parameters, asked)).toEqual(result);
  });

  test('of each of several templates', () => {
    const templates = new RequestTemplates(contract);
    templates.add(`/automations?after=${A}`, page({ after: A, limit: 20 }));
    templates.add(`/automations?before=${A}`, page({ before: A, limit: 20 }));
    expect(templates.match(`/automations?after=${B}`)).toEqual(page({ after: B, limit: 20 }));
    expect(templates.match(`/automations?before=${B}`)).toEqual(page({ before: B, limit: 20 }));
  });

  test('again of the id that was validated, after another', () => {
    const templates = new RequestTemplates(contract);
    templates.add(`/contacts/imports/${A}`, byId(A));
    templates.match(`/contacts/imports/${B}`);
    expect(templates.match(`/contacts/imports/${A}`)).toEqual(byId(A));
  });
});

describe('a result does not hold', () => {
  const after = page({ after: A, limit: 20 });
  test.each<[target: string, parameters: Parameters, asked: string]>([
    ['/automations?limit=2', page({ limit: 2 }), '/automations?limit=3'],
    ['/automations?limit=2', page({ limit: 2 }), '/automations?limit=02'],
    ['/automations?limit=2', page({ limit: 2 }), '/Automations?limit=2'],
    ['/automations?status=enabled', page({ status: 'enabled', limit: 20 }), '/automations?status=disabled'],
    [`/automations?after=${A}`, after, `/automations?before=${B}`],
    [`/automations?after=${A}`, after, '/automations?after='],
    [`/automations?after=${A}`, after, '/automations?after=x'],
    [`/automations?after=${A}`, after, `/automations?after=${B}0`],
    [`/automations?after=${A}`, after, `/automations?after=0${B}`],
    [`/automations?after=${A}`, after, `/automations?after=${B.replaceAll('-', '')}`],
    [`/automations?after=${A}`, after, `/automations?after=${B}&before=${B}`],
    [`/automations?after=${A}`, after, `/automations?after=${B}&after=${B}`],
  ])('%s, validated: %j; of %s', (target, parameters, asked) => {
    expect(found(target, parameters, asked)).toBeUndefined();
  });

  test('of anything, before one was given', () => {
    expect(new RequestTemplates(contract).match('/automations')).toBeUndefined();
  });
});

describe('an id that is not the text of the parameter is not mistaken for it', () => {
  const after = page({ after: A, limit: 20 });
  test.each<[target: string, parameters: Parameters, asked: string]>([
    // The parameter is in other letters, or further on; the text that looks like it means nothing.
    [`/automations?after=${ENCODED}#${A}`, after, `/automations?after=${ENCODED}#${B}`],
    [`/contacts/imports/${ENCODED}#${A}`, byId(A), `/contacts/imports/${ENCODED}#${B}`],
    [`http://${A}/automations?after=${A}`, after, `http://${B}/automations?after=${A}`],
    [`http://${A}/contacts/imports/${A}`, byId(A), `http://${B}/contacts/imports/${A}`],
    [`/automations#${A}`, page({ limit: 20 }), `/automations#${B}`],
    [`http://${A}/automations`, page({ limit: 20 }), `http://${B}/automations`],
  ])('%s, validated: %j; of %s', (target, parameters, asked) => {
    expect(found(target, parameters, asked)).toBeUndefined();
  });
});
