/** The contract at run time is `openapi.yaml` with its references resolved. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import { DOCUMENT } from '../../generated/document.ts';
import { dereference, loadContract } from '../../contract/document.ts';

const document = parse(readFileSync(fileURLToPath(import.meta.resolve('#openapi')), 'utf8')) as object;

test('is the file, as it was generated last', () => {
  expect(DOCUMENT).toEqual(document);
});

test('has its references resolved as the library for it does', async () => {
  expect(dereference(structuredClone(document))).toEqual(await $RefParser.dereference(structuredClone(document)));
});

test('has one object for a schema that is referred to twice, and to a reference', () => {
  const a = { type: 'string' };
  const one = dereference({ a, b: { $ref: '#/a' }, c: [{ $ref: '#/b' }] }) as { b: unknown; c: unknown[] };
  expect(one.b).toBe(a);
  expect(one.c[0]).toBe(a);
});

test.each(['#/a/none', '#/none/a', 'other.yaml#/a', ''])('rejects a reference without a target: %j', ($ref) => {
  expect(() => dereference({ a: {}, b: { $ref } })).toThrow(`The contract has nothing at ${$ref}.`);
});

test('is a new copy each time', () => {
  expect(loadContract().schemas.Id).not.toBe(loadContract().schemas.Id);
});
