/**
 * Writes `docs/*-rules.md`, what each rule of `audit` and `examine` requires, and the list of settings in `docs/running.md`. After
 * `generate.ts`, because rules read what that writes.
 */
import { readFileSync } from 'node:fs';
import { SETTING_NAMES, flagOf, settingOf } from '../cli/settings.ts';
import { RULES } from '../audit/lists/audit.ts';
import type { Rule } from '../audit/lists/list-rule.ts';
import { MUST } from '../audit/fake/scenario.ts';
import type { Must } from '../audit/fake/scenario.ts';
import { SCENARIOS } from '../audit/fake/scenarios.ts';
import { formatted, pathOf, wrapped, writeFiles } from './write-files.ts';

const headOf = (source: string, command: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->\n\n# Rules of \`rollcall ${command}\`\n`;

/** @returns `docs/audit-rules.md`. */
function auditRules(): string {
  const item = ({ id, title, on, notes }: Rule): string =>
    `- \`${id}\`${on === undefined ? '' : ` (${on.by})`}: ${title}.${notes === undefined ? '' : ` ${notes}`}`;
  return `${headOf('audit/lists', 'audit')}
Open this page for what each rule of [\`audit\`](audit.md) requires, and what is only a note; all else is a failure. A finding says why it
matters, and what to change; the report says why a rule was not checked. An item counts as missing only if it was seen before and after.

## Every list

${RULES.filter(({ on }) => on === undefined)
  .map(item)
  .join('\n')}

## With a promise or option

These are checked only with the [promise](audit.md#promises) or option in parentheses:

${RULES.filter(({ on }) => on !== undefined)
  .map(item)
  .join('\n')}
`;
}

/** What each expectation is, as the text below its heading. */
const EXPECTED: Readonly<Record<Must, string>> = {
  all: `The client must ${MUST.all}, and exit with 0.`,
  'all-or-error': `The client must ${MUST.all} and exit with 0, or exit with another code.`,
  'all-or-prefix': '',
  error: 'The client must exit with a code other than 0. It must not retry a 401 or 404 more than 20 times.',
  any: 'Nothing is a failure. Missing items are a note.',
};

/** When a fault happens, at the end of what the server does. */
const WHEN = / for (page \d|the item), (every time|once)$/;

/** @returns `docs/examine-rules.md`: the scenarios by what they ask of a client. */
function examineRules(): string {
  const sections = Object.entries(EXPECTED).flatMap(([must, text]) => {
    const groups = new Map<string, string[]>();
    const ofMust = SCENARIOS.filter(({ expect }) => expect === must).map(({ name, server, client }) => {
      const [, where, often] = WHEN.exec(server) ?? [];
      const when = where === undefined ? '' : `${where}, ${String(often)}`;
      return { name, server: server.replace(WHEN, ''), client, when };
    });
    for (const { name, server, client, when } of ofMust) {
      const isShared =
        client !== undefined && ofMust.filter((it) => it.when === when && it.client === client).length > 1;
      const title = isShared ? [when, client].filter((it) => it !== '').join('; ') : when;
      const own = isShared || client === undefined ? '' : `; ${client}`;
      groups.set(title, [...(groups.get(title) ?? []), `- \`${name}\`: ${server}${own}`]);
    }
    const ordered = [...groups].toSorted(([one], [other]) => Number(one !== '') - Number(other !== ''));
    const lists = ordered.map(([title, items]) => {
      const head = title === '' ? '' : `${title.charAt(0).toUpperCase()}${title.slice(1)}:\n\n`;
      return head + items.join('\n');
    });
    return groups.size === 0 ? [] : [`## \`${must}\``, text, ...lists];
  });
  return `${headOf('audit/fake/scenarios', 'examine')}
Open this page for what the server does in each scenario of [\`examine\`](examine.md) and \`fake\`, and what "it", the client, must do.
Instead of \`all\`, a profile may have \`all-or-prefix\` for \`page.short\`: the client may stop early, but skips no item.

${sections.join('\n\n')}
`;
}

/** The list of settings, between marks: the rest of the page is written by hand. */
const SETTINGS_PAGE = 'docs/running.md';
const MARKED = /(?<=<!-- Generated from cli\/settings\.ts [^\n]*-->\n)[^]*(?=<!-- End of the generated list\. -->)/;

/** @returns the page with the current list between its marks. @throws Error if the marks are missing. */
async function settingsPage(): Promise<string> {
  const page = readFileSync(pathOf(SETTINGS_PAGE), 'utf8');
  if (!MARKED.test(page)) throw new Error(`${SETTINGS_PAGE} has no marks around its list of settings.`);
  const settings = SETTING_NAMES.map((name) => {
    const { default: text, value } = settingOf(name);
    return `\`${flagOf(name)}\`${text === undefined || value === undefined ? '' : ` (\`${text}\`)`}`;
  });
  const list = await wrapped(`${settings.join(', ')}.`);
  return page.replace(MARKED, () => `\n${list}\n`);
}

writeFiles({
  'docs/audit-rules.md': await wrapped(auditRules()),
  [SETTINGS_PAGE]: await formatted(await settingsPage(), 'markdown'),
  'docs/examine-rules.md': await wrapped(examineRules()),
});
