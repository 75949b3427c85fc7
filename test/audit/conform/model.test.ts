/** The model of the contract, without `conform`: it decides as the contract does, and says where the contract leaves a choice. */
import { expect, test } from '@jest/globals';
import { CHOICES } from '../../../audit/conform/model.ts';
import { contract } from '../../support/app.ts';
import { CASES } from './model-cases.ts';

test.each(CASES)('$name', ({ run }) => {
  const { actual, expected } = run();
  expect(actual).toEqual(expected);
});

const guide = JSON.stringify((contract.document as { 'x-guide': unknown })['x-guide']).replaceAll(/(\\n|\s)+/g, ' ');
test.each(Object.entries(CHOICES))('the contract leaves the choice of %s', (_, sentence) => {
  expect(guide).toContain(sentence);
});
