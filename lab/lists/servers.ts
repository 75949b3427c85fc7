/** The servers of which `run.ts` audits the lists. */
import { LIBRARIES } from './libraries.ts';
import { PLATFORMS } from './platforms.ts';
import { PRODUCTS } from './products.ts';

export const SERVERS = [...LIBRARIES, ...PRODUCTS, ...PLATFORMS];
