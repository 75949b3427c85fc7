/** Reads every item of a list once, with the bytes that the server sent. */
import { Untestable } from '../session/session.ts';
import { isPage } from './list.ts';
import type { List } from './list.ts';
import { MAX_STALE, isPast } from './walk.ts';
import { say } from '../rules/text.ts';

/**
 * @param size of the pages; the list's default if undefined.
 * @returns the items in the order of the list, each as one line of JSON.
 * @throws Untestable if a page cannot be read, or the list does not end.
 */
export async function* capture(list: List, size: number | undefined): AsyncGenerator<string> {
  const seen = new Set<string>();
  let stale = 0;
  for (let target: string | undefined = list.first(size); target !== undefined;) {
    const answer = await list.session.get(target);
    if (!answer.isUtf8) throw new Untestable(say`The list cannot be captured: ${answer.request} is not UTF-8.`);
    const page = list.read(answer);
    if (!isPage(page)) {
      if (seen.size > 0 && isPast(list, page)) return;
      throw new Untestable(say`The list cannot be captured: ${answer.request} is ${page.reason}.`);
    }
    const before = seen.size;
    for (const [at, source] of list.sourcesIn(answer).entries()) {
      const id = page.ids[at] ?? '';
      if (seen.has(id)) continue;
      seen.add(id);
      yield source.replaceAll(/[\r\n]+[ \t]*/g, ''); // Between values alone: a JSON string has no line break.
    }
    stale = seen.size === before ? stale + 1 : 0;
    if (stale >= MAX_STALE)
      throw new Untestable(say`The list cannot be captured: it does not end, see ${answer.request}.`);
    target = page.next;
  }
}
