/** Which lines of an output a CI would take for commands. */

/** Our own annotations, which `--github` prints. */
const ANNOTATION = /^::error title=[^:,]+::rollcall \w+: [\w.-]+(, [\w.-]+)*(%0A|$)/;

/** @returns the lines that GitHub, Azure or what is made like them takes for commands, but for our own annotations. */
export const commandsIn = (text: string): readonly string[] =>
  text.split(/[\r\n]/).filter((it) => /##\w*\[/.test(it) || (/^\s*::/.test(it) && !ANNOTATION.test(it)));
