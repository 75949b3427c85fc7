/** What is said in tests, where nothing is secret. */
import { Said } from '../../audit/rules/text.ts';
import type { Shown } from '../../audit/rules/text.ts';
import { createRedaction } from '../../audit/session/redact.ts';

export const { show } = createRedaction([]);

/** @returns what an error says. */
export const said = (error: unknown): string =>
  error instanceof Said ? show(error.text) : `nothing: ${String(error)}`;

/** @returns a string as one that may be shown. */
export const shown = (text: string): Shown => text as Shown; // A test says what is shown.
