/** Calls, and the responses that they resolve to. */

/** A response whose body has arrived. */
export class Received {
  /** The URL of the request. */
  readonly url: string;
  readonly content: string;
  readonly #head: Response;
  #response: Response | undefined;

  /** @param head a Response whose body has been consumed. @param content the text of that body. */
  constructor(url: string, head: Response, content: string) {
    this.url = url;
    this.content = content;
    this.#head = head;
  }

  get ok(): boolean {
    return this.#head.ok;
  }

  get status(): number {
    return this.#head.status;
  }

  get headers(): Headers {
    return this.#head.headers;
  }

  /** Always the same Response, which is created on demand. Its body has not been consumed. */
  get response(): Response {
    return (this.#response ??= responseOf(this.#head, this.content));
  }
}

function responseOf(head: Response, content: string): Response {
  // The constructor rejects an empty body for status 304, but accepts null. It adds a type to a body of text.
  const response = new Response(content === '' ? null : content, head);
  if (!head.headers.has('content-type')) response.headers.delete('content-type');
  return response;
}

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
