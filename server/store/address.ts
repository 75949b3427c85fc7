/** Addresses of databases: file paths and PostgreSQL URLs. */

/** @returns whether an address is a PostgreSQL URL. */
export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//i.test(address);

/**
 * @returns whether an address may be the path of a file. Anything that looks like a connection to a server is none, such
 *   as a URL with a blank or a quote before it: messages show the paths of files, and it may contain a password. A path
 *   that begins with a slash or a dot and a slash is one, whatever follows.
 */
export const isFilePath = (address: string): boolean =>
  /^(?:\.{1,2}\/|\/(?!\/))/.test(address) || !/:\/\/|^\W*postgres(ql)?:|\bpassword\s*=|:[^/\\]*@/i.test(address);

const HOST_AND_PATH = /^(\[[\da-f:.]+\]|[^:/]*)(:\d+)?(\/[^:]*)?$/i;

/** @returns an address for display, without the parts that may hold a password. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return isFilePath(address) ? address : '...';
  // The query may hold a password too (`password=`, `sslpassword=`). The last `@` ends the password, because a password
  // may hold an `@` that should have been escaped.
  const [, scheme = '', rest = ''] = /^(\w+:\/\/)([^?]*)/.exec(address) ?? [];
  const atSign = rest.lastIndexOf('@');
  if (atSign === -1) return HOST_AND_PATH.test(rest) && !address.includes('@') ? scheme + rest : `${scheme}...`;
  const [user = '', ...password] = rest.slice(0, atSign).split(':');
  return `${scheme}${user}${password.length > 0 ? ':...' : ''}@${rest.slice(atSign + 1)}`;
}

/**
 * @returns the name of the database in a PostgreSQL URL; `undefined` if it has none, or one that is not percent-encoded
 *   correctly.
 */
export function databaseIn(address: string): string | undefined {
  const [, name = ''] = /^\w+:\/\/[^/?#]*\/([^?#]*)/.exec(address) ?? [];
  try {
    return name === '' ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * @returns the addresses in a comma-separated list. Only a comma before a URL scheme separates addresses, because a
 *   password may hold a comma that should have been escaped.
 */
export const addressesIn = (list: string): readonly string[] => list.split(/,\s*(?=[a-z]+:\/\/)/i);

/** @returns a text as one shell word, quoted if necessary. */
export const shellWord = (text: string): string =>
  /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
