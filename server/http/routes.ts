/** Which operation a path is of: by its literal segments, or one `{id}`. */
import type { Contract, Operation } from '../contract/document.ts';

const ID = '{id}';

/** @returns what finds the operation of a path, as the target has it; `undefined` for what is no operation's. */
export function createRoutes({ operations }: Contract): (path: string) => Operation | undefined {
  const literal = new Map<string, Operation>();
  const byPrefix = new Map<string, Operation>();
  for (const operation of operations) {
    const { path, id } = operation;
    if (!path.includes('{')) literal.set(path, operation);
    else if (path.endsWith(`/${ID}`) && !path.slice(0, -ID.length).includes('{'))
      byPrefix.set(path.slice(0, -ID.length), operation);
    else throw new Error(`The path of ${id} is neither literal nor ends with the one parameter ${ID}: ${path}`);
  }
  return (path) => {
    const found = literal.get(path);
    if (found !== undefined) return found;
    const end = path.lastIndexOf('/') + 1;
    return end < path.length ? byPrefix.get(path.slice(0, end)) : undefined;
  };
}
