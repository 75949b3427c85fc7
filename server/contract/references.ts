/** References within a document. By hand, because the library for it reads files and URLs, and takes longer than a start may. */

type Node = Readonly<Record<string, unknown>>;

/**
 * Puts what is referred to in the place of each reference, in place: all references to one schema become one object.
 * @returns the document.
 * @throws Error if there is nothing at a reference, such as one to another file.
 */
export function dereference(document: object): object {
  const done = new Set<object>();
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return resolve(target(document, String(node.$ref)));
    if (done.has(node)) return node;
    done.add(node);
    for (const [name, value] of Object.entries(node)) Object.assign(node, { [name]: resolve(value) });
    return node;
  };
  resolve(document);
  return document;
}

/** @param reference such as `#/components/schemas/Id`. */
function target(document: object, reference: string): unknown {
  const [root, ...names] = reference.split('/');
  const found = names.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document); // Anything has no such property.
  if (root !== '#' || found === undefined) throw new Error(`The contract has nothing at ${reference}.`);
  return found;
}
