/** Faults of records and of how they are written: dates, numbers, texts, nulls, missing properties. */
import { AUTOMATIONS, IMPORTS, PROPERTIES, inBody, inItems, isGetById } from './mutant.ts';
import { mutantsOf, only, where, fails, property } from './mutant.ts';
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
    'alone, created_at is in local time without its offset': alone(
      texts('created_at', (it) => it.replace('+00', '+02')),
    ),
    'alone, created_at is to the second': alone(texts('created_at', toSeconds)),
    'alone, completed_at is to the millisecond': alone(texts('completed_at', toMilliseconds)),
    'alone, counts are those of the start': alone(count('total', () => 0)),
    'alone, a failed import is completed': alone(texts('status', (it) => (it === 'failed' ? 'completed' : it))),
  },
  'list.pagination': {
    'behind a cursor the fraction of instants is lost': behind(texts('created_at', toSeconds)),
    'behind a cursor the types of contact properties are all strings': behind(property('type', () => 'string')),
  },
  'list.ties': {
    'microseconds are cut to milliseconds': texts('created_at', toMilliseconds),
  },
  'list.filter': {
    'with a filter names are escaped': filtered(
      texts('name', (it) => it.replaceAll(/[^\0-\x7f]/g, (char) => `&#${String(char.codePointAt(0))};`)),
    ),
    'with a filter instants are to the second': filtered(only(IMPORTS, texts('created_at', toSeconds))),
    'with a filter counts are zero': filtered(count('total', () => 0)),
  },
  'record.example': {
    'names are in lower case': texts('name', (it) => it.toLowerCase()),
    'a fallback is written in capitals': texts('fallback_value', (it) => it.toUpperCase()),
    'updated_at is created_at': property('updated_at', (_it, item) => item.created_at),
  },
  'record.constraints': {
    'created_at is on the 31st of a month of 30 days': only(
      AUTOMATIONS,
      texts('created_at', (it) => it.replace('-04-16', '-04-31')),
    ),
    'a completed import has no end': property('completed_at', (it, item) =>
      item['status'] === 'completed' ? null : it,
    ),
    'an import in progress has an end': property('completed_at', (it, item) =>
      item['status'] === 'in_progress' ? item.created_at : it,
    ),
    'the fallback of a text is a number': only(
      PROPERTIES,
      property('fallback_value', (it, item) => (item['type'] === 'string' ? 0 : it)),
    ),
    'the fallback of a number is an empty text instead of null': property('fallback_value', (it, item) =>
      item['type'] === 'number' ? (it ?? '') : it,
    ),
  },
  'response.schema': {
    'an end that is null is an empty text': property('completed_at', (it) => it ?? ''),
    'counts of zero are missing': inItems(({ counts }) => {
      const all = (counts ?? {}) as Record<string, unknown>; // Only imports have some.
      for (const name of Object.keys(all)) if (all[name] === 0) Reflect.deleteProperty(all, name);
    }),
    'behind a cursor a count of zero is null': behind(count('failed', (it) => it || null)),
    'instants are as in RFC 3339': texts('created_at', (it) => it.replace(' ', 'T').replace('+00', 'Z')),
    'with a filter instants are as in RFC 3339': filtered(
      texts('created_at', (it) => it.replace(' ', 'T').replace('+00', 'Z')),
    ),
    'instants have nine digits': only(
      PROPERTIES,
      texts('created_at', (it) => it.replace(/([.]\d{3})[+]/, '$1000000+')),
    ),
    'an offset has no colon': alone(texts('created_at', (it) => it.replace('+00', '+0000'))),
    'instants are numbers': only(
      IMPORTS,
      property('created_at', (it) => Date.parse(String(it))),
    ),
    'statuses are in capitals': only(
      AUTOMATIONS,
      texts('status', (it) => it.toUpperCase()),
    ),
    'alone, a status has a hyphen': alone(texts('status', (it) => it.replace('_', '-'))),
    'with a filter updated_at is missing': filtered(inItems((item) => delete item['updated_at'])),
    'alone, the kind of the object is missing': alone(inItems((item) => delete item['object'])),
    'ids have no hyphens': only(
      PROPERTIES,
      texts('id', (it) => it.replaceAll('-', '')),
    ),
    'behind a cursor properties are in camel case': behind(
      inItems((item) => {
        item['createdAt'] = item.created_at;
        Reflect.deleteProperty(item, 'created_at');
      }),
    ),
  },
  'response.error_name': {
    'an invalid limit is not found by its name': inBody(422, (body, { query }) => {
      if (query.has('limit')) body['name'] = 'not_found';
    }),
  },
});
