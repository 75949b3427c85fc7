/** What the generated clients do wrong. A failure of `rollcall examine` that is not here fails its row, and so does one that is gone. */

export interface KnownFailure {
  /** The ids of the rules that fail for this reason. */
  readonly rules: readonly string[];
  /** A sentence. */
  readonly reason: string;
}

/** By the name of the row. */
export const KNOWN_FAILURES: Readonly<Record<string, readonly KnownFailure[]>> = {
  'hey-api': [
    { rules: ['errors.not_json'], reason: 'It returns the text of a 200 that is HTML as if it were the list.' },
  ],
  'oapi-codegen': [{ rules: ['errors.not_json'], reason: 'Its error for a 200 that is not JSON has no status.' }],
  'openapi-generator-java': [
    { rules: ['errors.not_json'], reason: 'Its ApiException for a 200 that is not JSON has no status.' },
  ],
  'openapi-python-client': [
    {
      rules: ['errors.proxy_html', 'errors.not_json'],
      reason:
        'It parses every declared status as JSON: HTML with a 200 or 503 is a JSONDecodeError without the status.',
    },
  ],
  'openapi-typescript': [
    {
      rules: ['errors.not_json'],
      reason: 'For a 200 that is not JSON, openapi-fetch throws a SyntaxError without the status.',
    },
  ],
  orval: [
    {
      rules: ['errors.proxy_html', 'errors.not_json'],
      reason: 'It parses every body before it checks the status: HTML is a SyntaxError without the status.',
    },
  ],
  progenitor: [
    {
      rules: ['errors.proxy_html', 'errors.not_json'],
      reason: 'Its error for a declared status whose body is not JSON has no status.',
    },
  ],
};
