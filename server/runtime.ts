/** Which Node Rollcall needs. Nothing is imported here that an older one lacks: this is what refuses it. */
import { createRequire } from 'node:module';
import process from 'node:process';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}
const { version, engines } = createRequire(import.meta.url)('#package') as Manifest; // It is our own.

/** Of Rollcall. */
export { version };

/** @returns why this Node cannot run Rollcall; `undefined` if it can. */
export function nodeRefusal(): string | undefined {
  const needed = engines.node.replace('>=', '');
  const isOlder = process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0;
  return isOlder ? `rollcall needs Node ${needed} or newer; this is ${process.versions.node}.` : undefined;
}
