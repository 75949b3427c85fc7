/** The samples hold what the contract's examples show; those of the demo hold all that a test of the contract looks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { COLLECTIONS, commandName, operationsOf, recordSchemaOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { exampleRecords } from '../contract/examples.ts';
import type { Result } from '../audit/conform/conform.ts';
import { toMicroseconds } from '../contract/timestamp.ts';
import { open, results } from './audit/conform/target.ts';
import { contract, openTestApp } from './support/app.ts';
import { ROOT } from './support/project.ts';

type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string; readonly created_at: string };

function samplesOf(collection: Collection): readonly AnyRecord[] {
  const text = readFileSync(join(ROOT, `server/samples/${commandName(collection)}.ndjson`), 'utf8');
  return Array.from(text.trimEnd().split('\n'), (it) => JSON.parse(it) as AnyRecord);
}

/** Serves the samples until the test has ended. */
async function serve(): Promise<{ url: string; key: string }> {
  const samples = Object.fromEntries(COLLECTIONS.map((it) => [it, samplesOf(it)]));
  return open(await openTestApp(samples)); // They are checked as they are loaded.
}

interface ParameterExample {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
}
/** @returns the parameters of an operation, with the examples that the contract gives. */
function parametersOf(id: string): readonly ParameterExample[] {
  const { paths, components } = contract.document as {
    readonly paths: Record<string, { get: { operationId: string; parameters: { $ref: string }[] } }>;
    readonly components: { readonly parameters: Record<string, ParameterExample> };
  };
  const operation = Object.values(paths).find((it) => it.get.operationId === id);
  return (operation?.get.parameters ?? []).flatMap(
    ({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''] ?? [],
  );
}
/** @returns the ids that the contract gives as examples of an operation's parameters. */
const idsOf = (id: string): readonly string[] =>
  parametersOf(id)
    .filter((it) => ['id', 'after', 'before'].includes(it.name))
    .map((it) => String(it.example));

describe.each(COLLECTIONS)('%s', (collection) => {
  const samples = samplesOf(collection);
  const byId = new Map(samples.map((it) => [it.id, it]));
  const { list, get } = operationsOf(collection);
  const operations = get === undefined ? [list] : [list, get];

  test('hold the records of the contract’s examples, as they are', () => {
    const ofGet = get && contract.operation(get).responses.get(200)?.content?.['application/json']?.example;
    const others = [ofGet, recordSchemaOf(contract, collection).example].filter((it) => it !== undefined);
    const examples: readonly AnyRecord[] = [...exampleRecords(contract, collection), ...(others as AnyRecord[])];
    for (const it of examples) expect(byId.get(it.id)).toEqual(it);
  });

  test('hold the id of every example of a parameter', () => {
    const ids = operations.flatMap(idsOf);
    expect(ids.length).toBeGreaterThanOrEqual(operations.length + 1);
    expect(ids.filter((it) => !byId.has(it))).toEqual([]);
  });

  test('answer each example of a parameter, sent as it stands, with records', async () => {
    const { url, key } = await serve();
    for (const operation of operations.map((it) => contract.operation(it))) {
      const parameters = parametersOf(operation.id);
      expect(parameters.filter((it) => it.example === undefined)).toEqual([]);
      const inPath = parameters.filter((it) => it.in === 'path');
      const path = inPath.reduce((it, { name, example }) => it.replace(`{${name}}`, String(example)), operation.path);
      for (const it of [undefined, ...parameters.filter((it) => it.in !== 'path')]) {
        const value = String(it?.example);
        const query = it?.in === 'query' ? `?${it.name}=${encodeURIComponent(value)}` : '';
        const headers = it?.in === 'header' ? { [it.name]: value } : {};
        const response = await fetch(url + path + query, { headers: { authorization: `Bearer ${key}`, ...headers } });
        const { id, data } = (await response.json()) as { id?: string; data?: AnyRecord[] };
        expect([it?.name, response.status]).toEqual([it?.name, 200]);
        expect(id ?? data?.length).toBeTruthy();
      }
    }
  });
});

/** The collections whose samples try everything. Of any other, a few records are enough. */
const RICH: readonly Collection[] = ['automations', 'contactProperties', 'contactImports'];

describe.each(RICH)('%s', (collection) => {
  const samples = samplesOf(collection);
  const { list } = operationsOf(collection);
  const instants = samples.map((it) => toMicroseconds(it.created_at));

  test('are newest first', () => {
    const places = samples.map((it, at) => ({ us: instants[at] ?? 0n, id: it.id }));
    const sorted = places.toSorted((a, b) => (a.us === b.us ? (a.id < b.id ? 1 : -1) : a.us < b.us ? 1 : -1));
    expect(places).toEqual(sorted);
  });

  test('have ties over the end of the first page, of timestamps that are written alike, and of such that are not', () => {
    const { default: limit } = contract.operation(list).parameters.find((it) => it.name === 'limit')?.schema ?? {};
    const end = Number(limit);
    expect(instants[end - 1]).toBe(instants[end]);
    const at = new Map<bigint | undefined, string[]>();
    for (const [index, { created_at }] of samples.entries()) {
      at.set(instants[index], [...(at.get(instants[index]) ?? []), created_at]);
    }
    const ties = [...at.values()].filter((it) => it.length > 1);
    expect(ties.some((it) => new Set(it).size < it.length)).toBe(true);
    expect(ties.some((it) => new Set(it).size > 1)).toBe(true);
  });

  test('have timestamps of several precisions and offsets', () => {
    const digits = new Set(samples.map((it) => /\.(\d+)/.exec(it.created_at)?.[1]?.length ?? 0));
    expect([0, 1, 3, 5, 6].filter((it) => !digits.has(it))).toEqual([]);
    const offsets = new Set(samples.map((it) => /[+-][\d:]+$/.exec(it.created_at)?.[0]));
    expect(['+00', '+00:00', '+02', '-03:30'].filter((it) => !offsets.has(it))).toEqual([]);
  });
});

test('an import is on its way, one has failed, and finished ones have rows of every outcome', () => {
  const outcomes = (it: AnyRecord): Record<string, number> => it['counts'] as Record<string, number>;
  const samples = samplesOf('contactImports');
  const examples = new Set(exampleRecords(contract, 'contactImports').map((it) => it.id));
  const page = samples.slice(0, Number(contract.operation('listContactImports').parameters[0]?.schema.default));
  expect(new Set(page.map((it) => it['status']))).toEqual(new Set(['queued', 'in_progress', 'completed', 'failed']));
  for (const it of samples) {
    const { total = 0, ...others } = outcomes(it);
    const done = Object.values(others).reduce((sum, count) => sum + count, 0);
    // In the contract's examples, the outcomes of an import that has ended need not add up to its total.
    if (it['status'] === 'completed' && !examples.has(it.id)) expect([it.id, done]).toEqual([it.id, total]);
    else if (it['status'] === 'in_progress' && !examples.has(it.id)) expect(done > 0 && done < total).toBe(true);
    else expect(done).toBeLessThanOrEqual(total);
  }
  const finished = page.filter((it) => it['status'] === 'completed').map(outcomes);
  for (const outcome of new Set(finished.flatMap((it) => Object.keys(it))))
    expect(finished.some((it) => (it[outcome] ?? 0) > 0)).toBe(true);
});

test('conform finds records for every rule among them', async () => {
  const all = await results(await serve(), { isSeeded: true, maxItems: 10_000 });
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
  const others: readonly (string | undefined)[] = COLLECTIONS.filter((it) => !RICH.includes(it))
    .map(operationsOf)
    .flatMap(({ list, get }) => [list, get]);
  // There is no second account.
  const isAlone = ({ rule }: Result): boolean => rule.startsWith('isolation.');
  expect(all.filter((it) => it.outcome !== 'passed' && !isAlone(it) && !others.includes(it.operation))).toEqual([]);
});

test('contact properties are of the known types and of unknown ones, with every form of a fallback', () => {
  const samples = samplesOf('contactProperties');
  const kinds = new Set(
    samples.map(({ type, fallback_value: it }) => `${String(type)}: ${it === null ? 'null' : typeof it}`),
  );
  expect([...kinds].sort()).toEqual([
    ...[': null', 'Number: number', 'boolean: string', 'date: string'],
    ...['number: null', 'number: number', 'string: null', 'string: string'],
  ]);
  const values = new Set(samples.map((it) => it['fallback_value']));
  expect(['', 0, -12.5, 12.5].filter((it) => !values.has(it))).toEqual([]);
});
