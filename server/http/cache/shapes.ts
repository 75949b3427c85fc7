/**
 * The validator's verdicts, remembered by the shape of a request: its target, with whatever id stands in it left open. The
 * contract allows a well-formed id wherever it allows another, so one verdict holds for all of them.
 */
import type { Contract } from '../../contract/document.ts';
import type { Account, Call, OperationId } from '../../contract/types.ts';
import type { Checked } from '../dispatch.ts';
import { BoundedMap } from './bounded-map.ts';

interface Shape {
  readonly operation: OperationId;
  readonly query: object;
  readonly path: object;
  /** Where the id belongs. */
  readonly slot: { readonly in: 'query' | 'path'; readonly name: string } | undefined;
}

// Every limit of every list, with each value of its filter and each direction, and as many again.
const MAX_SHAPES = 5000;
// With an authority, percent-encoding or a fragment, an id in the text need not be the one that was judged.
const PLAIN_TARGET = /^\/[^%#]*$/;

export class Shapes {
  readonly #shapes = new BoundedMap<string, Shape>(MAX_SHAPES);
  readonly #id: RegExp;

  constructor({ schemas }: Contract) {
    this.#id = new RegExp((schemas.AnyCaseId.pattern ?? '').replace(/^\^|\$$/g, ''));
  }

  /** Remembers that a target was judged, and as what. */
  learn(target: string, { operation, call }: Checked): void {
    if (!PLAIN_TARGET.test(target)) return;
    const { key, id } = this.#split(target);
    const places = (['query', 'path'] as const).flatMap((it) =>
      Object.entries(call[it]).flatMap(([name, value]) => (value === id ? [{ in: it, name }] : [])),
    );
    // An id that is not a whole value of one parameter may mean anything.
    if (id !== undefined && places.length !== 1) return;
    this.#shapes.set(key, { operation, query: call.query, path: call.path, slot: places[0] });
  }

  /** @returns what the validator would make of a target; `undefined` if it has not judged its shape. */
  judge(target: string, account: Account): Checked | undefined {
    const { key, id } = this.#split(target);
    const shape = this.#shapes.get(key);
    if (shape === undefined) return undefined;
    const { operation, query, path, slot } = shape;
    const call = { account, query, path };
    if (slot !== undefined) call[slot.in] = { ...shape[slot.in], [slot.name]: id };
    return { operation, call: call as unknown as Call<OperationId> }; // Like that which was judged.
  }

  #split(target: string): { readonly key: string; readonly id: string | undefined } {
    const found = this.#id.exec(target);
    if (found === null) return { key: target, id: undefined };
    const [id] = found;
    // No target has a space.
    return { key: `${target.slice(0, found.index)} ${target.slice(found.index + id.length)}`, id };
  }
}
