/**
 * The verdicts on what clients of the matrix do wrong: whose fault each failure of `rollcall examine` is, and why. A failure
 * without a verdict and a verdict without a failure make a row fail, so that this file is also the baseline of the scoreboard.
 */

/** Who has to change something: the generator, the contract, or the driver that calls the client. */
export type Fault = 'generator' | 'contract' | 'driver';

export interface Verdict {
  /** The ids of the rules that fail for this reason. */
  readonly rules: readonly string[];
  readonly fault: Fault;
  /** A sentence. */
  readonly reason: string;
}

const generator = (reason: string, ...rules: readonly string[]): Verdict => ({ rules, fault: 'generator', reason });
const driver = (reason: string, ...rules: readonly string[]): Verdict => ({ rules, fault: 'driver', reason });

/** By the name of the row. */
export const VERDICTS: Readonly<Record<string, readonly Verdict[]>> = {
  'openapi-typescript': [
    generator('For a 200 that is not JSON, openapi-fetch throws a SyntaxError without the status.', 'errors.not_json'),
  ],
  'hey-api': [generator('It returns the text of a 200 that is HTML as if it were the list.', 'errors.not_json')],
  orval: [
    generator(
      'It parses every body before it checks the status: HTML is a SyntaxError without the status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
    generator('It does not encode an id in the path.', 'requests.encoding'),
  ],
  'openapi-generator-typescript': [
    generator('For a 200 that is not JSON, it throws a SyntaxError without the status.', 'errors.not_json'),
  ],
  'swagger-typescript-api': [
    generator(
      'If it cannot read the body of a 200, it returns null as if it were the list.',
      ...['errors.truncated', 'errors.not_json'],
    ),
    generator('It does not encode an id in the path.', 'requests.encoding'),
  ],
  oazapfts: [
    generator(
      'It returns nothing as if it were the list, for a body that is cut and for HTML; for broken JSON it throws a SyntaxError without the status.',
      ...['errors.truncated', 'errors.not_json'],
    ),
  ],
  'openapi-client-axios': [
    generator('axios returns the text of a body that is not JSON as if it were the list.', 'errors.not_json'),
  ],
  'openapi-zod-client': [
    generator('It validates only bodies with a JSON media type, and returns the text of others.', 'errors.not_json'),
  ],
  kubb: [
    generator(
      'It parses every body before it checks the status: HTML is a SyntaxError without the status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
    generator('It does not encode an id in the path.', 'requests.encoding'),
  ],
  'openapi-python-client': [
    generator(
      'It parses the body of every declared status as JSON: HTML with a 200 or 503 is a JSONDecodeError without the status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
  ],
  'openapi-generator-python': [
    generator('For a 200 that is not JSON, it raises an error of its parser without the status.', 'errors.not_json'),
    generator(
      'urllib3 obeys any Retry-After by default, so that a call takes a day: set `retries` in the Configuration.',
      'retries.long_retry_after',
    ),
  ],
  'oapi-codegen': [generator('If the body of a 200 is not JSON, its error has no status.', 'errors.not_json')],
  ogen: [
    generator(
      'If the body of a declared status is not JSON, its error has no status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
  ],
  progenitor: [
    generator(
      'If the body of a declared status is not JSON, its error has no status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
  ],
  'openapi-generator-rust': [
    generator('If the body of a 200 is not JSON, its error has no status.', 'errors.not_json'),
    generator('It encodes an id in the path like a form: a space becomes `+`.', 'requests.encoding'),
  ],
  'openapi-generator-ruby': [
    generator('For a 200 that is not JSON, it raises an error without the status.', 'errors.not_json'),
  ],
  'openapi-generator-java-okhttp': [
    generator(
      'With `errorObjectType` it parses the body before it checks the status: HTML is a JsonSyntaxException without the status.',
      ...['errors.proxy_html', 'errors.not_json'],
    ),
  ],
  'openapi-generator-java-native': [
    generator('For a 200 that is not JSON, it throws an ApiException without the status.', 'errors.not_json'),
  ],
  'openapi-generator-java-restclient': [
    generator('For a 200 that is not JSON, it throws a RestClientException without the status.', 'errors.not_json'),
  ],
  'openapi-generator-kotlin': [
    generator('For a 200 that is not JSON, it throws an exception without the status.', 'errors.not_json'),
  ],
  fetch: [
    driver('It ignores `has_more`, and reads on until a page is empty.', 'pagination.stop_by_has_more'),
    driver(
      'It does not check the status: it takes an error for an empty page, or for a record.',
      ...['errors.missing_api_key', 'errors.invalid_api_key', 'errors.not_found'],
      ...['errors.validation_error', 'errors.rate_limit_exceeded', 'errors.application_error'],
      ...['errors.service_unavailable'],
    ),
    driver('A body that is not JSON is a SyntaxError without the status.', 'errors.proxy_html', 'errors.not_json'),
    driver('It does not encode an id in the path.', 'requests.encoding'),
  ],
};
