/** The body of an answer, as far as a page can bear it. */

// Four times the largest page of the longest texts: more is no page.
const MAX_BYTES = 64 * 2 ** 20;

/** An answer has no end, or none that a page would live to see. */
export class TooLarge extends Error {
  constructor() {
    super(`The answer has more than ${String(MAX_BYTES)} bytes.`);
  }
}

/** @param {Response} response @returns {Promise<string>} its body. @throws {TooLarge} */
export async function textOf(response) {
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
