/** A command that requests other paths than that of the list: usually its SDK appends a path to the base, or lacks one. */
import { LONG, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';

/** The path of the list, what `--base-path` has put before it, and the paths that were requested in vain. */
export interface OtherPaths {
  readonly list: string;
  readonly basePath: string;
  readonly requested: readonly string[];
}

/** @returns which path was requested, which one the list has, and what to do; `undefined` if no path is like that of the list. */
export function adviceFor({ list, basePath, requested }: OtherPaths): Text | undefined {
  for (const path of requested) {
    const what = actionFor(list, basePath, path);
    if (what !== undefined)
      return say`It requested ${quote(path, LONG)}, but the list is at ${quote(list, LONG)}: ${what}`;
  }
  return undefined;
}

function actionFor(list: string, basePath: string, path: string): Text | undefined {
  const own = list.slice(basePath.length);
  const { prefix, listPrefix } = differenceOf(path, list);
  if (path.startsWith(`${list}/`) && path.length > list.length + 1 && prefix !== basePath + basePath)
    return say`ROLLCALL_URL is the list itself. Give the client ROLLCALL_BASE_URL.`;
  if (path === list || (prefix === '' && listPrefix === '')) return undefined;
  if (path.endsWith(own)) return beforeList(path.slice(0, path.length - own.length), basePath);
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
  if (below !== undefined && own.endsWith(below))
    return say`append the path to the base: ${quote(`"$ROLLCALL_BASE_URL${own.slice(0, own.length - below.length)}"`, LONG)}.`;
  return say`let the client request the list at ROLLCALL_URL.`;
}

/** @param path what stands before the list's own path, in place of the base path. */
function beforeList(path: string, basePath: string): Text {
  if (path === '')
    return say`leave out --base-path, or give the client ROLLCALL_BASE_URL, which ends with ${quote(basePath, LONG)}.`;
  if (!path.startsWith(basePath))
    return say`replace --base-path ${quote(basePath, LONG)} by --base-path ${quote(path, LONG)}.`;
  const appended = path.slice(basePath.length);
  const without = quote(`"\${ROLLCALL_BASE_URL%${appended}}"`, LONG);
  if (appended === basePath)
    return say`the client appends ${quote(appended, LONG)} itself. Give it ROLLCALL_BASE_URL without that path: ${without}.`;
  const which = basePath === '' ? say`that path` : quote(appended, LONG);
  return say`add --base-path ${quote(path, LONG)}, and give the client ROLLCALL_BASE_URL without ${which}: ${without}.`;
}

/** @returns what stands before the last segments that two paths share; nothing before either if they share none. */
function differenceOf(path: string, list: string): { readonly prefix: string; readonly listPrefix: string } {
  const [one, other] = [path.split('/'), list.split('/')];
  let shared = 0;
  while (shared < Math.min(one.length, other.length) - 1 && one.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  if (shared === 0 || one.at(-1) === '') return { prefix: '', listPrefix: '' };
  return { prefix: one.slice(0, -shared).join('/'), listPrefix: other.slice(0, -shared).join('/') };
}
