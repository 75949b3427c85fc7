/** The contract at run time is `openapi.yaml` with its references resolved. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import { dereference, loadContract, readDocument } from '../../contract/document.ts';

const written = (name: string): object =>
  parse(readFileSync(fileURLToPath(import.meta.resolve(`#${name}`)), 'utf8')) as object;
const document = written('openapi');

test.each(['openapi', 'control'] as const)('%s.yaml and what is built of it are the same', (name) => {
  expect(readDocument(name)).toEqual(written(name));
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
