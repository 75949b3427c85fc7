/** The public clients that are examined: each has a program of a few lines in `programs`, as the documentation of its maker has it. */

export interface Client {
  /** The name of its program. */
  readonly name: string;
  readonly language: 'Node' | 'Python';
  readonly package: string;
  readonly version: string;
  /** What its program needs besides, with its version. */
  readonly needs?: string;
  /** The bundled profile of its API. */
  readonly profile: string;
}

export const CLIENTS: readonly Client[] = [
  { name: 'octokit', language: 'Node', package: 'octokit', version: '5.0.5', profile: 'github' },
  { name: 'pygithub', language: 'Python', package: 'PyGithub', version: '2.10.0', profile: 'github' },
  { name: 'got', language: 'Node', package: 'got', version: '16.1.0', profile: 'github' },
  { name: 'dlt-rest-client', language: 'Python', package: 'dlt', version: '1.31.0', profile: 'github' },
  { name: 'gitbeaker', language: 'Node', package: '@gitbeaker/rest', version: '43.8.0', profile: 'gitlab' },
  { name: 'python-gitlab', language: 'Python', package: 'python-gitlab', version: '8.6.0', profile: 'gitlab' },
  { name: 'stripe-node', language: 'Node', package: 'stripe', version: '23.1.0', profile: 'stripe' },
  { name: 'openai-python', language: 'Python', package: 'openai', version: '3.57.0', profile: 'openai' },
  {
    ...{ name: 'slack-sdk', language: 'Python', package: 'slack_sdk' },
    ...{ version: '3.48.0', needs: 'aiohttp==3.14.3', profile: 'slack' },
  },
  {
    ...{ name: 'google-api', language: 'Python', package: 'google-api-python-client' },
    ...{ version: '2.202.0', profile: 'google-drive' },
  },
];

/** A sentence that says that what a client does is wrong. Without one, the page says only what happened. */
export interface Fault {
  readonly clients: readonly string[];
  readonly scenarios: readonly string[];
  readonly sentence: string;
  readonly source: string;
}

export const FAULTS: readonly Fault[] = [
  {
    clients: ['octokit'],
    scenarios: ['status.429-once'],
    sentence:
      'If the `retry-after` response header is present, you should not retry your request until after that many seconds has elapsed.',
    source: 'GitHub Docs, Best practices for using the REST API',
  },
  {
    clients: ['pygithub'],
    scenarios: ['redirect.path'],
    sentence: 'Receiving an HTTP redirection is not an error, and you should follow the redirect.',
    source: 'GitHub Docs, Best practices for using the REST API',
  },
  {
    clients: ['octokit'],
    scenarios: ['body.cut', 'body.cut-chunks', 'body.cut-once'],
    sentence:
      'A client that receives an incomplete response message, which can occur when a connection is closed prematurely or when decoding a supposedly chunked transfer coding fails, MUST record the message as incomplete.',
    source: 'RFC 9112, section 8',
  },
];
