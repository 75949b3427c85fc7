/** Compares the responses of an audit with an OpenAPI document. */
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDeep } from '../rules/depth.ts';
import type { Finding } from '../rules/rule.ts';
import { LONG, code, joined, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { findingOf } from './finding.ts';
import { valueAt } from './json.ts';
import { VALUES, isJson, unescaped } from './openapi.ts';
import type { ListOperation, OpenApi, Place } from './openapi.ts';
import type { Answer } from './session.ts';

type Values = Readonly<Record<string, unknown>>;

const MAX_FINDINGS = 6;
const ROOT = 'document';

/** The schemas of a document, compiled when they are needed. */
export class Schemas {
  readonly #ajv: Ajv | Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction | string>();

  constructor(document: OpenApi) {
    // The document is the user's: what a validator does not know in it is no fault of the server.
    const options = {
      strict: false,
      validateSchema: false,
      validateFormats: false,
      unicodeRegExp: false,
      logger: false,
    } as const;
    this.#ajv = document.is31 ? new Ajv2020(options) : new Ajv(options);
    this.#ajv.addSchema(permissive(document.root, document) as Values, ROOT); // An object, as before.
  }

  /** @returns the first violation of a value; a text if the schema cannot be used. */
  check({ path }: Place, value: unknown): ErrorObject | string | undefined {
    const pointer = path.map((it) => `/${encodeURIComponent(it.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
    let validate = this.#compiled.get(pointer);
    if (validate === undefined) {
      try {
        validate = this.#ajv.compile({ $ref: `${ROOT}#${pointer}` });
      } catch (error) {
        validate = error instanceof Error ? error.message : String(error);
      }
      this.#compiled.set(pointer, validate);
    }
    if (typeof validate === 'string') return validate;
    return validate(value) ? undefined : validate.errors?.[0];
  }
}

/**
 * @returns a copy in which schemas of OpenAPI are those of a validator. Where people read the specification in two ways, the copy takes what
 *   allows more: one false alarm costs more than a fault that is missed.
 */
function permissive(value: unknown, document: OpenApi, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((it) => permissive(it, document));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, it]): [string, unknown] => {
    if (!isMap && VALUES.test(name)) return [name, it];
    return [name, permissive(it, document, !isMap && /^(properties|patternProperties|schemas|\$defs)$/.test(name))];
  });
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (isMap) return copy;
  if (typeof copy['pattern'] === 'string' && !isPattern(copy['pattern'])) delete copy['pattern'];
  if (Array.isArray(copy['required']))
    copy['required'] = copy['required'].filter((it) => !isWriteOnly(copy, it, document));
  if (document.is31) return copy;
  for (const [limit, name] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const)
    if (typeof copy[name] === 'boolean') copy[name] = copy[name] ? copy[limit] : undefined;
  const { $ref, nullable, ...others } = copy;
  const bare = typeof $ref === 'string' ? { $ref } : others; // What stands beside a reference counts for nothing.
  return nullable === true ? { anyOf: [{ type: 'null' }, bare] } : bare;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/** A property that only requests have. */
function isWriteOnly({ properties }: Values, name: unknown, document: OpenApi): boolean {
  const property = valueAt(properties, [String(name)]);
  const ref = valueAt(property, ['$ref']);
  const of = typeof ref === 'string' ? document.at(ref.split('/').slice(1)).value : property;
  return valueAt(of, ['writeOnly']) === true;
}

/** What an audit has seen that a document does not promise. */
export class Responses {
  readonly #operation: ListOperation;
  readonly #schemas: Schemas;
  readonly #path: string;
  /** By the status that the document lacks. */
  readonly statuses = new Map<number, Finding<Text>>();
  readonly #violations = new Map<string, Finding<Text>>();
  /** Why schemas could not be used. */
  readonly unusable = new Set<string>();
  /** How many bodies were compared with a schema. */
  checked = 0;

  /** @param path that of the requests. */
  constructor(operation: ListOperation, schemas: Schemas, path: string) {
    this.#operation = operation;
    this.#schemas = schemas;
    this.#path = path;
  }

  get violations(): readonly Finding<Text>[] {
    return [...this.#violations.values()];
  }

  /** Compares a response with the document. */
  see({ target, request, status, headers, body, failure }: Answer): void {
    if (failure !== undefined || target.replace(/\?.*$/, '') !== this.#path) return;
    const { responses } = this.#operation;
    const response =
      responses.get(String(status)) ?? responses.get(`${String(status).charAt(0)}XX`) ?? responses.get('default');
    if (response === undefined) {
      const known = quote([...responses.keys()].join(', '), LONG);
      const actual = say`${status} is not in the document, which has ${known}`;
      if (!this.statuses.has(status))
        this.statuses.set(status, findingOf({ request }, say`a status of the document: ${known}`, actual));
      return;
    }
    const schema = this.#schemaOf(response, headers.get('content-type') ?? '');
    if (schema === undefined || body === undefined || this.#violations.size >= MAX_FINDINGS || isDeep(body)) return;
    this.checked += 1;
    const error = this.#schemas.check(schema, body);
    if (error === undefined) return;
    if (typeof error === 'string') {
      this.unusable.add(error);
      return;
    }
    const where = error.instancePath.split('/').slice(1).map(unescaped);
    const key = `${String(status)} ${error.schemaPath} ${where.map((it) => (/^\d+$/.test(it) ? '*' : it)).join('.')}`;
    if (this.#violations.has(key)) return;
    const expected = say`the schema of ${status} in the document`;
    const place = where.length === 0 ? say`the body` : code(where.join('.'));
    const actual = say`${place} of a ${status} ${messageOf(error)}`;
    this.#violations.set(
      key,
      findingOf({ request }, expected, actual, say`has ${typeName(valueAt(body, where))} there`),
    );
  }

  #schemaOf({ value, path }: Place, received: string): Place | undefined {
    const types = Object.keys(valueAt(value, ['content']) ?? {}); // Of a document: an object, or none.
    const own = received.split(';')[0]?.trim().toLowerCase() ?? '';
    const type =
      types.find((it) => it.split(';')[0]?.trim().toLowerCase() === own) ??
      (isJson(own) ? types.find((it) => /^(\*|application)\/\*/.test(it)) : undefined);
    if (type === undefined || valueAt(value, ['content', type, 'schema']) === undefined) return undefined;
    return { value: undefined, path: [...path, 'content', type, 'schema'] };
  }
}

/** @returns what the document says, without the value of the response. */
function messageOf({ keyword, message = 'is wrong', params }: ErrorObject): Text {
  const { allowedValues, additionalProperty } = params;
  if (keyword === 'enum' && Array.isArray(allowedValues))
    return say`must be one of ${joined(allowedValues.slice(0, 12).map((it) => quote(String(it))))}`;
  return keyword === 'additionalProperties'
    ? say`must not have ${code(String(additionalProperty))}`
    : quote(message.replaceAll("'", '`'), LONG);
}

function typeName(value: unknown): Text {
  if (value === undefined) return say`nothing`;
  if (value === null) return say`null`;
  if (Array.isArray(value)) return say`an array`;
  return typeof value === 'object' ? say`an object` : say`a ${typeof value}`;
}
