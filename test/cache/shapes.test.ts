/** What a verdict of the validator is remembered for: the same text with another id at the one place that is a parameter. */
import { describe, expect, test } from '@jest/globals';
import type { Account } from '../../server/contract/types.ts';
import { Shapes } from '../../server/http/cache/shapes.ts';
import type { Checked } from '../../server/http/dispatch.ts';
import { contract } from '../support/app.ts';

const A = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const B = '5D0A7C92-3E1B-4F68-8B24-91C7E6D5A034';
const ENCODED = A.replace('-', '%2D');
const [MAIN, OTHER] = [1, 2] as Account[] as [Account, Account];

const page = (account: Account, query: object): Checked =>
  ({ operation: 'listAutomations', call: { account, query, path: {} } }) as unknown as Checked; // As the validator leaves it.
const lookup = (account: Account, id: string): Checked => ({
  operation: 'getContactImport',
  call: { account, query: {}, path: { id } },
});

/** @returns what is made of `asked`, for another account, once `target` has been judged. */
function judged(target: string, checked: Checked, asked: string): Checked | undefined {
  const shapes = new Shapes(contract);
  shapes.learn(target, checked);
  return shapes.judge(asked, OTHER);
}

describe('a verdict holds', () => {
  test.each<[target: string, checked: Checked, asked: string, verdict: Checked]>([
    ['/automations', page(MAIN, { limit: 20 }), '/automations', page(OTHER, { limit: 20 })],
    ['/automations?limit=2', page(MAIN, { limit: 2 }), '/automations?limit=2', page(OTHER, { limit: 2 })],
    [
      `/automations?after=${A}&limit=2`,
      page(MAIN, { after: A, limit: 2 }),
      `/automations?after=${B}&limit=2`,
      page(OTHER, { after: B, limit: 2 }),
    ],
    [
      `//automations?&status=enabled&before=${B}&`,
      page(MAIN, { status: 'enabled', before: B, limit: 20 }),
      `//automations?&status=enabled&before=${A}&`,
      page(OTHER, { status: 'enabled', before: A, limit: 20 }),
    ],
    [`/contacts/imports/${A}`, lookup(MAIN, A), `/contacts/imports/${B}`, lookup(OTHER, B)],
  ])('%s, judged: %j; of %s', (target, checked, asked, verdict) => {
    expect(judged(target, checked, asked)).toEqual(verdict);
  });

  test('of each of several shapes', () => {
    const shapes = new Shapes(contract);
    shapes.learn(`/automations?after=${A}`, page(MAIN, { after: A, limit: 20 }));
    shapes.learn(`/automations?before=${A}`, page(MAIN, { before: A, limit: 20 }));
    expect(shapes.judge(`/automations?after=${B}`, OTHER)).toEqual(page(OTHER, { after: B, limit: 20 }));
    expect(shapes.judge(`/automations?before=${B}`, OTHER)).toEqual(page(OTHER, { before: B, limit: 20 }));
  });

  test('again of the id that was judged, after another', () => {
    const shapes = new Shapes(contract);
    shapes.learn(`/contacts/imports/${A}`, lookup(MAIN, A));
    shapes.judge(`/contacts/imports/${B}`, OTHER);
    expect(shapes.judge(`/contacts/imports/${A}`, MAIN)).toEqual(lookup(MAIN, A));
  });
});

describe('a verdict does not hold', () => {
  const after = page(MAIN, { after: A, limit: 20 });
  test.each<[target: string, checked: Checked, asked: string]>([
    ['/automations?limit=2', page(MAIN, { limit: 2 }), '/automations?limit=3'],
    ['/automations?limit=2', page(MAIN, { limit: 2 }), '/automations?limit=02'],
    ['/automations?limit=2', page(MAIN, { limit: 2 }), '/Automations?limit=2'],
    ['/automations?status=enabled', page(MAIN, { status: 'enabled', limit: 20 }), '/automations?status=disabled'],
    [`/automations?after=${A}`, after, `/automations?before=${B}`],
    [`/automations?after=${A}`, after, '/automations?after='],
    [`/automations?after=${A}`, after, '/automations?after=x'],
    [`/automations?after=${A}`, after, `/automations?after=${B}0`],
    [`/automations?after=${A}`, after, `/automations?after=0${B}`],
    [`/automations?after=${A}`, after, `/automations?after=${B.replaceAll('-', '')}`],
    [`/automations?after=${A}`, after, `/automations?after=${B}&before=${B}`],
    [`/automations?after=${A}`, after, `/automations?after=${B}&after=${B}`],
  ])('%s, judged: %j; of %s', (target, checked, asked) => {
    expect(judged(target, checked, asked)).toBeUndefined();
  });

  test('of anything, before one was given', () => {
    expect(new Shapes(contract).judge('/automations', MAIN)).toBeUndefined();
  });
});

describe('an id that is not the text of the parameter is not mistaken for it', () => {
  const after = page(MAIN, { after: A, limit: 20 });
  test.each<[target: string, checked: Checked, asked: string]>([
    // The parameter is in other letters, or further on; the text that looks like it means nothing.
    [`/automations?after=${ENCODED}#${A}`, after, `/automations?after=${ENCODED}#${B}`],
    [`/contacts/imports/${ENCODED}#${A}`, lookup(MAIN, A), `/contacts/imports/${ENCODED}#${B}`],
    [`http://${A}/automations?after=${A}`, after, `http://${B}/automations?after=${A}`],
    [`http://${A}/contacts/imports/${A}`, lookup(MAIN, A), `http://${B}/contacts/imports/${A}`],
    [`/automations#${A}`, page(MAIN, { limit: 20 }), `/automations#${B}`],
    [`http://${A}/automations`, page(MAIN, { limit: 20 }), `http://${B}/automations`],
  ])('%s, judged: %j; of %s', (target, checked, asked) => {
    expect(judged(target, checked, asked)).toBeUndefined();
  });
});
