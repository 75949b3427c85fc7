/** Reads every item of a list once, with the bytes that the server sent. */
import { Untestable } from '../conform/session.ts';
import { isPage } from './list.ts';
import type { List } from './list.ts';

/**
 * @param size of the pages; the list's default if undefined.
 * @returns the items in the order of the list, each as one line of JSON.
 * @throws Untestable if a page cannot be read, or the list does not end.
 */
export async function* capture(list: List, size: number | undefined): AsyncGenerator<string> {
  const seen = new Set<string>();
  const targets = new Set<string>();
  for (let target: string | undefined = list.first(size); target !== undefined;) {
    if (targets.has(target)) throw new Untestable(`The list does not end: ${list.session.redact(target)} comes again.`);
    targets.add(target);
    const answer = await list.session.get(target);
    const page = list.read(answer);
    if (!isPage(page)) throw new Untestable(`The list cannot be captured: ${answer.request} is ${page.reason}.`);
    for (const [at, source] of list.sourcesIn(answer).entries()) {
      const id = page.ids[at] ?? '';
      if (seen.has(id)) continue;
      seen.add(id);
      yield source.replaceAll(/[\r\n]+[ \t]*/g, ''); // Between values alone: a JSON string has no line break.
    }
    target = page.next;
  }
}
