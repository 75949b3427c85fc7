/** How the objects of the kit look when they are printed: with their values, without their methods. */

/** The key that Node.js looks for when it prints an object. Other runtimes ignore it. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** @returns the object, whose getters print as their values, not as `[Getter]`, and whose methods are left out. */
export function inspected<T extends object>(value: T): T {
  const plain = (): object =>
    Object.fromEntries(Object.entries(value).filter(([, property]) => typeof property !== 'function'));
  // It must not be copied with the properties, and must not count where objects are compared.
  return Object.defineProperty(value, INSPECT, { value: plain, enumerable: false });
}
