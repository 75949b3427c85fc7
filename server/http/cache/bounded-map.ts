/** A map that holds so much and no more: the oldest entries make room. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly size: number }>();
  readonly #maxSize: number;
  #size = 0;

  /** @param maxSize the greatest sum of the sizes of its entries, in whatever unit they are given. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** @param size of the entry; one that is larger than the map is not kept. */
  set(key: K, value: V, size = 1): void {
    this.#remove(key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) return;
      this.#remove(oldest);
    }
  }

  #remove(key: K): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
