/** An OpenAPI document, 3.0 or 3.1: which of its operations are lists, and what it says of their pages. */
import { MAX_DEPTH as MAX_NESTED, isDeep } from '../rules/depth.ts';
import { SIZES } from './infer/sizes.ts';
import { isObject } from './json.ts';
import type { Values } from './json.ts';
import { ProfileError, objectOf, parseYaml } from './profile-values.ts';
import type { Profile, Size, Way } from './profile.ts';
import { decoded } from '../session/origin.ts';
import { MAX_DEPTH } from './infer/evidence.ts';

/** A value of a document, and the names that lead to it. */
export interface Place {
  readonly value: unknown;
  readonly path: readonly string[];
}

export interface Operation {
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  /** If it may be a list. */
  readonly list?: ListOperation;
  /** Why it is none. */
  readonly why?: string;
}

export interface ListOperation {
  /** What the document says of its pages. */
  readonly profile: Partial<Profile>;
  /** Whether it has a parameter that is named like one of pages, or an extension that describes them. */
  readonly hasPages: boolean;
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
  /** Parameters without which no request is right. */
  readonly required: readonly string[];
  /** Its responses by their statuses: `200`, `2XX` or `default`. */
  readonly responses: ReadonlyMap<string, Place>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Keywords whose values are no schemas: they may have what only looks like one. */
export const VALUES = /^(examples?|default|enum|const)$/;
const MAX_REFS = 20;
const PAGING = /page|cursor|offset|skip|marker|continu|(^|_)(after|before)(_|$)/i;

const keysOf = ({ value }: Place): readonly string[] => (isObject(value) ? Object.keys(value) : []);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export class OpenApi {
  readonly root: Values;
  /** Whether its schemas are those of JSON Schema 2020-12. */
  readonly is31: boolean;
  readonly operations: readonly Operation[];

  /** @param text in YAML or JSON. @throws ProfileError that says why it cannot be read. */
  constructor(text: string) {
    this.root = objectOf('an OpenAPI document', textToValue(text));
    if (isDeep(this.root))
      throw new ProfileError(`it nests more than ${String(MAX_NESTED)} levels deep, or contains itself`);
    const stated = this.root['openapi'] ?? this.root['swagger'];
    const version = typeof stated === 'string' ? stated : 'none';
    if (!/^3\.[01]\./.test(version))
      throw new ProfileError(
        `its version must be 3.0 or 3.1, not ${version}${version.startsWith('2') ? ': convert it first' : ''}`,
      );
    this.is31 = version.startsWith('3.1');
    const foreign = [...new Set(foreignRefs(this.root))];
    if (foreign.length > 0)
      throw new ProfileError(
        `it refers to what is not in it: ${foreign.slice(0, 5).join(', ')}; bundle it into one file first`,
      );
    const paths = Object.keys(objectOf('paths', this.root['paths'] ?? {}));
    // Behind a base URL, another beginning would make another host.
    const wrong = paths.find((it) => !/^(\/|x-)/.test(it));
    if (wrong !== undefined)
      throw new ProfileError(`a path must begin with /, not ${JSON.stringify(wrong.slice(0, 60))}`);
    this.operations = paths.flatMap((path) => this.#operationsOf(path));
  }

  /** @returns the value at a path, or what it refers to. */
  at(path: readonly string[]): Place {
    let [value, names]: [unknown, readonly string[]] = [this.root, []];
    let wanted = [...path];
    for (let refs = 0; ;) {
      const ref = isObject(value) ? value['$ref'] : undefined;
      if (typeof ref === 'string' && ref.startsWith('#') && refs < MAX_REFS) {
        refs += 1;
        const to = ref.split('/').slice(1);
        wanted = [...to.map((it) => unescaped(decoded(it))), ...wanted];
        [value, names] = [this.root, []];
        continue;
      }
      const name = wanted.shift();
      if (name === undefined) return { value, path: names };
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Values)[name] : undefined; // It has it.
      names = [...names, name];
    }
  }

  #in({ path }: Place, ...names: readonly string[]): Place {
    return this.at([...path, ...names]);
  }

