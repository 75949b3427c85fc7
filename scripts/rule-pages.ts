/**
 * Writes `docs/*-rules.md`, what each rule of `audit` and `examine` requires, and the table of settings in `docs/running.md`. After
 * `generate.ts`, because rules read what that writes.
 */
import { RULES } from '../audit/lists/audit.ts';
import { MUST } from '../audit/fake/scenario.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { SETTINGS_PAGE, settingsPage } from './settings-table.ts';
import { formatted, writeFiles } from './write-files.ts';

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

writeFiles({
  'docs/audit-rules.md': await formatted(auditRules(), 'markdown'),
  [SETTINGS_PAGE]: await formatted(settingsPage(), 'markdown'),
  'docs/examine-rules.md': await formatted(examineRules(), 'markdown'),
});
