/** Rules of every response, whatever the request was. Each checks one property, so that one fault breaks one rule. */
import { COLLECTIONS, operationsOf } from '../../contract/collections.ts';
import type { Collection, Resources } from '../../contract/collections.ts';
import type { Contract, Operation, ResponseObject, Schema } from '../../contract/document.ts';
import { recordRules } from '../../contract/record-rules.ts';
import { LONG, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { headerRules } from './header-rules.ts';
import { violationOf } from './response-rule.ts';
import type { ResponseRule } from './response-rule.ts';
import type { CheckedResponse } from './checked-session.ts';

/** The result of a rule over all responses. */
export interface Tally {
  readonly rule: ResponseRule;
  /** The number of responses that the rule applies to, and of those that break it. */
  checked: number;
  broken: number;
  /** The first response that breaks it, and how. */
  first: { readonly request: Text; readonly actual: Text } | undefined;
}

/** A rule, and how a response breaks it. */
interface Broken {
  readonly rule: string;
  readonly actual: Text;
}

export interface ResponseChecks {
  /** Checks a response against every rule. */
  readonly check: (response: CheckedResponse, operation: Operation) => void;
  /** @returns the broken rule that keeps other rules from reading the body, with the violation; `undefined` if there is none. */
  readonly brokenBy: (response: CheckedResponse) => Broken | undefined;
  /** @returns the id of record.constraints if a response breaks it. */
  readonly recordsBrokenBy: (response: CheckedResponse) => string | undefined;
  readonly tallies: readonly Tally[];
}

export function createResponseChecks(contract: Contract): ResponseChecks {
  const unreadable = new WeakMap<CheckedResponse, Broken>();
  const withWrongRecords = new WeakSet<CheckedResponse>();
  const ofRecords = recordRule(contract);
  const rules = [...BODY_RULES, ...headerRules(contract), ofRecords];
  const tallies = rules.map((rule): Tally => ({ rule, checked: 0, broken: 0, first: undefined }));

  return {
    tallies,
    brokenBy: (response) => unreadable.get(response),
    recordsBrokenBy: (response) => (withWrongRecords.has(response) ? ofRecords.id : undefined),
    check: (response, operation) => {
      if (response.method === 'OPTIONS' && response.status < 400) return; // The contract declares only its errors.
      const declared = { operation, declaredResponse: operation.responses.get(response.status) };
      for (const tally of tallies) {
        const { rule } = tally;
        if (response.method === 'HEAD' && rule.isOfHead !== true) continue;
        if (rule === ofRecords && unreadable.has(response)) continue;
        const actual = rule.check(response, declared);
        if (actual === null) continue;
        tally.checked += 1;
        if (actual === undefined) continue;
        tally.broken += 1;
        tally.first ??= { request: response.request, actual };
        if (rule === ofRecords) withWrongRecords.add(response);
        const isUnreadable = rule.isOfBody === true || response.body === undefined;
        if (isUnreadable && !unreadable.has(response)) unreadable.set(response, { rule: rule.id, actual });
      }
    },
  };
}

const JSON_TYPE = 'application/json';

const BODY_RULES: readonly ResponseRule[] = [
  {
    id: 'response.status',
    title: 'the contract declares the status',
    change:
      'Return only statuses of the contract: switch redirects off, catch errors of handlers, the framework, the parser and the proxy, and turn each into one of them.',
    isOfBody: true,
    isOfHead: true,
    check: ({ status, text }, { declaredResponse }) =>
      declaredResponse === undefined ? say`status ${status}, which is not declared: ${quote(text, LONG)}` : undefined,
  },
  {
    id: 'response.content_type',
    title: `the Content-Type of a body is ${JSON_TYPE}, without parameters`,
    change: 'Set Content-Type to application/json without a charset for every body, errors too.',
    isOfHead: true,
    check: ({ headers, status }, { declaredResponse }) => {
      const type = headers.get('content-type');
      if (schemaOf(declaredResponse) === undefined) return null;
      return type === JSON_TYPE ? undefined : say`Content-Type: ${quote(type ?? 'none', LONG)} with ${status}`;
    },
  },
  {
    id: 'response.encoding',
    title: 'a body is UTF-8 without a byte order mark',
    change: 'Encode bodies as UTF-8, without a byte order mark; name a compression in Content-Encoding.',
    isOfBody: true,
    check: ({ isUtf8, text }) => {
      if (text === '') return null;
      if (!isUtf8 && text.startsWith(GZIP)) return say`gzip, without Content-Encoding: gzip`;
      if (!isUtf8) return say`bytes that are not UTF-8: ${quote(text, LONG)}`;
      return text.startsWith('\ufeff') ? say`a byte order mark at the beginning` : undefined;
    },
  },
  {
    id: 'response.schema',
    title: 'a body matches its schema; additional properties are allowed',
    change:
      'Send the body that the contract declares, errors too: every property, of its type, null where there is no value.',
    isOfBody: true,
    check: ({ body, text, headers }, { declaredResponse }) => {
      const schema = schemaOf(declaredResponse);
      if (schema === undefined) return null;
      if (body !== undefined) return withId(violationOf(schema, body), body);
      return headers.get('content-type')?.includes('json') === true ? say`not JSON: ${quote(text, LONG)}` : null;
    },
  },
  {
    id: 'response.integers',
    title: 'an integer is written in plain digits, without a fraction or exponent',
    change: 'Write integers as integers, not as floating point numbers.',
    check: ({ text, body }, { declaredResponse }) => {
      const schema = schemaOf(declaredResponse);
      if (schema === undefined || body === undefined) return null;
      const names = integersOf(schema);
      // By the text: `JSON.parse` has the digits only on newer versions of Node. In a string, the quotes of a name are escaped.
      const numbers = text.matchAll(/"(\w+)"\s*:\s*(-?\d[^,\]}\s]*)/g);
      const [found] = [...numbers].filter(([, name = '', digits = '']) => names.has(name) && !/^-?\d+$/.test(digits));
      return found && say`${quote(String(found[1]))}: ${quote(String(found[2]))}`;
    },
  },
  {
    id: 'response.error_name',
    title: 'the name of an error is one that the contract declares for the status',
    change: 'Use the name that the contract has for this status.',
    isOfBody: true,
    check: ({ body }, { declaredResponse }) => {
      const names: readonly string[] | undefined = declaredResponse?.['x-problem-names'];
      const name = propertyOf(body, 'name');
      if (names === undefined || typeof name !== 'string') return null;
      return names.includes(name) ? undefined : say`name ${quote(name)}, not ${own(names.join(' or '))}`;
    },
  },
  {
    id: 'response.error_status_code',
    title: 'the statusCode of an error is the HTTP status',
    change: 'Take statusCode from the status of the response, in one place.',
    check: ({ status, body }, { declaredResponse }) => {
      const code = propertyOf(body, 'statusCode');
      if (status < 400 || declaredResponse === undefined || typeof code !== 'number') return null;
      return code === status ? undefined : say`statusCode ${quote(String(code))} with status ${status}`;
    },
  },
  {
    id: 'response.error_message',
    title: 'the message of a validation error names the parameter',
    change: 'Name the parameter in the message.',
    check: ({ status, body, mentions }) => (status === 422 ? unnamedIn(body, mentions) : null),
  },
  {
    id: 'response.error_values',
    title: 'the message for a wrong value names the allowed values: the range of a number, each value of an enum',
    change: 'Write the range, or every allowed value, into the message.',
    check: ({ status, body, mentions, source: { path } }, { operation }) => {
      const query = new URLSearchParams(/[?](.*)/s.exec(path)?.[1]);
      const [name = ''] = mentions;
      // Beside another parameter, the message may be about that one.
      if (status !== 422 || query.size !== 1 || !query.has(name)) return null;
      const {
        type,
        minimum,
        maximum,
        enum: values,
      } = operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {};
      return unnamedIn(body, values ?? (type === 'integer' ? [String(minimum), String(maximum)] : []));
    },
  },
  {
    id: 'response.disclosure',
    title: 'no response contains the API key, and no error contains a stack, SQL, a class or a file path',
    change: 'Write your own message instead of that of the exception, and never the Authorization header.',
    isOfHead: true,
    check: ({ status, text, body, headers, source: { key } }) => {
      const [, token = ''] = /^\S+ +(\S+)$/.exec(key) ?? [];
      const [leaking] = [...headers, ['the body', text] as const].filter(
        ([, value]) => token.length >= MIN_KEY && value.includes(token),
      );
      if (leaking !== undefined) return say`the API key in ${quote(leaking[0])}`;
      if (status < 400) return undefined;
      const told = body === undefined ? [text] : textsOf(body);
      const [found] = told.flatMap((sentence) =>
        INTERNALS.flatMap((internals) => (internals.test(sentence) ? [{ sentence, internals }] : [])),
      );
      if (found === undefined) return undefined;
      const secret = quote(found.sentence, LONG, (shown) => found.internals.exec(shown)?.[0] ?? shown);
      return say`internals of the server: ${secret}`;
    },
  },
];