  #operationsOf(path: string): readonly Operation[] {
    const item = this.at(['paths', path]);
    return METHODS.filter((it) => keysOf(item).includes(it)).map((method): Operation => {
      const name = { method: method.toUpperCase(), path };
      if (method !== 'get') return { ...name, why: 'not GET' };
      const place = this.#in(item, 'get');
      const all = this.#in(place, 'responses');
      const responses = new Map(keysOf(all).map((status) => [status.replaceAll('x', 'X'), this.#in(all, status)]));
      const why = this.#whyNot(responses.get('200') ?? responses.get('2XX'));
      if (why !== undefined) return { ...name, why };
      return { ...name, list: this.#listOf(item, place, responses) };
    });
  }

  /** @returns why a response holds no list; `undefined` if it has an array of objects. */
  #whyNot(response: Place | undefined): string | undefined {
    if (response === undefined) return 'no response 200';
    const content = this.#in(response, 'content');
    const type = keysOf(content).find(isJson);
    if (type === undefined) return 'no JSON in its response';
    return this.#hasArray(this.#in(content, type, 'schema')) ? undefined : 'no array of objects in its response';
  }

  #hasArray(root: Place): boolean {
    return this.#some(root, 2 * MAX_DEPTH, (schema) => {
      if (isObject(schema.value) && schema.value['items'] !== undefined && this.#isOfObjects(this.#in(schema, 'items')))
        return true;
      const properties = this.#in(schema, 'properties');
      return [...this.#branchesOf(schema), ...keysOf(properties).map((it) => this.#in(properties, it))];
    });
  }

  /**
   * Looks at a schema, and at those inside of it, level by level and each once: schemas may contain themselves.
   * @param look says whether it is found, or returns the schemas inside.
   */
  #some(root: Place, depth: number, look: (schema: Place) => boolean | readonly Place[]): boolean {
    const seen = new Set<unknown>();
    let level: readonly Place[] = [root];
    for (let at = 0; at <= depth && level.length > 0; at += 1) {
      const inner: Place[] = [];
      for (const schema of level) {
        if (seen.has(schema.value)) continue;
        seen.add(schema.value);
        const found = look(schema);
        if (found === true) return true;
        for (const it of found === false ? [] : found) inner.push(it);
      }
      level = inner;
    }
    return false;
  }

  #branchesOf(schema: Place): readonly Place[] {
    return ['allOf', 'oneOf', 'anyOf'].flatMap((it) =>
      list(isObject(schema.value) ? schema.value[it] : undefined).map((_, at) => this.#in(schema, it, String(at))),
    );
  }

  /** Whether a schema may be that of an object: one that says nothing may. */
  #isOfObjects(root: Place): boolean {
    return this.#some(root, MAX_DEPTH, (schema) => {
      if (!isObject(schema.value)) return schema.value === true;
      const types = [schema.value['type']].flat().filter((it) => it !== undefined);
      if (types.length > 0) return types.includes('object');
      const branches = this.#branchesOf(schema);
      return branches.length === 0 ? !('enum' in schema.value) : branches;
    });
  }

  #listOf(item: Place, operation: Place, responses: ListOperation['responses']): ListOperation {
    const parameters = new Map<string, Place>();
    for (const owner of [item, operation]) {
      const all = this.#in(owner, 'parameters');
      for (const at of list(all.value).keys()) {
        const place = this.#in(all, String(at));
        if (isObject(place.value)) parameters.set(`${String(place.value['in'])} ${String(place.value['name'])}`, place);
      }
    }
    const named = (where: string): readonly string[] =>
      [...parameters.keys()].filter((it) => it.startsWith(`${where} `)).map((it) => it.slice(where.length + 1));
    const isRequired = (name: string): boolean =>
      this.#in(parameters.get(`query ${name}`) ?? item, 'required').value === true;
    const [inPath, inQuery] = [named('path'), named('query')];
    const values = isObject(operation.value) ? operation.value : {};
    const hints = hintsOf(values, (name) => this.#firstPage(parameters.get(`query ${name}`)));
    const names = hints.size === undefined ? SIZES : [hints.size.param];
    const [size = hints.size] = names.flatMap((name) => this.#sizeOf(name, parameters.get(`query ${name}`)));
    return {
      profile: { ...hints, ...(size !== undefined && { size }) },
      hasPages: hints.next !== undefined || inQuery.some((it) => PAGING.test(it) || it === size?.param),
      inPath,
      inQuery,
      required: [...inPath, ...inQuery.filter(isRequired)],
      responses,
    };
  }

  /** @returns the size that a parameter of whole numbers sets. */
  #sizeOf(name: string, parameter: Place | undefined): readonly Size[] {
    if (parameter === undefined) return [];
    const schema = this.#in(parameter, 'schema');
    const all = [schema, ...this.#branchesOf(schema)].map(({ value }) => (isObject(value) ? value : {}));
    if (!all.some((it) => [it['type']].flat().includes('integer'))) return [];
    const number = (key: string): number | undefined =>
      all.map((it) => it[key]).find((it): it is number => Number.isSafeInteger(it) && Number(it) > 0);
    const [max, usual] = [number('maximum'), number('default')];
    return [{ param: name, ...(max !== undefined && { max }), ...(usual !== undefined && { default: usual }) }];
  }

  /** @returns 0 if a parameter says that pages are counted from 0. */
  #firstPage(parameter: Place | undefined): 0 | undefined {
    const schema = parameter && this.#in(parameter, 'schema').value;
    return isObject(schema) && (schema['default'] ?? schema['minimum']) === 0 ? 0 : undefined;
  }
}

