/** Faults of values: what a client makes of the JSON that it receives. */
import { Failure } from '../client.ts';
import type { Item } from '../client.ts';
import {
  drops,
  failsAt,
  faultsOf,
  inCounts,
  inItems,
  inRecord,
  inResponse,
  inTimestamps,
  prints,
  reads,
  toObject,
} from './fault.ts';
import type { Inject } from './fault.ts';

/** Rejects pages that have such an item. */
const rejects = (isSo: (item: Item) => boolean): Inject => failsAt(isSo, () => new Failure(200, 'unreadable'));
/** Crashes at such an item. */
const crashes = (isSo: (item: Item) => boolean): Inject => failsAt(isSo, () => new TypeError('Unexpected value'));
const fallback =
  (isSo: (value: unknown) => boolean) =>
  (item: Item): boolean =>
    'fallback_value' in item && isSo(item['fallback_value']);
const name =
  (isSo: (text: string) => boolean) =>
  (item: Item): boolean =>
    [item['name'], item['key']].some((it) => typeof it === 'string' && isSo(it));
const typed = (item: Item): boolean => 'type' in item && item['type'] !== 'string' && item['type'] !== 'number';
const completed = (edit: (value: unknown) => unknown): Inject =>
  inRecord((record) => {
    record['completed_at'] = edit(record['completed_at']);
  });
const KNOWN = [
  'object',
  'id',
  'name',
  'status',
  'key',
  'type',
  'fallback_value',
  'created_at',
  'updated_at',
  'completed_at',
  'counts',
];
const HEADERS =
  /^(connection|keep-alive|date|content-.*|cache-control|vary|etag|x-request-id|x-content-type-options|ratelimit.*|retry-after|transfer-encoding|www-authenticate|access-control.*|referrer-policy|server)$/;
const fraction = /\.(\d+)/;
const offset = /([+-])(\d\d)(?::(\d\d))?$/;
/** @returns the instant of a timestamp as a native date has it. */
const dateOf = (text: string): Date =>
  new Date(
    text.replace(' ', 'T').replace(offset, (_, sign: string, h: string, m = '00') => `${sign}${h}:${String(m)}`),
  );
/** Changes what people have written: the names of automations, and the keys of properties. */
const inTexts = (edit: (text: string) => unknown, ...only: readonly string[]): Inject =>
  inItems((item) => {
    for (const key of only.length > 0 ? only : ['name', 'key']) {
      const text = item[key];
      if (typeof text === 'string') item[key] = edit(text);
    }
  });
const inFallback = (edit: (value: unknown) => unknown): Inject =>
  inItems((item) => {
    if ('fallback_value' in item) item['fallback_value'] = edit(item['fallback_value']);
  });
/** Edits the text of a timestamp of each item. */
const inItemTimes = (name: string, edit: (text: string) => string): Inject =>
  inItems((item) => {
    const text = item[name];
    if (typeof text === 'string') item[name] = edit(text);
  });
/** Reads the bytes of a body in another way. */
const decodes =
  (decode: (bytes: Buffer) => string): Inject =>
  (driver) => {
    driver.decode = decode;
  };
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Changes the record before it is printed, as text. */
const inText =
  (edit: (text: string) => string): Inject =>
  (driver) => {
    const { write } = driver;
    driver.write = (record) => edit(write(record));
  };

