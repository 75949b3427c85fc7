/** Whether a text is well-formed XML, as far as reports need it: elements, attributes, text and a declaration. */

const NAME = String.raw`[A-Za-z_][\w.-]*`;
const ENTITY = String.raw`&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);`;
const TAG = new RegExp(`^<(/?)(${NAME})((?:\\s+${NAME}="(?:[^<&"]|${ENTITY})*")*)\\s*(/?)>`);
const TEXT = new RegExp(`^(?:[^<&]|${ENTITY})+`);
/** What XML 1.0 forbids, even as a reference. */
const FORBIDDEN =
  /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/iu;

/** @returns what is wrong with it; `undefined` if nothing is. */
export function xmlFaultOf(xml: string): string | undefined {
  const forbidden = FORBIDDEN.exec(xml);
  if (forbidden !== null) return `a character that XML forbids: ${JSON.stringify(forbidden[0])}`;
  let rest = xml.replace(/^<\?xml version="1\.0"[^>]*\?>\s*/, '');
  const open: string[] = [];
  let roots = 0;
  while (rest !== '') {
    const tag = TAG.exec(rest);
    const part = tag?.[0] ?? TEXT.exec(rest)?.[0];
    if (part === undefined || (tag === null && open.length === 0 && part.trim() !== '')) return rest.slice(0, 100);
    if (tag !== null) {
      const [, isEnd, name = '', , isEmpty] = tag;
      if (isEnd === '/' && open.pop() !== name) return `</${name}> ends nothing`;
      if (isEnd === '' && open.length === 0) roots += 1;
      if (isEnd === '' && isEmpty === '') open.push(name);
      const names = [...(tag[3] ?? '').matchAll(new RegExp(`(${NAME})="`, 'g'))].map((it) => it[1]);
      if (new Set(names).size < names.length) return `an attribute of <${name}> comes twice`;
    }
    rest = rest.slice(part.length);
  }
  if (open.length > 0) return `<${String(open.at(-1))}> has no end`;
  return roots === 1 ? undefined : `${String(roots)} roots`;
}
