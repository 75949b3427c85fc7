/** The request that openapi-fetch makes, kept as what `fetch` takes: a `Request` would be made twice, and that is dear. */
export class OutgoingRequest {
  readonly url: string;
  readonly init: RequestInit;

  constructor(url: string, init: RequestInit) {
    this.url = url;
    this.init = init;
  }

  /** openapi-fetch asks whether it is HEAD. */
  get method(): string {
    return this.init.method ?? 'GET';
  }
}
