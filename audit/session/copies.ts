/** How a secret looks where something echoes it. */
import { Buffer } from 'node:buffer';

/** @returns a secret and its usual encodings: percent-encoded, escaped in JSON, hexadecimal, and as a part of any text in base64. */
export function copiesOf(secret: string): readonly string[] {
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
