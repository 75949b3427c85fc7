/** The parameter that says where a page of a list begins: a cursor, a page number, or an offset. */
import type { List } from './list.ts';
import { paramsOf } from './target.ts';
import { walk } from './walk.ts';

/** A parameter that says where a page begins. */
export interface Cursor {
  readonly param: string;
  readonly kind: 'cursor' | 'page' | 'offset';
  /** The number of the first page, or of the first item; 0 for a cursor. */
  readonly first: number;
}
/** @returns the parameter that leads to the next page, also inside of links; `undefined` if it is not one alone. @param probe a small size. */
export async function findCursor(list: List, probe: number | undefined): Promise<Cursor | undefined> {
  const { next, size } = list.profile;
  const { pages } = await walk(list, probe, list.first(probe), Infinity, 3);
  const [one, two, three] = pages.map((it) => paramsOf(it.target));
  if (one === undefined || two === undefined) return undefined;
  const changed = (of: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] =>
    [...to.keys()].filter((it) => it !== size?.param && of.get(it) !== to.get(it));
  const declared = 'id' in next ? next.id : 'token' in next ? next.token : undefined;
  const names = three === undefined ? changed(one, two) : changed(two, three);
  const param = declared ?? (names.length === 1 ? names[0] : undefined);
  if (param === undefined) return undefined;
  list.session.own(param);
  const cursor = { param, kind: 'cursor', first: 0 } as const;
  if ('id' in next) return cursor;
  const numberIn = (params: typeof two | undefined): number =>
    Number(/^\d+$/.exec(params?.get(param) ?? '')?.[0] ?? NaN);
  const [second, third] = [numberIn(two), numberIn(three)];
  const length = pages[0]?.ids.length ?? 0;
  // Numbers alone do not tell: an id may be the number of its place, and a page of one item moves by one.
  const isId = /id$|after|before|cursor|token|marker|since|last|next|continu/i.test(param);
  const found = (
    [
      { kind: 'page', step: 1, isNamed: /page|^p$/i.test(param) },
      { kind: 'offset', step: length, isNamed: length > 1 && /offset|skip|start|from/i.test(param) },
    ] as const
  ).find(({ step, isNamed }) => {
    const isCounted = second === step || second === step + 1;
    const goesOn = third === second + step || (Number.isNaN(third) && isNamed);
    return isCounted && goesOn && (isNamed || (!isId && length > 1));
  });
  return found === undefined ? cursor : { param, kind: found.kind, first: second - found.step };
}
