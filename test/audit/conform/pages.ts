/** A list as the contract has it, of items in any order: what a replica of an implementation responds. */
import type { Item } from '../../../audit/conform/records.ts';

interface Body {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** @returns the page of a query; `undefined` if its cursor is unknown. */
export function pageOf(items: readonly Item[], query: URLSearchParams): Body | undefined {
  const limit = Number(query.get('limit') ?? 20);
  const [after, before] = [query.get('after'), query.get('before')];
  const cursor = after ?? before;
  const at = items.findIndex((it) => it.id === cursor?.toLowerCase());
  if (cursor !== null && at === -1) return undefined;
  const status = query.get('status');
  const there = after !== null ? items.slice(at + 1) : before !== null ? items.slice(0, at) : items;
  const matching = there.filter((it) => status === null || it['status'] === status);
  const data = before === null ? matching.slice(0, limit) : matching.slice(-limit);
  return { data, has_more: matching.length > limit };
}
