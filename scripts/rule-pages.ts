/**
 * Writes `docs/*-rules.md`: what each rule of `audit`, `conform` and `examine` wants, why, and what to change; and the table of settings
 * in `docs/running.md`. After `generate.ts`, because rules read what that writes.
 */
import { RULES } from '../audit/lists/audit.ts';
import { allRules } from '../audit/conform/rules.ts';
import { loadContract } from '../contract/document.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { SETTINGS_PAGE, settingsPage } from './settings-table.ts';
import { formatted, writeFiles } from './write-files.ts';

const headOf = (source: string, command: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->\n\n# Rules of \`rollcall ${command}\`\n`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns `docs/audit-rules.md`. */
function auditRules(): string {
  const head = `${headOf('audit/lists', 'audit')}
[\`audit\`](audit.md) tests any list. Without a declaration, only what nobody can want is a failure: an item that is lost or doubled, a list without an
end, a 5xx, an invalid cursor that silently starts over or ends the list, and a link that gives the key away. Everything else is a note. A rule is not checked
if the list has nothing to check, a rule that it depends on has failed, or the requests are used up. What a [profile](audit.md#profile) declares is
checked too: those rules say what switches them on.
`;
  const sections = RULES.map(({ id, title, on, why, change, notes, dependsOn = [] }) => {
    const needs =
      dependsOn.length === 0
        ? ''
        : `\n\nIt depends on ${dependsOn.map((rule) => `[${rule}](#${rule.replace('.', '')})`).join(' and ')}.`;
    const switched = on === undefined ? '' : `\n\nIt is checked with ${on.by}.`;
    return `## ${id}\n\n${capital(title)}.${switched}\n\n- **Why it matters**: ${why}\n- **What to change**: ${change}${notes === undefined ? '' : `\n- **Notes**: ${notes}`}${needs}\n`;
  });
  return [head, ...sections].join('\n');
}

/** @returns `docs/conform-rules.md`. */
function conformRules(): string {
  const head = `${headOf('audit/conform', 'conform')}
In the order in which [\`conform\`](conform.md) checks them for each operation, each with what to change where it fails. The rules in the
\`response\` and \`header\` areas, \`record.constraints\`, \`http.kept_request_id\` and \`http.unique_request_id\` check every response of a run.
`;
  const items = [...allRules(loadContract()).values()].map(
    ({ id, title, change }) => `- <a id="${id}"></a>\`${id}\`: ${title}\n  - ${change}`,
  );
  return `${head}\n${items.join('\n')}\n`;
}

/** @returns `docs/examine-rules.md`. */
function examineRules(): string {
  const head = `${headOf('audit/fake/scenarios', 'examine')}
In the order of the report of [\`examine\`](examine.md). Each is also a scenario of [\`fake\`](fake.md).

| Rule | The server | The client must | may | must not |
|---|---|---|---|---|`;
  const rows = SCENARIOS.map(({ name, server, client: { must = '', may = '', mustNot = '' } }) =>
    ['', `\`${name}\``, ...[server, must, may, mustNot].map((text) => text.replaceAll('|', '\\|')), '']
      .join(' | ')
      .trim(),
  );
  return `${[head, ...rows].join('\n')}\n`;
}

writeFiles({
  'docs/audit-rules.md': await formatted(auditRules(), 'markdown'),
  'docs/conform-rules.md': await formatted(conformRules(), 'markdown'),
  [SETTINGS_PAGE]: await formatted(settingsPage(), 'markdown'),
  'docs/examine-rules.md': await formatted(examineRules(), 'markdown'),
});
