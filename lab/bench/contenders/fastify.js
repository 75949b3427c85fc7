/** Fastify by hand: what somebody who knows it would write for these two operations, over Rollcall's own table. */
import { hash, randomUUID } from 'node:crypto';
import { accountOf, readPage, readRecord } from './database.ts';
import { fastify } from 'fastify';
import { announce } from './setting.ts';

const uuid = { type: 'string', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' };
const listSchema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    not: { required: ['after', 'before'] },
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      after: uuid,
      before: uuid,
      status: { type: 'string', enum: ['queued', 'in_progress', 'completed', 'failed'] },
    },
  },
};
const lookupSchema = {
  params: { type: 'object', properties: { id: uuid } },
  querystring: { type: 'object', additionalProperties: false },
};

// Callbacks, not promises: the faster of its two ways.
const app = fastify({ genReqId: () => randomUUID(), ajv: { customOptions: { removeAdditional: false } } });
app.decorateRequest('account', 0);
app.addHook('onRequest', (request, reply, done) => {
  const account = accountOf(request.headers.authorization);
  if (account === undefined) {
    reply.code(401).send({ statusCode: 401, name: 'invalid_api_key', message: 'Send a live key.' });
    return;
  }
  request.account = account;
  done();
});

function answer(request, reply, body) {
  if (body === undefined) {
    reply.code(404).send({ statusCode: 404, name: 'not_found', message: 'There is no such import.' });
    return;
  }
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  reply.headers({
    'X-Request-Id': request.id,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) reply.code(304).send();
  else reply.header('Content-Type', 'application/json').send(body); // A string: faster than a buffer, see bare.ts.
}
app.get('/contacts/imports', { schema: listSchema }, (request, reply) => {
  answer(request, reply, readPage(request.account, request.query));
});
app.get('/contacts/imports/:id', { schema: lookupSchema }, (request, reply) => {
  answer(request, reply, readRecord(request.account, request.params.id));
});

announce(app.server);
await app.listen({ port: 0, host: '127.0.0.1' });
