/** Parse Server, at /parse: `node parse.js PORT`. Anybody may add and read rows. */
import process from 'node:process';
import express from 'express';
import { ParseServer } from 'parse-server';

const port = Number(process.argv[2]);
const server = new ParseServer({
  databaseURI: process.env.DATABASE,
  appId: 'lab',
  masterKey: 'a-key-of-the-lab',
  serverURL: `http://127.0.0.1:${String(port)}/parse`,
  allowClientClassCreation: true,
  silent: true,
});
await server.start();
express().use('/parse', server.app).listen(port, '127.0.0.1');