/** How gzip begins, read as UTF-8. */
const GZIP = '\x1f\ufffd';
// A shorter key may be an ordinary word.
const MIN_KEY = 16;
/** What tells of the inside of a server: statements and errors of databases, stacks, classes, paths of files. */
const INTERNALS: readonly RegExp[] = [
  /\bSELECT\b.+\bFROM\s+["\w]+.*/s,
  /\b(?:SQLSTATE|SQLITE_[A-Z]+|ORA-\d{5}|psycopg2?|syntax error at or near|invalid input syntax|pq:).*/,
  /\bTraceback \(most recent call last\).*|\bFile "[^"]+", line \d+/s,
  /\bat .*\.\w+:\d+:\d+\)?/,
  /\bgoroutine \d+ \[|\bpanic: .*/,
  /\b(?:[a-z]\w*\.){2,}[A-Z]\w+/,
  /\b(?:\w+Exception|(?:Type|Reference|Range|Syntax|Key|Value|Attribute)Error): .*/,
  /(?:^|[\s"'(])\/(?:usr|home|var|srv|app|opt|etc|root|tmp)\/\S+|[A-Z]:\\\S+|\bnode_modules\b/,
];

const schemaOf = (response: ResponseObject | undefined): Schema | undefined => response?.content?.[JSON_TYPE]?.schema;

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined; // As any object has.

/** @returns the texts anywhere in a value. */
const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf);

/** @returns which words the message of an error lacks; `null` if there is no message, or it needs none. `invalid` does not name `id`. */
function unnamedIn(body: unknown, words: readonly string[]): Text | null | undefined {
  const message = propertyOf(body, 'message');
  if (typeof message !== 'string' || words.length === 0) return null;
  const patternOf = (word: string): RegExp => new RegExp(`(?<!\\w)${word.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'i');
  const missing = words.filter((word) => !patternOf(word).test(message));
  return missing.length === 0
    ? undefined
    : say`the message does not name ${quote(missing.join(', '), LONG)}: ${quote(message, LONG)}`;
}

/** @returns a violation with the id of the record that it is in, if it is one of a page. */
function withId(violation: Text | undefined, body: unknown): Text | undefined {
  const [, at] = /^\/data\/(\d+)/.exec(violation?.raw ?? '') ?? [];
  const id = at && propertyOf(propertyOf(propertyOf(body, 'data'), at), 'id');
  return violation && typeof id === 'string' ? say`${violation} (id ${quote(id)})` : violation;
}

/** @returns the names of the integers in a schema. None is also the name of another property. */
function integersOf({ properties = {}, items }: Schema): ReadonlySet<string> {
  const own = Object.entries(properties).flatMap(([name, schema]) =>
    schema.type === 'integer' ? [name] : [...integersOf(schema)],
  );
  return new Set([...own, ...(items === undefined ? [] : integersOf(items))]);
}

/** @returns the rule of the constraints that a schema cannot express. Its `check` needs a body that matches its schema. */
function recordRule(contract: Contract): ResponseRule {
  const checks = COLLECTIONS.map((collection) => ({
    ...operationsOf(collection),
    check: recordRules(contract, collection),
  }));
  return {
    id: 'record.constraints',
    title: 'strings, dates and interdependent properties satisfy the contract',
    change: 'Make the properties agree as the contract says, and return each string unchanged.',
    check: ({ status, body }, { operation }) => {
      const found = checks.find(({ list, get }) => list === operation.id || get === operation.id);
      if (found === undefined || status !== 200) return null;
      const items = propertyOf(body, 'data') ?? [body];
      for (const item of items as readonly Resources[Collection][]) {
        // As the schema has it.
        const [violation] = found.check(item);
        if (violation === undefined) continue;
        // Both may have words of the record.
        const wrong = quote(`${violation.where} ${violation.what}`, LONG);
        return say`${wrong}: ${quote(JSON.stringify(item), LONG)}`;
      }
      return undefined;
    },
  };
}
