/** Every rule of `conform` checks a sentence of the contract. `npm test -- sentences --verbose` lists them side by side. */
import { expect, test } from '@jest/globals';
import { allRules } from '../../../audit/conform/rules.ts';
import { contract } from '../../support/app.ts';
import { SENTENCES } from './sentences.ts';

const rules = [...allRules(contract).values()];

test('every rule has a sentence, and every sentence is of a rule', () => {
  expect(Object.keys(SENTENCES).sort()).toEqual(rules.map(({ id }) => id).sort());
  expect(rules.filter(({ id }) => SENTENCES[id]?.length === 0)).toEqual([]);
});

const text = JSON.stringify(contract.document).replaceAll(/(\\n|\s)+/g, ' ');
const pairs = rules.flatMap(({ id, title }) => (SENTENCES[id] ?? []).map((sentence) => ({ id, title, sentence })));

test.each(pairs)('$id: $title — $sentence', ({ sentence }) => {
  expect(text).toContain(sentence);
});
