/**
 * Validation results, cached by request template. A request template is a target with a placeholder instead of its id. Where the
 * contract allows one well-formed id it allows every other, so one result holds for all of them. A rejection is cached under the target
 * itself, because its message may depend on all of it.
 */
import { LRUCache } from 'lru-cache';
import type { Contract } from '../../contract/document.ts';
import type { ProblemError } from '../../contract/problems.ts';
import type { Call, OperationId } from '../../contract/types.ts';

/** The validated parameters of a request. Parameters with a default are always present. */
export type Parameters<Op extends OperationId = OperationId> = Pick<Call<Op>, 'query' | 'path'>;

interface Template {
  readonly parameters: Parameters;
  /** Which parameter is the id; `undefined` if the target contains none. */
  readonly id: { readonly in: 'query' | 'path'; readonly name: string } | undefined;
}

// Twice the number of all combinations of a list, a limit, a filter and a direction.
const MAX_TEMPLATES = 5000;
// Apart from the templates, so that no number of different rejections evicts one. A client that sends an invalid request repeats it.
const MAX_REJECTIONS = 100;
// With an authority, percent-encoding or a fragment, an id in the target may not be the one that was validated.
const PLAIN_TARGET = /^\/[^%#]*$/;
// The cache is bounded by its number of entries, so the length of a cache key is bounded too. No legitimate target is half as long.
const MAX_LENGTH = 300;

export class RequestTemplates {
  readonly #templates = new LRUCache<string, Template>({ max: MAX_TEMPLATES });
  readonly #rejections = new LRUCache<string, ProblemError>({ max: MAX_REJECTIONS });
  readonly #id: RegExp;

  /** Has the results of the targets without parameters from the start: they are the defaults, so the first requests need no validator. */
  constructor({ schemas, operations }: Contract) {
    this.#id = new RegExp((schemas.ItemId.pattern ?? '').replace(/^\^|\$$/g, ''));
    for (const { path, parameters } of operations) {
      if (parameters.some((parameter) => parameter.required === true)) continue;
      const query = Object.fromEntries(
        parameters.flatMap(({ name, schema }) => (schema.default === undefined ? [] : [[name, schema.default]])),
      );
      this.add(path, { query, path: {} } as unknown as Parameters); // What the validator fills in.
    }
  }

  /** Caches the validated parameters of a target. */
  add(target: string, parameters: Parameters): void {
    if (target.length > MAX_LENGTH || !PLAIN_TARGET.test(target)) return;
    const { key, id } = this.#split(target);
    const positions = (['query', 'path'] as const).flatMap((place) =>
      Object.entries(parameters[place]).flatMap(([name, value]) => (value === id ? [{ in: place, name }] : [])),
    );
    // An id that is not the whole value of exactly one parameter cannot be replaced by another.
    if (id !== undefined && positions.length !== 1) return;
    this.#templates.set(key, { parameters, id: positions[0] });
  }

  /** @returns the parameters that the validator would find; `undefined` for a template that has not been added. */
  match(target: string): Parameters | undefined {
    const { key, id } = this.#split(target);
    const template = this.#templates.get(key);
    if (template?.id === undefined) return template?.parameters;
    const { in: where, name } = template.id;
    return { ...template.parameters, [where]: { ...template.parameters[where], [name]: id } };
  }

  /** Caches the error that the validator has found in a target. */
  addRejection(target: string, error: ProblemError): void {
    if (target.length <= MAX_LENGTH) this.#rejections.set(target, error);
  }

  /** @returns the error that the validator would find; `undefined` for a target that has none, or whose error is not cached. */
  rejectionOf(target: string): ProblemError | undefined {
    return this.#rejections.get(target);
  }

  #split(target: string): { readonly key: string; readonly id: string | undefined } {
    const found = this.#id.exec(target);
    if (found === null) return { key: target, id: undefined };
    const [id] = found;
    // The placeholder is a space, because no target contains one.
    return { key: `${target.slice(0, found.index)} ${target.slice(found.index + id.length)}`, id };
  }
}
