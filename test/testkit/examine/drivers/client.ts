/** The driver of our own client. */
import process from 'node:process';
import { createClient } from '../../../../client/index.ts';
import { doTask } from '../own-client.ts';

process.exitCode = await doTask(createClient(), process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
