/**
 * A map that holds so much and no more. Its entries are of two generations: once the younger is full, it takes the place of
 * the older, which goes as a whole. So making room costs nothing, however many entries there are.
 */
export class BoundedMap<K, V> {
  readonly #maxOfGeneration: number;
  #younger = new Map<K, Entry<V>>();
  #older = new Map<K, Entry<V>>();
  /** Of the younger generation. */
  #size = 0;

  /** @param maxSize the greatest sum of the sizes of its entries, in whatever unit they are given. */
  constructor(maxSize: number) {
    this.#maxOfGeneration = maxSize / 2;
  }

  /** Reading an entry keeps it for longer. */
  get(key: K): V | undefined {
    const younger = this.#younger.get(key);
    if (younger !== undefined) return younger.value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older.value, older.size);
    return older?.value;
  }

  /** @param size of the entry; one that is larger than a generation is not kept. */
  set(key: K, value: V, size = 1): void {
    this.delete(key);
    if (size > this.#maxOfGeneration) return;
    if (this.#size + size > this.#maxOfGeneration) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#size = 0;
    }
    this.#younger.set(key, { value, size });
    this.#size += size;
  }

  delete(key: K): void {
    this.#size -= this.#younger.get(key)?.size ?? 0;
    this.#younger.delete(key);
    this.#older.delete(key);
  }
}

interface Entry<V> {
  readonly value: V;
  readonly size: number;
}
