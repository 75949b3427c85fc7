/** What is secret in a text, hidden in each of its forms, and the text cut to a readable length. */
import { Buffer } from 'node:buffer';
import type { Finding, Outcome } from '../rules/rule.ts';

export type Redact = (text: string) => string;

const MAX_LENGTH = 300;

/** @param secrets texts, each with what is shown in place of its copies; the longest first where one has another inside. */
export function createRedaction(secrets: readonly (readonly [secret: string, shown: string])[]): Redact {
  const forms = secrets.flatMap(([secret, shown]) =>
    copiesOf(secret).map((form) => [new RegExp(form.replaceAll(/[^\w ]/g, '\\$&'), 'gi'), shown] as const),
  );
  return (text) => {
    const hidden = forms.reduce((rest, [form, shown]) => rest.replaceAll(form, () => shown), text);
    return hidden.length > MAX_LENGTH
      ? `${hidden.slice(0, MAX_LENGTH)}… (${String(hidden.length)} characters)`
      : hidden;
  };
}

/** @returns an outcome with every text of it redacted. */
export function redactOutcome(outcome: Outcome, redact: Redact): Outcome {
  if (outcome.outcome === 'passed') return outcome;
  if (outcome.outcome === 'not_checked') return { ...outcome, reason: redact(outcome.reason) };
  const [first, ...others] = outcome.findings;
  const hide = ({ request, expected, actual, difference, change, sameAs }: Finding): Finding => ({
    ...{ request: redact(request), expected: redact(expected), actual: redact(actual) },
    ...(difference !== undefined && { difference: redact(difference) }),
    ...(change !== undefined && { change }),
    ...(sameAs !== undefined && { sameAs: redact(sameAs) }),
  });
  return { outcome: outcome.outcome, findings: [hide(first), ...others.map(hide)] };
}

/** @returns a secret and its usual encodings: percent-encoded, escaped in JSON, hexadecimal, and as a part of any text in base64. */
function copiesOf(secret: string): readonly string[] {
  const text = secret.toWellFormed();
  return [
    ...[secret, encodeURIComponent(text), JSON.stringify(secret).slice(1, -1)],
    ...[Buffer.from(text).toString('hex'), ...inBase64(text)],
  ];
}

/** @returns the characters of base64 that depend on a text alone, for each of the three places where a group may start. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((it) => bytes.toString(it).slice(first, last));
  });
}
