/** The headers of one call. */
export type CallHeaders = Readonly<Record<string, string>> | Headers;

/** @throws TypeError for what HTTP cannot carry, and for `Authorization`. */
export function headersOf(headers: CallHeaders | undefined): Record<string, string> {
  if (headers === undefined) return {};
  let checked: Headers;
  try {
    checked = new Headers(headers);
  } catch {
    // The platform's error would repeat the value, which may be a secret.
    throw new TypeError('`headers` must hold names and values that HTTP can carry.');
  }
  if (checked.has('authorization')) {
    throw new TypeError('`headers` must not hold Authorization: the client sends its `apiKey` there.');
  }
  return Object.fromEntries(checked);
}
