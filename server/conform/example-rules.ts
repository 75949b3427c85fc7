/** The rule of a seeded account. Only a known record shows a fault that changes a text in the same way in every response. */
import { assertThat, canonical, requireRecords } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Exchange } from './session.ts';
import type { Target } from './target.ts';

interface Retrieved {
  readonly exchange: Exchange;
  readonly item: Item | undefined;
}

/** @returns the records in the example of an operation's response. */
function examplesOf({ operation }: Target): readonly Item[] {
  const example = operation.responses.get(200)?.content?.['application/json']?.example;
  const body = example as { readonly data?: readonly Item[] } & Item; // A test checks the examples against their schemas.
  return body.data ?? [body];
}

/** Whether the account has a record. The server responds 404 to a request for an unknown record, or with it as the cursor. */
async function hasRecord(target: Target, id: string): Promise<boolean> {
  const path = target.list === undefined ? target.pathWith({ limit: 1, after: id }) : target.path(id);
  return (await target.send({ path })).status !== 404;
}

/** Requests a record. In a list, an adjacent record is the cursor; without another record there is no cursor. */
async function find(target: Target, id: string): Promise<Retrieved> {
  if (target.list !== undefined) return target.get(id);
  const [next] = (await target.page({ limit: 1, after: id })).items;
  const [previous] = next === undefined ? (await target.page({ limit: 1, before: id })).items : [];
  const cursor = next ? { before: next.id } : previous && { after: previous.id };
  const { exchange, items } = await target.page({ limit: 1, ...cursor });
  return { exchange, item: items[0] };
}

/** @returns a value with only the properties that the example has: a response may have more. */
function documented(example: unknown, value: unknown): unknown {
  if (!isObject(example) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(example).map(([name, it]) => [name, documented(it, value[name])]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export const EXAMPLE_RULES: readonly Rule[] = [
  {
    id: 'record.example',
    title: 'a seeded account has the records of the examples in the contract, with the same values',
    dependsOn: ['list.pagination', 'list.after', 'list.before', 'get.found'],
    check: async (target) => {
      const missing: string[] = [];
      for (const example of examplesOf(target)) {
        if (!(await hasRecord(target, example.id))) {
          missing.push(example.id);
          continue;
        }
        const { exchange, item } = await find(target, example.id);
        target.requireValidRecords(exchange);
        const isSame = canonical(documented(example, item)) === canonical(example);
        assertThat(exchange, isSame, `the example of the contract: ${JSON.stringify(example)}`);
      }
      requireRecords(
        missing.length === 0 ? [] : [`${target.noun} of the examples in the contract: ${missing.join(', ')}`],
      );
    },
  },
];
