/** Lines of the width of a terminal. */
export const COLUMNS = 100;

/** @returns a text in lines of the width of a terminal. A longer word is not cut. @param after what later lines begin with. */
export function wrapped(text: string, before = '', after = `${before}  `): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(before + word);
    else if (line.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(after + word);
  }
  return lines;
}
