/** Shapes of public list APIs, from their documentation. */
import { IDS } from './ids.ts';
import { LINKS } from './links.ts';
import { NUMBERS } from './numbers.ts';
import type { Shape } from './server.ts';
import { TOKENS } from './tokens.ts';
import { URLS } from './urls.ts';

export const SHAPES: readonly Shape[] = [...LINKS, ...URLS, ...TOKENS, ...IDS, ...NUMBERS];
