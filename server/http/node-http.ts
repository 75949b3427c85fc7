/** What is used of `node:http`. Imported by name, it would load the whole client of `fetch` for one of its other names: 30 ms. */
import process from 'node:process';

export const { STATUS_CODES, createServer, get } = process.getBuiltinModule('node:http');