export const VALUE_FAULTS = faultsOf({
  'values.null_completed_at': {
    'completed_at of null is empty': completed((it) => it ?? ''),
    'completed_at of null is left out': inRecord((record) => record['completed_at'] ?? delete record['completed_at']),
    'completed_at of null is the text null': completed(String),
    'completed_at of null is 1970': completed((it) => it ?? '1970-01-01 00:00:00+00'),
    'completed_at of null is rejected': inRecord(({ completed_at: it }) => {
      if (it === null) throw new Failure(200, 'unreadable');
    }),
    'completed_at of null is a crash': inRecord(({ completed_at: it }) => {
      if (it === null) throw new TypeError("Cannot read properties of null (reading 'replace')");
    }),
  },
  'values.record': {
    'completed_at is always null': completed(() => null),
    'completed_at is created_at': inRecord((record) => {
      if (record['completed_at'] !== null) record['completed_at'] = record['created_at'];
    }),
    'counts are strings': inCounts(String),
    'counts of 0 are left out': inCounts((it) => (it === 0 ? undefined : it)),
    'counts of 0 are null': inCounts((it) => (it === 0 ? null : it)),
    'the count of failed is left out': inCounts((it, key) => (key === 'failed' ? undefined : it)),
    'the counts of created and updated change places': inRecord((record) => {
      const counts = toObject(record['counts']);
      record['counts'] = { ...counts, created: counts['updated'], updated: counts['created'] };
    }),
    'counts are flat': inRecord((record) => {
      const { counts, ...others } = record;
      for (const key of Object.keys(others)) if (key !== 'id') record[key] = others[key];
      delete record['counts'];
      Object.assign(record, toObject(counts));
    }),
    'timestamps have seconds alone': inTimestamps((it) => it.replace(fraction, '')),
    'a fraction is read as a number of milliseconds': inTimestamps((it) =>
      it.replace(fraction, (_, digits: string) => `.${digits.padStart(6, '0')}`),
    ),
    'timestamps have no offset': inTimestamps((it) => it.replace(offset, '')),
    'timestamps are seconds since 1970': inTimestamps((it) => Math.floor(dateOf(it).getTime() / 1000)),
    'timestamps have the date alone': inTimestamps((it) => it.slice(0, 10)),
    'the record is printed on several lines': (driver) => {
      driver.write = (record) => JSON.stringify(record, undefined, 2);
    },
    'the id of the record alone is printed': (driver) => {
      driver.write = (record) => String(toObject(record)['id']);
    },
    'the record is printed as text': (driver) => {
      driver.write = (record) => Object.values(toObject(record)).join(' ');
    },
    'the record is printed in an envelope': (driver) => {
      driver.write = (record) => JSON.stringify({ data: record });
    },
    'the names of properties are in camel case': inText((text) =>
      text.replaceAll(/"[a-z]+_[a-z]+":/g, (key) => key.replaceAll(/_([a-z])/g, (_, it: string) => it.toUpperCase())),
    ),
    'the object of the record is left out': inRecord((record) => delete record['object']),
    'the status of the record is in upper case': inRecord((record) => {
      record['status'] = String(record['status']).toUpperCase();
    }),
    'a status of failed is completed': inRecord((record) => {
      if (record['status'] === 'failed') record['status'] = 'completed';
    }),
    'the id of the record is in upper case': inRecord((record) => {
      record['id'] = String(record['id']).toUpperCase();
    }),
  },
  'values.counts': {
    'the total is the sum of the others': inRecord((record) => {
      const { total, ...others } = toObject(record['counts']);
      const sum = Object.values(others).reduce((a: number, b) => a + Number(b), 0);
      record['counts'] = { total: typeof total === 'number' ? sum : total, ...others };
    }),
    'counts are rounded to single precision': inCounts((it) => Math.fround(it)),
    'counts wrap at 32 bits': inCounts((it) => it | 0),
    'counts wrap at 32 bits without a sign': inCounts((it) => it >>> 0),
    ...Object.fromEntries(
      ['total', 'created', 'updated', 'skipped', 'failed'].map((only) => [
        `the count of ${only} wraps at 32 bits without a sign`,
        inCounts((it, key) => (key === only ? it >>> 0 : it)),
      ]),
    ),
    'counts end at 2^31 - 1': inCounts((it) => Math.min(it, 2 ** 31 - 1)),
    'counts have seven digits': inCounts((it) => Number(it.toPrecision(7))),
    'counts over 2^31 - 1 are rejected': inCounts((it) => {
      if (it >= 2 ** 31) throw new Failure(200, 'unreadable');
      return it;
    }),
  },
  'values.fractions': {
    'timestamps have milliseconds': inTimestamps((it) => it.replace(/(\.\d{3})\d+/, '$1')),
    'timestamps lose trailing digits': inTimestamps((it) => it.replace(/(\.\d{5})\d/, '$1')),
    'timestamps are native dates': inTimestamps((it) => dateOf(it).toISOString()),
    'a timestamp without a fraction is rejected': inTimestamps((it) => {
      if (!fraction.test(it)) throw new Failure(200, 'unreadable');
      return it;
    }),
    'a fraction of one digit is a crash': inTimestamps((it) => {
      if (/\.\d[+-]/.test(it)) throw new RangeError('Invalid time value');
      return it;
    }),
    'a fraction of other than 3 or 6 digits is rejected': inTimestamps((it) => {
      if (fraction.test(it) && !/\.(\d{3}|\d{6})[+-]/.test(it)) throw new Failure(200, 'unreadable');
      return it;
    }),
  },
  'values.offsets': {
    'every offset is UTC': inTimestamps((it) => it.replace(offset, '+00')),
    'the minutes of offsets are lost': inTimestamps((it) => it.replace(offset, '$1$2')),
    'the sign of offsets is lost': inTimestamps((it) => it.replace(offset, (all) => all.replace('-', '+'))),
    'a timestamp with another offset than UTC is rejected': inTimestamps((it) => {
      if (!it.endsWith('+00')) throw new Failure(200, 'unreadable');
      return it;
    }),
    'a timestamp whose offset has minutes is rejected': inTimestamps((it) => {
      if (/[+-]\d\d:\d\d$/.test(it)) throw new Failure(200, 'unreadable');
      return it;
    }),
  },
  'values.fallback_value': {
    'a fallback_value that is a number is rejected': rejects(fallback((it) => typeof it === 'number')),
    'a fallback_value that is null is rejected': rejects(fallback((it) => it === null)),
    'a fallback_value that is null is a crash': crashes(fallback((it) => it === null)),
    'a fallback_value with a fraction is rejected': rejects(fallback((it) => typeof it === 'number' && it % 1 !== 0)),
    'a negative fallback_value is rejected': rejects(fallback((it) => typeof it === 'number' && it < 0)),
    'a fallback_value over 2^31 - 1 is rejected': rejects(fallback((it) => typeof it === 'number' && it >= 2 ** 31)),
    'properties with a fallback_value of null are left out': drops(fallback((it) => it === null)),
    'properties with an empty fallback_value are left out': drops(fallback((it) => it === '')),
    'properties with a fallback_value of 0 are left out': drops(fallback((it) => it === 0)),
    'a fallback_value of type number that is null is rejected': rejects(
      (it) => it['type'] === 'number' && it['fallback_value'] === null,
    ),
  },
  'pagination.every_item': {
    'a fallback_value that is a string is rejected': rejects(fallback((it) => typeof it === 'string')),
  },
  'values.property_type': {
    'properties of a new type are rejected': rejects(typed),
    'properties of a new type are left out': drops(typed),
    'properties of a new type are a crash': crashes(typed),
    'properties with an empty type are left out': drops((it) => it['type'] === ''),
  },
  'values.unicode': {
    'names outside of the basic plane are rejected': rejects(name((it) => /[\u{10000}-\u{10ffff}]/u.test(it))),
    'names outside of the basic plane are a crash': crashes(name((it) => /[\u{10000}-\u{10ffff}]/u.test(it))),
    'items with an empty name are left out': drops(name((it) => it === '')),
    'items with a blank name are left out': drops(name((it) => it !== '' && it.trim() === '')),
    'names with control characters are rejected': rejects(name((it) => /[\u0001-\u001f]/.test(it))),
    'names with other letters than ASCII are rejected': rejects(name((it) => /[^\u0000-\u007f]/.test(it))),
    'names with a quote are a crash': crashes(name((it) => it.includes('"'))),
    'names over 255 characters are rejected': rejects(name((it) => it.length > 255)),
    'escapes are read as text': inResponse(({ text }) => ({ text: text.replaceAll(/\\"/g, '"') })),
    'line separators end the body': inResponse(({ text }) => ({ text: text.split(/[\u2028\u2029]/)[0] ?? '' })),
  },
  'values.items': {
    'a number has six significant digits': inItems((item) => {
      const value = item['fallback_value'];
      if (typeof value === 'number' && !Number.isInteger(value)) item['fallback_value'] = Number(value.toPrecision(6));
    }),
    'an item with an empty type is a crash': inItems((item) => {
      if (item['type'] === '') throw new TypeError('no type');
    }),
    'a fallback_value that is a number is a string': inFallback((it) => (typeof it === 'number' ? String(it) : it)),
    'a fallback_value that is a whole number is null': inFallback((it) => (Number.isInteger(it) ? null : it)),
    'a fallback_value that is a string of digits is a number': inFallback((it) =>
      typeof it === 'string' && /^\d+$/.test(it) ? Number(it) : it,
    ),
    'a fallback_value of null is empty': inFallback((it) => it ?? ''),
    'an empty fallback_value is null': inFallback((it) => (it === '' ? null : it)),
    'a fallback_value is rounded to an integer': inFallback((it) => (typeof it === 'number' ? Math.trunc(it) : it)),
    'a fallback_value is an object': inFallback(() => ({})),
    'the type of a property is that of its value': inItems((item) => {
      if ('type' in item) item['type'] = typeof item['fallback_value'];
    }),
    'the type of a property is in lower case': inItems((item) => {
      if (typeof item['type'] === 'string') item['type'] = item['type'].toLowerCase();
    }),
    'blanks of the type of a property are removed': inItems((item) => {
      if (typeof item['type'] === 'string') item['type'] = item['type'].trim();
    }),
    'updated_at of items has milliseconds': inItemTimes('updated_at', (it) => it.replace(/(\.\d{3})\d+/, '$1')),
    'updated_at of items has no offset': inItemTimes('updated_at', (it) => it.replace(offset, '+00')),
    'created_at of items has milliseconds': inItemTimes('created_at', (it) => it.replace(/(\.\d{3})\d+/, '$1')),
    'completed_at of items has no offset': inItemTimes('completed_at', (it) => it.replace(offset, '+00')),
    'completed_at of items is empty if it is null': inItems((item) => {
      if (item['completed_at'] === null) item['completed_at'] = '';
    }),
    'counts of items wrap at 32 bits': inItems((item) => {
      if ('counts' in item)
        item['counts'] = Object.fromEntries(
          Object.entries(toObject(item['counts'])).map(([key, it]) => [key, Number(it) | 0]),
        );
    }),
    'items lose updated_at': inItems((item) => delete item['updated_at']),
    'items have the status of the first': (driver) => {
      driver.items = ({ data }) => data.map((it) => ('status' in it ? { ...it, status: data[0]?.['status'] } : it));
    },
    'the last item of a page is not printed': (driver) => {
      driver.items = ({ data }) => data.slice(0, -1);
    },
    'the items of a page are printed as one array': (driver) => {
      driver.records = async (collection, options) => {
        driver.say(JSON.stringify((await driver.page(collection, options, undefined, 0)).data));
      };
    },
  },
  'values.texts': {
    'private characters are replaced': inTexts((it) => it.replaceAll(/[\ue000-\uf8ff]/g, '?')),
    'templates in texts are filled in': inTexts((it) => it.replaceAll(/\{\{.*?\}\}/g, '')),
    'escapes of URLs in texts are decoded': inTexts((it) => it.replaceAll('%20', ' ')),
    'keys that objects have are none': inTexts((it) => (it in {} ? null : it)),
    'the body is read as Latin-1': decodes((it) => it.toString('latin1')),
    'the body is read as Windows-1252': decodes((it) => new TextDecoder('windows-1252').decode(it)),
    'the body is read as ASCII': decodes((it) => it.toString().replaceAll(/[^\0-\x7f]/g, '?')),
    'every chunk of a body is decoded by itself': (driver) => {
      driver.join = (chunks) => Buffer.from(chunks.map(String).join(''));
    },
    'characters outside of the basic plane are replaced': inTexts((it) =>
      it.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ),
    'texts have no byte order mark': inTexts((it) => it.replaceAll('\ufeff', '')),
    'texts are trimmed': inTexts((it) => it.trim()),
    'characters outside of the basic plane are replaced in fallback_value': inFallback((it) =>
      typeof it === 'string' ? it.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') : it,
    ),
    'a fallback_value is trimmed': inFallback((it) => (typeof it === 'string' ? it.trim() : it)),
    'the keys of properties are trimmed': inTexts((it) => it.trim(), 'key'),
    'the keys of properties are in lower case': inTexts((it) => it.toLowerCase(), 'key'),
    'blanks in texts are joined': inTexts((it) => it.replaceAll(/ {2,}/g, ' ')),
    'blanks that do not break are blanks': inTexts((it) => it.replaceAll('\u00a0', ' ')),
    'texts are normalized to NFC': inTexts((it) => it.normalize('NFC')),
    'texts are normalized to NFD': inTexts((it) => it.normalize('NFD')),
    'texts are normalized to NFKC': inTexts((it) => it.normalize('NFKC')),
    'texts are escaped for HTML': inTexts((it) => it.replaceAll(/[&<>"]/g, (sign) => HTML[sign] ?? sign)),
    'texts are escaped for URLs': inTexts(encodeURIComponent),
    'entities of HTML in texts are decoded': inTexts((it) => it.replaceAll('&amp;', '&')),
    'tags of HTML in texts are removed': inTexts((it) => it.replaceAll(/<\/?\w+>/g, '')),
    'percent signs in texts are decoded': inTexts((it) =>
      it.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    ),
    'texts are decoded twice': inTexts((it) =>
      Buffer.from(it, 'latin1').toString('latin1') === it ? Buffer.from(it, 'latin1').toString() : it,
    ),
    'escapes in texts are decoded again': inTexts((it) => it.replaceAll('\\n', '\n')),
    'escapes of JSON are left in texts': inTexts((it) => JSON.stringify(it).slice(1, -1)),
    'control characters in texts are removed': inTexts((it) => it.replaceAll(/[\0-\x1f\x7f-\x9f]/g, '')),
    'characters without a width are removed': inTexts((it) => it.replaceAll(/[\u200b-\u200f\u202a-\u202e]/g, '')),
    'lines of texts end with LF': inTexts((it) => it.replaceAll('\r\n', '\n')),
    'the first line of a text is the text': inTexts((it) => it.split(/\r?\n/)[0]),
    'texts have 255 characters': inTexts((it) => it.slice(0, 255)),
    'texts end at a noncharacter': inTexts((it) => it.split('\uffff')[0]),
    'texts that look like times are dates': inTexts((it) =>
      /^\d{4}-\d\d-\d\dT/.test(it) ? new Date(it).toISOString() : it,
    ),
    'the name of an item is called its label': inItems((item) => {
      item['label'] = item['name'] ?? item['key'];
      delete item['name'];
      delete item['key'];
    }),
    'empty texts are null': inTexts((it) => (it === '' ? null : it)),
    'blank texts are called unnamed': inTexts((it) => (it.trim() === '' ? '(unnamed)' : it)),
    'texts of digits are numbers': inTexts((it) => (/^\d+$/.test(it) ? Number(it) : it)),
    'the text null is null': inTexts((it) => (it === 'null' ? null : it)),
    'texts are in title case': inTexts((it) => it.replace(/^[a-z]/, (letter) => letter.toUpperCase())),
    'texts lose their accents': inTexts((it) => it.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')),
  },
  'values.unknown_properties': {
    'unknown properties are rejected': rejects((it) => Object.keys(it).some((key) => !KNOWN.includes(key))),
    'a record with unknown properties is rejected': inRecord((record) => {
      if (Object.keys(record).some((key) => !KNOWN.includes(key))) throw new Failure(200, 'unreadable');
    }),
    'a page with unknown properties is rejected': (driver) => {
      const { toPage } = driver;
      driver.toPage = (body) => {
        if (Object.keys(toObject(body)).length > 3) throw new Failure(200, 'unreadable');
        return toPage(body);
      };
    },
  },
  'values.unknown_headers': {
    'unknown headers are a crash': reads(({ headers }) => {
      const unknown = Object.keys(headers).find((it) => !HEADERS.test(it));
      if (unknown !== undefined) throw new TypeError(`Unknown header ${unknown}`);
    }),
  },
  'pagination.one_page': {
    'ids are printed in upper case': prints((ids) => ids.map((it) => it.toUpperCase())),
  },
  'driver.runs': {
    'ids have no hyphens': prints((ids) => ids.map((it) => it.replaceAll('-', ''))),
  },
});
