/** Requests as they go over the wire, and the tags they name. */
import type { Request } from './requests.ts';

/** The tags of answers so far, by which requests are made conditional. */
export class Tags {
  readonly #latest = new Map<string, string>();
  #last = '"none"';

  /** @returns the tag of the latest answer to a request like this one. */
  of(target: string, { key }: Request): string {
    return this.#latest.get(`${key} ${target}`) ?? '"none"';
  }

  /** @returns a tag of whatever was answered last, if it is not that. */
  stale(tag: string): string {
    return this.#last === tag ? '"stale"' : this.#last;
  }

  /** Notes the tags of answers. @param text what was asked. */
  learn(target: string, { key }: Request, answers: string): void {
    const tags = [...answers.matchAll(/^ETag: (.*)\r$/gm)];
    if (tags.length === 1) this.#latest.set(`${key} ${target}`, tags[0]?.[1] ?? '');
    this.#last = tags.at(-1)?.[1] ?? this.#last;
  }
}

/** @returns the target of a request, one of those of a life. */
export function targetOf({ target, ids, choice }: Request, targets: readonly string[]): string {
  return (targets[target % targets.length] ?? '')
    .replaceAll('{0}', ids[0])
    .replaceAll('{1}', ids[1])
    .replaceAll(
      /\{([^}]*)\}/g,
      (_, choices: string) => choices.split('|').at(choice % choices.split('|').length) ?? '',
    );
}

/** @returns requests as one text, on a connection that the last of them closes. */
export function write(requests: readonly Request[], targets: readonly string[], tags: Tags): string {
  const texts = requests.map((request, at) => {
    const target = targetOf(request, targets);
    const tag = tags.of(target, request);
    const [framing = '', body = ''] = request.body;
    const headers = [...request.headers, ...(at === requests.length - 1 ? ['Connection: close'] : [])].map(
      (it) => `${it.replaceAll('KEY', request.key).replaceAll('TAG', tag).replaceAll('STALE', tags.stale(tag))}\r\n`,
    );
    return `${request.method} ${target} HTTP/${request.version}\r\nHost: x\r\n${headers.join('')}${framing}\r\n${body}`;
  });
  return texts.join('');
}
