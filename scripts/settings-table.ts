/** The table of settings in `docs/running.md`, generated from the options of `serve`. The rest of the page is written by hand. */
import { readFileSync } from 'node:fs';
import { SETTING_NAMES, flagOf, settingOf } from '../cli/settings.ts';
import { pathOf } from './write-files.ts';

export const SETTINGS_PAGE = 'docs/running.md';
const MARKED = /(?<=<!-- Generated from cli\/settings\.ts [^\n]*-->\n)[^]*(?=<!-- End of the generated table\. -->)/;

/** @returns the page with the current table between its marks. @throws Error if the marks are missing. */
export function settingsPage(): string {
  const page = readFileSync(pathOf(SETTINGS_PAGE), 'utf8');
  if (!MARKED.test(page)) throw new Error(`${SETTINGS_PAGE} has no marks around its table of settings.`);
  const rows = SETTING_NAMES.map((name) => {
    const { description, default: text } = settingOf(name);
    return `| \`${flagOf(name)}\` | ${text === undefined ? '-' : `\`${text}\``} | ${description} |`;
  });
  return page.replace(MARKED, () =>
    ['', '| Flag | Default | Description |', '|---|---|---|', ...rows, '', ''].join('\n'),
  );
}
