/** What a call returns: a promise of its value that also gives the response in which the value came. */
export interface WithResponse<T> {
  readonly data: T;
  /** Its body has not been read yet. */
  readonly response: Response;
}

/** A promise. However often it is awaited, its request is sent once. */
export class Call<T> extends Promise<T> {
  readonly #ask: () => Promise<WithResponse<T>>;
  #answer: Promise<WithResponse<T>> | undefined;

  /** @param ask is called when somebody first waits for it. */
  constructor(ask: () => Promise<WithResponse<T>>) {
    super(() => undefined); // What it settles with comes from `then`, which `await`, `catch` and `finally` call.
    this.#ask = ask;
  }

  /** `finally` would otherwise make a Call from what makes a promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<A = T, B = never>(
    resolved?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(resolved, rejected);
  }

  /** What it resolves to, and the response in which it came: for its headers and its status. Rejects like the call. */
  withResponse(): Promise<WithResponse<T>> {
    return (this.#answer ??= this.#ask());
  }
}
