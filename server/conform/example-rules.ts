/** The rule of a seeded account. A text that is changed in the same way in every response shows only in a known record. */
import { assertThat, canonical, demandRecords } from './assertions.ts';
import type { Item } from './assertions.ts';
import type { Rule } from './rule.ts';
import type { Exchange } from './session.ts';
import type { Subject } from './target.ts';

interface Found {
  readonly exchange: Exchange;
  readonly item: Item | undefined;
}

/** @returns the records in the example of an operation's answer. */
function examplesOf({ operation }: Subject): readonly Item[] {
  const example = operation.responses.get(200)?.content?.['application/json']?.example;
  const shown = example as { readonly data?: readonly Item[] } & Item; // A test holds it against its schema.
  return shown.data ?? [shown];
}

/** Whether the account has a record: a lookup and a cursor of one that it does not have are a 404. */
async function isThere(subject: Subject, id: string): Promise<boolean> {
  const target = subject.list === undefined ? subject.target({ limit: 1, after: id }) : subject.path(id);
  return (await subject.send({ target })).status !== 404;
}

/** @returns a record as the response has it. In a list, the record beside it is the cursor; the only record needs none. */
async function find(subject: Subject, id: string): Promise<Found> {
  if (subject.list !== undefined) return subject.lookUp(id);
  const [next] = (await subject.page({ limit: 1, after: id })).items;
  const [previous] = next === undefined ? (await subject.page({ limit: 1, before: id })).items : [];
  const cursor = next ? { before: next.id } : previous && { after: previous.id };
  const { exchange, items } = await subject.page({ limit: 1, ...cursor });
  return { exchange, item: items[0] };
}

/** @returns of a value what the example has too: an answer may have more properties. */
function documented(example: unknown, value: unknown): unknown {
  if (!isObject(example) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(example).map(([name, it]) => [name, documented(it, value[name])]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export const EXAMPLE_RULES: readonly Rule[] = [
  {
    id: 'record.example',
    title:
      'a seeded account has the records of the examples in the contract, and answers with them as they stand there',
    buildsOn: ['list.walk', 'list.after', 'list.before', 'lookup.found'],
    check: async (subject) => {
      const missing: string[] = [];
      for (const example of examplesOf(subject)) {
        if (!(await isThere(subject, example.id))) {
          missing.push(example.id);
          continue;
        }
        const { exchange, item } = await find(subject, example.id);
        subject.demandSoundRecords(exchange);
        const isSame = canonical(documented(example, item)) === canonical(example);
        assertThat(exchange, isSame, `the example of the contract: ${JSON.stringify(example)}`);
      }
      demandRecords(
        missing.length === 0 ? [] : [`${subject.noun} of the examples in the contract: ${missing.join(', ')}`],
      );
    },
  },
];
