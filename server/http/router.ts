/** The router: it finds the operation of a path. */
import type { Contract, Operation } from '../../contract/document.ts';

const ID = '{id}';

/** @returns a function that returns the operation of a path, which is literal or ends with one `{id}`; `undefined` for every other path. */
export function createRouter({ operations }: Contract): (path: string) => Operation | undefined {
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
    const operation = literal.get(path);
    if (operation !== undefined) return operation;
    const end = path.lastIndexOf('/') + 1;
    return end < path.length ? byPrefix.get(path.slice(0, end)) : undefined;
  };
}
