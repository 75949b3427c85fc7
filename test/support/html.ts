/** What HTML of our own serializers says, without a browser. */

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** @returns the text that is shown. */
export const textOf = (html: string): string => decoded(html.replaceAll(/<[^>]*>/g, ''));

/** @returns the values of an attribute, in order. */
export const valuesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map((it) => decoded(it[1] ?? ''));

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9A-F]+)|#(\d+)|(\w+));/gi, (entity, hex?: string, decimal?: string, name = '') => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return Number.isNaN(code) ? (ENTITIES[String(name)] ?? entity) : String.fromCodePoint(code);
  });
