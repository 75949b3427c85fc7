/** Names every request, so that its caller and the server's log speak of the same one. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Contract } from '../contract/document.ts';
import { REQUEST_ID } from './headers.ts';

/** @returns what sets `X-Request-Id`: as the caller does, if that fits the header's schema, or anew. */
export function identifyRequest({ headers }: Contract): RequestHandler {
  const { pattern = '', maxLength = 0 } = headers.RequestId.schema;
  const allowed = new RegExp(pattern);
  return (req, res, next) => {
    const given = req.get(REQUEST_ID) ?? '';
    res.setHeader(REQUEST_ID, allowed.test(given) && given.length <= maxLength ? given : randomUUID());
    next();
  };
}
