import type { Received } from './fetch.ts';

/** What a call returns: a promise of its value that also gives the response in which the value came. */
export interface WithResponse<T> {
  readonly data: T;
  /** Its body has not been read yet. */
  readonly response: Response;
}

/** How a request ended. */
export interface Result<T> {
  readonly data: T;
  readonly received: Received;
}

/** A promise. However often it is awaited, its request is sent once. */
export class Call<T> extends Promise<T> {
  readonly #ask: () => Promise<Result<T>>;
  #result: Promise<Result<T>> | undefined;

  /** @param ask is called when somebody first waits for it. */
  constructor(ask: () => Promise<Result<T>>) {
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
    return this.#once()
      .then(({ data }) => data)
      .then(resolved, rejected);
  }

  /** What it resolves to, and the response in which it came: for its headers and its status. Rejects like the call. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, received } = await this.#once();
    return { data, response: received.response };
  }

  #once(): Promise<Result<T>> {
    return (this.#result ??= this.#ask());
  }
}
