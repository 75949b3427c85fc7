/** A response whose body has arrived: as much of a Response as openapi-fetch reads. */
export interface Received extends Pick<Response, 'ok' | 'status' | 'headers' | 'text'> {
  /** The URL of the request. */
  readonly url: string;
  readonly content: string;
  /** Always the same Response, which is created on demand. Its body has not been consumed. */
  readonly response: Response;
}

/** @param head a Response whose body has been consumed. @param content the text of that body. */
export function receivedOf(url: string, head: Response, content: string): Received {
  const { ok, status, headers } = head;
  let response: Response | undefined;
  return {
    ...{ url, ok, status, headers, content },
    text: () => Promise.resolve(content),
    get response() {
      return (response ??= responseOf(head, content));
    },
  };
}

function responseOf(head: Response, content: string): Response {
  // The constructor rejects an empty body for status 304, but accepts null. It adds a type to a body of text.
  const response = new Response(content === '' ? null : content, head);
  if (!head.headers.has('content-type')) response.headers.delete('content-type');
  return response;
}
