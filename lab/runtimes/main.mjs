/** For runtimes that have a process: the address and the key come from the environment. */
import process from 'node:process';
import { tryClient } from './program.mjs';

const { ROLLCALL_BASE_URL: baseUrl, ROLLCALL_API_KEY: apiKey } = process.env;
// The client finds them itself.
const fromEnvironment = await tryClient({});
const given = await tryClient({ baseUrl, apiKey });
console.log(JSON.stringify({ ...given, fromEnvironment: JSON.stringify(given) === JSON.stringify(fromEnvironment) }));
