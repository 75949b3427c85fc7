/** Which operation a request is for, before anything has looked at it. */
import type { Contract } from '../contract/document.ts';
import type { OperationId } from '../contract/types.ts';
import type { Intercept } from '../http/application.ts';
import { normalizeTarget } from '../http/request-normalization.ts';

type Request = Parameters<Intercept>[0];

/** @returns the path of a request, in the form that is routed, and its query without the `?`. */
export function targetOf({ url = '/' }: Request): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = normalizeTarget(url).split(/\?(.*)/s, 2);
  return { path, query };
}

/** @returns what finds the operation of a request; `undefined` for one that is none's. */
export function operationsOf({ operations }: Contract): (req: Request) => OperationId | undefined {
  const paths = operations.map(({ id, path }) => ({
    id,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (req) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const target = targetOf(req).path;
    return paths.find(({ path }) => path.test(target))?.id;
  };
}
