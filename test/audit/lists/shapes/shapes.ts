/** Shapes of public list APIs, from their documentation. */
import { IDS } from './ids.ts';
import { LINKS } from './links.ts';
import { NUMBERS } from './numbers.ts';
import type { Shape } from './server.ts';
import { TOKENS } from './tokens.ts';
import { URLS } from './urls.ts';

export interface Named {
  readonly name: string;
  readonly shape: Shape;
}
export const SHAPES: readonly Named[] = [LINKS, URLS, TOKENS, IDS, NUMBERS].flatMap((family) =>
  Object.entries(family).map(([name, shape]) => ({ name, shape })),
);
