/** What shapes share: ids, times, codecs of positions, links of headers. */
import { createHash } from 'node:crypto';
import type { Codec, Page, Row } from './server.ts';

const hash = (row: Row, salt: string): string =>
  createHash('sha256')
    .update(`${salt}${String(row.n)}`)
    .digest('hex');
/** @returns an id of hexadecimal digits that does not sort as the rows do. */
export const hex = (row: Row, length = 24, salt = 'id'): string => hash(row, salt).slice(0, length);
export const uuid = (row: Row, salt = 'uuid'): string =>
  hash(row, salt).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
/** @returns an id that grows with time, longer than a number may be. */
export const snowflake = ({ n }: Row, from = 1_100_000_000_000_000_000n): string => String(from + BigInt(n) * 7919n);
export const seconds = ({ created }: Row): number => Date.parse(created) / 1000;
/** Whose things they are: one of five. */
export const ownerOf = ({ n }: Row): number => (n % 5) + 1;

type Key = (row: Row) => string;
const byKey =
  (key: Key, past: 0 | 1) =>
  (rows: readonly Row[]): Codec => {
    const keys = rows.map((it) => key(it));
    return {
      write: ({ at, isBackward = false }) => keys[isBackward ? at : at - past] ?? keys.at(-1) ?? '',
      read: (text, isBackward) => {
        const at = keys.indexOf(text);
        return at < 0 ? undefined : { at: isBackward ? at : at + past };
      },
    };
  };
/** A position is the key of the last item that was read, or of the first that was not. */
export const after = (key: Key): ((rows: readonly Row[]) => Codec) => byKey(key, 1);
export const startingAt = (key: Key): ((rows: readonly Row[]) => Codec) => byKey(key, 0);

/** As `after`, with falling numbers that are compared: the item need not be there. @param other what a text means. */
export const comparedTo =
  (key: Key, other?: string) =>
  (rows: readonly Row[]): Codec => ({
    ...after(key)(rows),
    read: (text, isBackward) => {
      const value = /^\d{1,30}$/.test(text) ? text : other;
      if (value === undefined) return undefined;
      const at = rows.findIndex((it) => BigInt(key(it)) < BigInt(value) || (isBackward && key(it) === value));
      return { at: at < 0 ? rows.length : at };
    },
  });

/** A position is a number in a text, such as `0:20:0`. */
export const within = (form: RegExp, write: Codec['write']) => (): Codec => ({
  write,
  read: (text) => {
    const [, at, back] = form.exec(text) ?? [];
    return at === undefined ? undefined : { at: Number(at), isBackward: back === '1' };
  },
});

/** @returns a `Link` header, with relations in this order. */
export function linkHeader(
  page: Page,
  relations: Readonly<Record<string, Parameters<Page['link']>[0]>>,
): Record<string, string> {
  const links = Object.entries(relations).flatMap(([rel, to]) => {
    const url = page.link(to);
    return url === undefined ? [] : [`<${url}>; rel="${rel}"`];
  });
  return links.length === 0 ? {} : { link: links.join(', ') };
}
/** @returns a link as a path, or as a query alone. */
export const pathOf = (link: string | undefined): string | undefined =>
  link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
export const queryOf = (link: string | undefined): string | undefined =>
  link === undefined ? undefined : new URL(link).search;
