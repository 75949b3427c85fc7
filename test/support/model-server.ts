/** The model of the contract as a server in memory: what it answers, as a response of Rollcall. */
import { hash, randomUUID } from 'node:crypto';
import { answerOf, isMatch, listsOf } from '../../audit/conform/model.ts';
import type { Answer, Sent, World } from '../../audit/conform/model.ts';
import type { Contract } from '../../contract/document.ts';
import { problemBody, ProblemError } from '../../contract/problems.ts';
import { allowed } from '../../contract/wording.ts';
import { allowedMethods, headersOfProblem, headersOfStatus } from '../../server/http/respond.ts';

export interface ModelRequest extends Sent {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}
export interface ModelResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

const REQUEST_ID = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;

/** @returns the server. Scripts of any origin may read its responses, as those of the test kit. */
export function createModelServer(
  contract: Contract,
  accounts: World['accounts'],
): (request: ModelRequest) => ModelResponse {
  const world: World = { accounts, lists: listsOf(contract), status: contract.problemStatus };
  const bodyOf = (answer: Answer, target: string): string => {
    switch (answer.kind) {
      case 'page':
        return JSON.stringify({ object: 'list', has_more: answer.hasMore, data: answer.items });
      case 'item':
        return JSON.stringify(answer.item);
      case 'problem':
      case 'choice':
        return problemBody(new ProblemError(answer.name, messageOf(contract, answer, target)), answer.status);
      default:
        return '';
    }
  };
  return ({ headers: asked, ...sent }) => {
    const answer = answerOf(world, sent);
    const text = bodyOf(answer, sent.target);
    const tag = answer.status === 200 ? `"${hash('sha1', text, 'base64url')}"` : undefined;
    const isUnchanged = tag !== undefined && isMatch(asked['if-none-match'] ?? '', tag);
    const status = isUnchanged ? 304 : (answer.status ?? 500);
    const id = asked['x-request-id'] ?? '';
    const operation = answer.operation && contract.operation(answer.operation);
    const ofStatus = {
      ...(status === 204 ? { Allow: allowedMethods(contract) } : headersOfStatus(contract, status, operation)),
      ...('name' in answer && headersOfProblem(contract, new ProblemError(answer.name, ''))),
      ...(tag !== undefined && { ETag: tag }),
    };
    const headers = {
      'x-request-id': REQUEST_ID.test(id) ? id : randomUUID(),
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy',
      ...Object.fromEntries(Object.entries(ofStatus).map(([name, value]) => [name.toLowerCase(), value])),
      ...(status === 204 &&
        'access-control-request-method' in asked && {
          'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id',
          'access-control-allow-methods': allowedMethods(contract),
        }),
      ...(text !== '' &&
        !isUnchanged && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    return { status, headers, body: sent.method === 'HEAD' || isUnchanged ? '' : text };
  };
}

/** @returns the message of an error in the words of Rollcall, which planted faults may change. */
function messageOf(contract: Contract, answer: Extract<Answer, { name: unknown }>, target: string): string {
  const { name, rule, operation } = answer;
  if (name === 'missing_api_key') return 'Send an API key: `Authorization: Bearer <key>`.';
  if (name === 'invalid_api_key') return 'This API key is unknown, has been revoked or has expired.';
  if (name === 'method_not_allowed') return 'This path supports only GET, HEAD and OPTIONS.';
  if (name === 'not_found') {
    if (operation === undefined) return 'This path does not exist.';
    if (rule === 'get.not_found') return 'There is no contact import with this `id`.';
    const cursor = /[?&]before=/.test(target) ? 'before' : 'after';
    return `There is no item with the id in \`${cursor}\`. If the item was removed, continue from the adjacent item on the page that you already have.`;
  }
  const [{ name: parameter } = { name: '' }] = answer.kind === 'problem' ? answer.wrong : [];
  const { parameters } = contract.operation(operation ?? 'getContactImport');
  if (rule === 'list.conflicting_cursors') return '`after` and `before` cannot be combined. Send only one of them.';
  const schema = parameters.find((it) => it.name === parameter)?.schema ?? {};
  const values = allowed(schema, (value) => `\`${String(value)}\``);
  if (rule === 'request.repeated_parameter') return `\`${parameter}\` must be sent only once, as ${values}.`;
  if (rule !== 'request.unknown_parameter') return `\`${parameter}\` must be ${values}.`;
  const names = parameters.filter((it) => it.in === 'query').map((it) => `\`${it.name}\``);
  const instead =
    names.length === 0 ? 'This operation has no query parameters.' : `Allowed parameters: ${names.join(', ')}.`;
  const isShown = parameter.length <= 32 && !/\p{Cc}/u.test(parameter);
  return `Unknown parameter${isShown ? ` \`${parameter}\`` : ''}. ${instead}`;
}
