import type { Received } from './received.ts';

/** The value of a call and the response that contained it. */
export interface WithResponse<T> {
  readonly data: T;
  /** Its body has not been consumed. */
  readonly response: Response;
}

/** The result of a request. */
export interface Result<T> {
  readonly data: T;
  readonly received: Received;
}

/** A promise whose request is sent when it is first awaited, and once, however often it is awaited. */
export class Call<T> extends Promise<T> {
  readonly #request: () => Promise<Result<T>>;
  #result: Promise<Result<T>> | undefined;

  constructor(request: () => Promise<Result<T>>) {
    super(() => undefined); // Does not settle itself: `await`, `catch` and `finally` call `then`, which sends the request.
    this.#request = request;
  }

  /** Without this, `finally` would call the constructor with the executor of a promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<A = T, B = never>(
    resolved?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const value = this.#once().then(({ data }) => data);
    return value.then(resolved, rejected);
  }

  /** Resolves to the value and its response, with headers and status. Rejects like the call. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, received } = await this.#once();
    return { data, response: received.response };
  }

  #once(): Promise<Result<T>> {
    return (this.#result ??= this.#request());
  }
}
