/** What the server of the matrix holds, and what a generated client has to find there. */
import { automation, contactImport, contactProperty } from '../../testkit/index.ts';
import { series } from '../../test/support/series.ts';

const STATUSES = ['queued', 'in_progress', 'completed', 'failed'] as const;
// Any text is allowed: empty, blank to some regular expression engines only, outside the basic plane.
const TEXTS = ['Welcome series', '', ' ', '\u0085', '\u2028', '\ufeff', '😀'] as const;
/** Every form there is. */
const FALLBACK_VALUES: readonly (string | number | null)[] = ['friend', 7, null, 12.5, '', -3, '7', -0.25];

const textAt = (at: number): string => TEXTS[at % TEXTS.length] ?? '';

const automations = series(250, automation).map((it, at) => {
  const status = at % 3 === 0 ? ('disabled' as const) : ('enabled' as const);
  return { ...it, name: textAt(at), status };
});
const contactProperties = series(16, contactProperty).map((it, at) => {
  const fallback_value = FALLBACK_VALUES[at % FALLBACK_VALUES.length] ?? null;
  const known = typeof fallback_value === 'number' ? 'number' : 'string';
  return { ...it, key: textAt(at), type: at < 8 ? known : textAt(at), fallback_value };
});
const contactImports = series(30, contactImport).map((it, at) => {
  const status = STATUSES[at % STATUSES.length] ?? 'queued';
  const ended = status === 'completed' || status === 'failed';
  const begun = { total: 100 + at, created: 50 + at, updated: 20, skipped: 10, failed: 5 };
  const counts = status === 'queued' ? { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 } : begun;
  return { ...it, status, completed_at: ended ? it.completed_at : null, counts };
});
/** One that has not ended, so that its `completed_at` is null. */
const lookedUp = contactImports.find(({ status }) => status === 'in_progress');

export const records = { automations, contactProperties, contactImports };

/** What a row has to read. */
export const expected = {
  firstAutomationId: automations[0]?.id ?? '',
  importId: lookedUp?.id ?? '',
  importCreated: lookedUp?.counts.created ?? NaN,
  fallbackValues: contactProperties.map((property) => property.fallback_value),
};
