/** The rule of cursors of another filter, list or account. */
import { NotChecked } from '../rules/rule.ts';
import { LONG, code, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Audited } from './audited.ts';
import type { Rule } from './list-rule.ts';
import { cursorOf, isBroken } from './bad-values.ts';
import { requireWanted, wantedBy } from './filter-rules.ts';
import { failure, note, returned } from './finding.ts';
import { List, isPage } from './list.ts';
import type { Page } from './list.ts';
import { resolve, withParam, paramsOf } from './target.ts';
import { requireEnd } from './walk.ts';

/** @returns the page of a cursor that is another one's; `undefined` if it is rejected. @throws Failure if it is a 5xx. */
async function pageOf(list: List, target: string, whose: Text): Promise<Page | undefined> {
  const page = await list.probe(target);
  if (isPage(page)) return page;
  if (isBroken(page))
    throw failure(page, say`a 4xx, or a page of this list`, say`the cursor of ${whose} fails: ${page.reason}`);
  return undefined;
}

/** Uses cursors of the list without its filter, and with another value of it. */
async function requireFilter(audited: Audited): Promise<void> {
  const { list, filtered } = audited;
  const { param, value } = await cursorOf(audited);
  const { pages } = (await audited.walks()).reference;
  const wanted = wantedBy(audited, pages);
  const start = filtered.list.first(audited.probe);
  const plain = await pageOf(filtered.list, withParam(start, param, value), say`the list without the filter`);
  if (plain !== undefined) requireWanted([plain], wanted, false);
  const { next } = await filtered.firstPage(audited.probe);
  const bound = paramsOf(next ?? '').get(param);
  const [[name, own] = ['', '']] = wanted;
  const other = pages
    .flatMap((it) => it.values[name] ?? [])
    .find((it) => typeof it === 'string' && it.toLowerCase() !== own.toLowerCase());
  if (bound === undefined || typeof other !== 'string') return;
  const first = withParam(list.first(audited.probe), name, other);
  const usual = await filtered.list.probe(first);
  // A server may know the value under another name.
  if (!isPage(usual) || usual.values[name]?.every((it) => it === other) !== true) return;
  const page = await pageOf(
    filtered.list,
    withParam(first, param, bound),
    say`another filter (${code(`${name}=${own}`)})`,
  );
  if (page !== undefined) requireWanted([page], [[name, other]], false);
}

/** Uses a cursor of another list, or of another account. */
async function requireOwn(audited: Audited): Promise<void> {
  const { list } = audited;
  const { other = {}, ...profile } = list.profile;
  const { param, first } = await cursorOf(audited);
  const to = resolve(other.url ?? profile.url, list.first(), list.session.origin);
  if (to === undefined || to.origin !== undefined)
    throw new NotChecked(
      say`${quote(other.url ?? '', LONG)} is not at the audited origin, ${quote(list.session.origin, LONG)}`,
    );
  const whose = other.url === undefined ? say`another account` : say`another list`;
  const who = other.headers === undefined ? 'user' : 'other';
  const { reference } = await audited.walks();
  requireEnd(reference);
  const its = new List({ ...profile, url: list.session.origin + to.target }, list.session);
  const page = await its.probe(its.first(audited.probe), who);
  if (!isPage(page)) throw new NotChecked(say`${page.request} returned ${page.reason}`);
  const second = page.next === undefined ? undefined : await its.probe(page.next, who);
  const cursor = paramsOf(page.next ?? '').get(param);
  if (second === undefined || !isPage(second) || cursor === undefined)
    throw new NotChecked(say`the list of ${whose} has no second page`);
  const own = new Set(reference.ids);
  const foreign = new Set([...page.ids, ...second.ids].filter((it) => !own.has(it)));
  if (foreign.size === 0)
    throw new NotChecked(say`the list of ${whose} has the same ids, so that its items cannot be told apart`);
  const found = await pageOf(list, withParam(list.first(audited.probe), param, cursor), whose);
  if (found === undefined) return;
  const forbid = (isWrong: boolean, actual: Text, fault = note): void => {
    if (!isWrong) return;
    throw fault(found, say`a 4xx, or items of this list`, say`the cursor of ${whose} ${actual}`, returned(found));
  };
  forbid(
    found.ids.some((it) => foreign.has(it)),
    say`returns its items`,
    failure,
  );
  forbid(found.ids.length === 0, say`silently ends the list`);
  forbid(found.ids.join() === first.ids.join(), say`silently returns the first page`);
}

const bound: Rule = {
  id: 'cursor.leak',
  title: 'a cursor of another filter, list or account shows none of its items',
  dependsOn: ['filter.wrong', 'filter.dropped'],
  on: {
    by: '`--filter`, `--other-url` or `--other-header`',
    isDeclaredIn: ({ filter, other }) => filter !== undefined || other !== undefined,
  },
  why: 'A client with such a cursor reads items that its key or filter should hide.',
  change: 'Take the account, the list and the filter from the request, and only the position from the cursor.',
  notes: 'A cursor of another list or account that returns the end or the first page is a note.',
  check: async (audited) => {
    const { filter, other } = audited.list.profile;
    const checks = [...(filter === undefined ? [] : [requireFilter]), ...(other === undefined ? [] : [requireOwn])];
    let notChecked: NotChecked | undefined;
    for (const check of checks)
      try {
        await check(audited);
      } catch (error) {
        if (!(error instanceof NotChecked)) throw error;
        notChecked ??= error;
      }
    if (notChecked !== undefined) throw notChecked;
  },
};

export const BOUND_RULES: readonly Rule[] = [bound];
