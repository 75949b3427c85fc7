/** Shapes of public list APIs, from their documentation. */
import { IDS } from './ids.ts';
import { LINKS } from './links.ts';
import type { Shape } from './server.ts';

export const SHAPES: readonly Shape[] = [...LINKS, ...IDS];
