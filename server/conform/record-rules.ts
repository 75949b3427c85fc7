/** The rule of records: what the contract says of them in words, because a schema cannot. */
import { assertThat } from './assertions.ts';
import type { Exchange } from './exchange.ts';
import { MAX_LOOKUPS } from './rule.ts';
import type { Rule } from './rule.ts';
import type { Item, Subject } from './subject.ts';

export const RECORD_RULES: readonly Rule[] = [
  {
    id: 'record.rules',
    title: 'texts, dates and properties that depend on one another are as the contract says',
    check: async (subject) => {
      for await (const { exchange, items } of responsesOf(subject)) {
        for (const item of items) {
          const [violation] = subject.violationsOf(item);
          const actual = `${violation?.where ?? ''} ${violation?.what ?? ''}: ${JSON.stringify(item)}`;
          assertThat(exchange, violation === undefined, 'records that keep the rules of the contract', actual);
        }
      }
    },
  },
];

/** @yields the pages of a list, or the first few items looked up. @throws Skipped if there are no items. */
async function* responsesOf(subject: Subject): AsyncGenerator<{ exchange: Exchange; items: readonly Item[] }> {
  const { list } = subject;
  if (list === undefined) {
    await subject.items(1);
    yield* await subject.pages();
    return;
  }
  for (const { id } of (await list.items(1)).slice(0, MAX_LOOKUPS)) {
    const { exchange, item } = await subject.lookUp(id);
    yield { exchange, items: [item] };
  }
}
