/**
 * Writes `docs/*-rules.md`, what each rule of `audit` and `examine` requires, and the table of settings in `docs/running.md`. After
 * `generate.ts`, because rules read what that writes.
 */
import { readFileSync } from 'node:fs';
import { SETTING_NAMES, flagOf, settingOf } from '../cli/settings.ts';
import { RULES } from '../audit/lists/audit.ts';
import { MUST } from '../audit/fake/scenario.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { formatted, pathOf, writeFiles } from './write-files.ts';

const headOf = (source: string, command: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->\n\n# Rules of \`rollcall ${command}\`\n`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** @returns `docs/audit-rules.md`. */
function auditRules(): string {
  const head = `${headOf('audit/lists', 'audit')}
Open this page for what each rule of [\`audit\`](audit.md) requires; a finding says why it matters, and what to change. If "Checked with"
is not empty, the rule is checked only with that [promise](audit.md#promises) or option. Everything that is not described as a note is a failure. A rule is
not checked if the list has nothing to check, a rule that it depends on has failed, or no requests are left.

| Rule | Requires | Checked with | Notes |
|---|---|---|---|`;
  const rows = RULES.map(({ id, title, on, notes = '' }) => row([`\`${id}\``, title, on?.by ?? '', notes]));
  return `${[head, ...rows].join('\n')}\n`;
}

/** @returns `docs/examine-rules.md`. */
function examineRules(): string {
  const head = `${headOf('audit/fake/scenarios', 'examine')}
Open this page for what the server does in each scenario of [\`examine\`](examine.md) and \`fake\`, and what is expected of the client:

- \`all\`: it must ${MUST.all}, and exit with 0. \`all-or-error\`: that, or exit with another code. \`all-or-prefix\`: it may stop early, but skips no item.
- \`error\`: it must exit with a code other than 0. \`any\`: nothing is a failure; missing items are a note.

| Rule | The server | Client | Details |
|---|---|---|---|`;
  const rows = SCENARIOS.map(({ name, server, expect, client = '' }) => row([`\`${name}\``, server, expect, client]));
  return `${[head, ...rows].join('\n')}\n`;
}

/** The table of settings, between marks: the rest of the page is written by hand. */
const SETTINGS_PAGE = 'docs/running.md';
const MARKED = /(?<=<!-- Generated from cli\/settings\.ts [^\n]*-->\n)[^]*(?=<!-- End of the generated table\. -->)/;

/** @returns the page with the current table between its marks. @throws Error if the marks are missing. */
function settingsPage(): string {
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

writeFiles({
  'docs/audit-rules.md': await formatted(auditRules(), 'markdown'),
  [SETTINGS_PAGE]: await formatted(settingsPage(), 'markdown'),
  'docs/examine-rules.md': await formatted(examineRules(), 'markdown'),
});
