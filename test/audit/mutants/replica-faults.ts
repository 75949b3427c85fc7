/** Faults of two replicas behind one address, of CDNs, and of proxies such as nginx. */
import { gzipSync } from 'node:zlib';
import { accountOf, replica, toNotModified } from './edits.ts';
import { AUTOMATIONS, inReply, mutantsOf, on } from './mutant.ts';
import { targetOf } from './mutant.ts';
import type { InterceptedRequest, Reply } from './proxy.ts';

const isOdd = (_request: unknown, count: number): boolean => count % 2 === 1;
const compress = (reply: Reply): void => {
  reply.bytes = gzipSync(reply.body);
  reply.headers['content-encoding'] = 'gzip';
};
const isFull = (reply: Reply, { method }: InterceptedRequest): boolean => reply.status === 200 && method !== 'HEAD';

export const REPLICA_FAULTS = mutantsOf({
  'http.modified': {
    'a CDN stores a 304 for those who hold nothing': (() => {
      const stored = new Set<string>();
      return inReply((reply, it, context) => {
        const name = `${targetOf(it)} ${String(accountOf(it, context))} ${it.method}`;
        if (reply.status === 304) stored.add(name);
        else if (reply.status === 200 && stored.delete(name)) toNotModified(reply);
      });
    })(),
  },
  'http.compression': {
    'bodies are compressed without being asked': inReply((reply, it) => {
      if (isFull(reply, it)) compress(reply);
    }),
    'long pages are compressed without being asked': inReply((reply, it) => {
      if (isFull(reply, it) && reply.body.length > 4096) compress(reply);
    }),
    'gzip;q=0 is compressed': inReply((reply, it) => {
      if (isFull(reply, it) && /gzip;\s*q=0(?:\.0*)?(?![.\d])/.test(it.headers['accept-encoding'] ?? ''))
        compress(reply);
    }),
    'identity is compressed': inReply((reply, it) => {
      if (isFull(reply, it) && it.headers['accept-encoding']?.startsWith('identity') === true) compress(reply);
    }),
    'errors are compressed without being asked': inReply((reply, { method }) => {
      if (reply.status === 422 && method === 'GET') compress(reply);
    }),
  },
  'http.unique_request_id': {
    'a CDN stores the X-Request-Id of a page': (() => {
      const known = new Map<string, string>();
      return on(200, (reply, it, context) => {
        if ('x-request-id' in it.headers) return;
        const name = `${targetOf(it)} ${String(accountOf(it, context))}`;
        reply.headers['x-request-id'] = known.get(name) ?? reply.headers['x-request-id'] ?? '';
        known.set(name, reply.headers['x-request-id']);
      });
    })(),
  },
  'list.after': {
    'a replica has other statuses of automations': replica(
      (items, path) =>
        items.map((it, at) => (path === AUTOMATIONS && at % 5 === 0 ? { ...it, status: 'enabled' } : it)),
      isOdd,
    ),
  },
});
