/**
 * JSON with line breaks. Its values stay as they were written: parsed, a number could become another.
 * @param {string} text
 * @returns {string} the text as it is if it is no JSON.
 */
export function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)]
    .map(([part]) => {
      if (part === '{' || part === '[') {
        depth += 1;
        return part + line();
      }
      if (part === '}' || part === ']') {
        depth -= 1;
        return line() + part;
      }
      if (part === ',') return part + line();
      return part === ':' ? ': ' : part;
    })
    .join('');
}
