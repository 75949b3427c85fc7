/**
 * Writes `docs/*-rules.md`: what each rule of `audit`, `conform` and `examine` requires, why, and what to change. After `generate.ts`, because
 * rules read what that writes.
 */
import { RULES } from '../audit/lists/audit.ts';
import { allRules } from '../audit/conform/rules.ts';
import { loadContract } from '../contract/document.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { formatted, writeFiles } from './write-files.ts';

const headOf = (source: string, command: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->\n\n# Rules of \`rollcall ${command}\`\n`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns `docs/audit-rules.md`. */
function auditRules(): string {
  const head = `${headOf('audit/lists', 'audit')}
[\`audit\`](audit.md) checks any list. A failure is a fault that breaks clients: a missing or repeated item, a list without an end, a 5xx, an
invalid cursor that silently starts over or ends the list, and a link that contains the key. A note may be intended. A rule is not checked if
it does not apply to the list, if another failure blocks it, or if the requests are used up. The promises of a [profile](audit.md#profile) are
checked too: those rules say what switches them on.
`;
  const sections = RULES.map(({ id, title, on, why, change, notes, dependsOn = [] }) => {
    const needs =
      dependsOn.length === 0
        ? ''
        : `\n\nIt is blocked by a failure of ${dependsOn.map((rule) => `[${rule}](#${rule.replace('.', '')})`).join(' or ')}.`;
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
  'docs/examine-rules.md': await formatted(examineRules(), 'markdown'),
});
