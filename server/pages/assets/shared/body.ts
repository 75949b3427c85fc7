/** The body of a response, up to a size that a page can handle. */

// Four times the size of the largest page with the longest texts. A longer body is not a page of a list.
const MAX_BYTES = 64 * 2 ** 20;

/** The error of a response that has no end, or that is larger than a page can handle. */
export class TooLarge extends Error {
  constructor() {
    super(`The response is larger than ${String(MAX_BYTES / 2 ** 20)} MB.`);
  }
}

/** @throws {TooLarge} */
export async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader?.cancel();
      throw new TooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}