/** @returns what the extensions `x-speakeasy-pagination` and `x-ms-pageable` say. */
function hintsOf(operation: Values, firstPage: (name: string) => 0 | undefined): Partial<Profile> {
  const { 'x-speakeasy-pagination': speakeasy, 'x-ms-pageable': pageable } = operation;
  if (isObject(pageable)) {
    const { nextLinkName, itemName = 'value' } = pageable;
    return typeof nextLinkName === 'string' && typeof itemName === 'string'
      ? { items: itemName, next: { url: nextLinkName } }
      : {};
  }
  if (!isObject(speakeasy)) return {};
  const outputs = isObject(speakeasy['outputs']) ? speakeasy['outputs'] : {};
  const [items, from, url] = ['results', 'nextCursor', 'nextUrl'].map((it) => pathIn(outputs[it]));
  const inputs = list(speakeasy['inputs']).filter(isObject);
  const [page, offset, token, size] = ['page', 'offset', 'cursor', 'limit'].map((type) => {
    const name = inputs.find((it) => it['in'] === 'parameters' && it['type'] === type)?.['name'];
    return typeof name === 'string' ? name : undefined;
  });
  const next: readonly Way[] = [
    ...(url === undefined ? [] : [{ url }]),
    ...(token === undefined || from === undefined ? [] : [{ token, from }]),
    ...(page === undefined ? [] : [{ page, ...(firstPage(page) === 0 && { first: 0 }) }]),
    ...(offset === undefined ? [] : [{ offset }]),
  ];
  return {
    ...(items !== undefined && { items }),
    ...(size !== undefined && { size: { param: size } }),
    ...(next[0] !== undefined && { next: next[0] }),
  };
}

/** @returns a JSONPath of names, `$.data.items`, as a path; `undefined` for any other one. */
const pathIn = (path: unknown): string | undefined =>
  typeof path === 'string' ? /^\$\.?((?:[\w-]+(?:\.[\w-]+)*)?)$/.exec(path)?.[1] : undefined;

export const isJson = (type: string): boolean =>
  /^(application|text)\/([\w.+-]*\+)?json\b/i.test(type) || type === '*/*';

/** @returns the name that a part of a JSON pointer stands for. */
export const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** @returns the references to other documents. */
function foreignRefs(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(foreignRefs);
  if (!isObject(value)) return [];
  const { $ref: ref } = value;
  const own = typeof ref === 'string' && !ref.startsWith('#') ? [ref] : [];
  return [...own, ...Object.entries(value).flatMap(([name, it]) => (VALUES.test(name) ? [] : foreignRefs(it)))];
}

/** JSON is read as such, which is much faster. */
function textToValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
  }
}
