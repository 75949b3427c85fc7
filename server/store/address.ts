/** Addresses of databases: paths of files, and URLs of PostgreSQL. */

/** @returns whether an address is a URL of PostgreSQL. */
export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//i.test(address);

const HOST_AND_PATH = /^(\[[\da-f:.]+\]|[^:/]*)(:\d+)?(\/[^:]*)?$/i;

/** @returns an address to show to people: what may hold a password is left out. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  // The query may have one too (`password=`, `sslpassword=`). A password may hold an `@` that should have been escaped.
  const [, scheme = '', rest = ''] = /^(\w+:\/\/)([^?]*)/.exec(address) ?? [];
  const at = rest.lastIndexOf('@');
  if (at === -1) return HOST_AND_PATH.test(rest) && !address.includes('@') ? scheme + rest : `${scheme}...`;
  const [user = '', ...password] = rest.slice(0, at).split(':');
  return `${scheme}${user}${password.length > 0 ? ':...' : ''}@${rest.slice(at + 1)}`;
}

/** @returns the addresses of a list, separated by commas. A password may hold one that should have been escaped. */
export const addressesIn = (list: string): readonly string[] => list.split(/,\s*(?=[a-z]+:\/\/)/i);

/** @returns a text as one word of a shell. */
export const shellWord = (text: string): string =>
  /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
