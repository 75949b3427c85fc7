/** Faults of records and of how they are written: dates, numbers, texts, nulls, missing properties. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, inBody, inItems, isGetById } from './mutant.ts';
import { mutantsOf, where, fails, property } from './mutant.ts';
import type { Change } from './proxy.ts';

/** Writes texts in another way. */
const texts = (name: string, as: (text: string) => string): Change =>
  property(name, (it) => (typeof it === 'string' ? as(it) : it));
const count = (name: string, as: (count: number) => unknown): Change =>
  inItems(({ counts }) => {
    const all = counts as Record<string, unknown> | undefined; // Only imports have some.
    if (all !== undefined) all[name] = as(Number(all[name]));
  });
const alone = (change: Change): Change => where(isGetById, change);
const filtered = (change: Change): Change => where(({ query }) => query.has('status'), change);
const behind = (change: Change): Change => where(({ query }) => query.has('after'), change);
const toSeconds = (text: string): string => text.replace(/[.]\d+/, '');
const toMilliseconds = (text: string): string => text.replace(/([.]\d{3})\d+/, '$1');

/** Nothing is at the path of a list. */
const absent = (list: string): Change =>
  fails(404, 'not_found', ({ status }, { path }) => path === list && status === 200);

export const RECORD_FAULTS = mutantsOf({
  'operation.exists': {
    'there are no automations': absent(AUTOMATIONS),
    'there are no contact properties': absent(PROPERTIES),
    'there are no contact imports': absent(IMPORTS),
    'a queued import cannot be retrieved': fails(404, 'not_found', ({ status, body }, request) => {
      return isGetById(request) && status === 200 && body.includes('"queued"');
    }),
  },
  'get.found': {
    'alone, created_at is to the second': alone(texts('created_at', toSeconds)),
    'alone, completed_at is to the millisecond': alone(texts('completed_at', toMilliseconds)),
  },
  'list.pagination': {
    'behind a cursor the fraction of instants is lost': behind(texts('created_at', toSeconds)),
  },
  'list.ties': {
    'microseconds are cut to milliseconds': texts('created_at', toMilliseconds),
  },
  'list.filter': {
    'with a filter counts are zero': filtered(count('total', () => 0)),
  },
  'record.example': {
    'names are in lower case': texts('name', (it) => it.toLowerCase()),
    'a fallback is written in capitals': texts('fallback_value', (it) => it.toUpperCase()),
  },
  'response.error_name': {
    'an invalid limit is not found by its name': inBody(422, (body, { query }) => {
      if (query.has('limit')) body['name'] = 'not_found';
    }),
  },
});
