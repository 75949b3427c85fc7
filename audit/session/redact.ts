/**
 * The one way from a text to what people see: its quotes are redacted, then cut, then escaped. What a server says must not show a key, and
 * not pass for a line, a control sequence or a command of a CI.
 */
import { Buffer } from 'node:buffer';
import type { Finding, Outcome } from '../rules/rule.ts';
import { LONG, printable } from '../rules/text.ts';
import type { Quote, Shown, Text } from '../rules/text.ts';

export interface Redaction {
  /** @returns a text as it may be shown. */
  readonly show: (text: Text) => Shown;
  /** Whether a string holds a secret. */
  readonly hides: (text: string) => boolean;
}

/** A secret, and what is shown in its place. */
export type Secret = readonly [secret: string, shown: string];

/** A shorter secret could be any word. */
const MIN_LENGTH = 3;
// In a shorter one, a form that is no longer readable could be any word, too.
const MIN_ENCODED = 8;
// The longest form of a character: percent-encoded, of four bytes.
const MAX_FORM = 12;

/** @param also redacts something else in a quote. */
export function createRedaction(
  secrets: readonly Secret[],
  also: (text: string) => string = (text) => text,
): Redaction {
  // One may have another inside.
  const kept = [...new Map(secrets)]
    .filter(([secret]) => secret.length >= MIN_LENGTH)
    .sort(([a], [b]) => b.length - a.length);
  const forms = kept.map(([secret, shown]) => [new RegExp(patternOf(secret), 'giu'), shown] as const);
  const longest = MAX_FORM * Math.max(1, ...kept.map(([secret]) => secret.length));
  const withoutSecrets = (text: string): string =>
    forms.reduce((rest, [form, shown]) => rest.replace(form, () => shown), text);
  const redacted = (text: string, max: number): string => {
    // A body may be long. Each character that is shown may stand for a whole secret, and what is read may end within one.
    const read = text.slice(0, (max + 2) * longest);
    const hidden = withoutSecrets(read);
    return read.length < text.length ? `${also(hidden.slice(0, -longest))}…` : also(hidden);
  };
  const shownQuote = ({ quoted, max, view }: Quote): string => {
    const text = view(redacted(quoted, max), (shown) => redacted(shown, max));
    if (text.length <= max) return text;
    return `${text.slice(0, max)}…${max >= LONG ? ` (${String(quoted.length)} characters)` : ''}`;
  };
  return {
    show: ({ parts }) =>
      printable(parts.map((part) => (typeof part === 'string' ? part : shownQuote(part))).join('')) as Shown,
    hides: (text) => also(withoutSecrets(text)) !== text,
  };
}

/** @returns an outcome as it may be shown. */
export function showOutcome(outcome: Outcome<Text>, show: Redaction['show']): Outcome {
  if (outcome.outcome === 'passed') return outcome;
  if (outcome.outcome === 'not_checked') return { ...outcome, reason: show(outcome.reason) };
  const [first, ...others] = outcome.findings;
  const shown = ({
    request,
    expected,
    actual,
    difference,
    change,
    sameAs,
    exchanges,
    again,
  }: Finding<Text>): Finding => ({
    ...{ request: show(request), expected: show(expected), actual: show(actual) },
    ...(difference !== undefined && { difference: show(difference) }),
    ...(change !== undefined && { change: show(change) }),
    ...(sameAs !== undefined && { sameAs: show(sameAs) }),
    ...(exchanges !== undefined && { exchanges: exchanges.map(show) }),
    ...(again !== undefined && { again: show(again) }),
  });
  return { outcome: outcome.outcome, findings: [shown(first), ...others.map(shown)] };
}

/** @returns a pattern of a secret: each of its characters plain, percent-encoded, or escaped in JSON or HTML, and all of it in hex or base64. */
function patternOf(secret: string): string {
  const text = secret.toWellFormed();
  const plain = Array.from(text, (character) => `(?:${formsOf(character).map(literal).join('|')})`).join('');
  if (text.length < MIN_ENCODED) return plain;
  return [plain, Buffer.from(text).toString('hex'), ...inBase64(text).map(literal)].join('|');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function formsOf(character: string): readonly string[] {
  const percent = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const code = character.codePointAt(0) ?? 0;
  const all = [
    ...[character, percent, unicode, JSON.stringify(character).slice(1, -1)],
    ...(character === ' ' ? ['+'] : []),
    ...(character === '/' ? ['\\/'] : []),
    ...[
      ENTITIES[character] ?? `#${String(code)}`,
      `#${String(code)}`,
      `#0${String(code)}`,
      `#x${code.toString(16)}`,
    ].map((entity) => `&${entity};`),
  ];
  return [...new Set(all)];
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** @returns the characters of base64 that depend on a text alone, for each of the three places where a group may start. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(first, last));
  });
}
