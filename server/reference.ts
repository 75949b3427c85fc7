/** What the server says of itself to anybody: the contract. These paths are the server's own, not operations of it. */
import type { IRouter, RequestHandler } from 'express';
import { tagOf } from './answer.ts';
import { asPlainGet } from './edge.ts';
import { routeGet } from './methods.ts';
import type { Spec } from './spec.ts';

// A new version of the server is seen within minutes; asked again, what has not changed is a 304.
const CACHE_CONTROL = 'public, max-age=300';

/** Adds the paths. Nothing of them is made before it is asked for. */
export function addReference(app: IRouter, spec: Spec): void {
  routeGet(
    app,
    spec,
    '/openapi.yaml',
    asPlainGet,
    answer('application/yaml', () => spec.text),
  ); // RFC 9512
  routeGet(
    app,
    spec,
    '/openapi.json',
    asPlainGet,
    answer('application/json', () => JSON.stringify(spec.document)),
  );
}

function answer(type: string, make: () => string | Promise<string>): RequestHandler {
  let made: { readonly body: string; readonly tag: string } | undefined;
  return async (_req, res) => {
    if (made === undefined) {
      const body = await make();
      made = { body, tag: tagOf(body) };
    }
    res.set({ ETag: made.tag, 'Cache-Control': CACHE_CONTROL }).type(type).send(made.body);
  };
}
