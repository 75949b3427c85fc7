/** The verdicts on failures of clients are a baseline, and docs/scoreboard.md has them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { RULES } from '../server/examine/rules.ts';
import type { Result } from '../server/report/findings.ts';
import { readRows } from './codegen/row.ts';
import { surprisesOf } from './codegen/score.ts';
import { VERDICTS } from './codegen/verdicts.ts';

const passed = (rule: string): Result => ({ rule, title: '', ms: 1, outcome: 'passed' });
const failed = (rule: string): Result => {
  const finding = { request: 'list automations', expected: 'an error', actual: 'no ids' };
  return { rule, title: '', ms: 1, outcome: 'failed', findings: [finding] };
};
const verdict = (...rules: string[]) => ({ rules, fault: 'generator', reason: 'It does not look.' }) as const;

describe('a run differs from its verdicts', () => {
  test('not with a verdict for each failure', () => {
    const results = [failed('errors.get'), passed('errors.reset'), failed('errors.not_json')];
    expect(surprisesOf(results, [verdict('errors.not_json'), verdict('errors.get')])).toEqual([]);
  });

  test('with a failure that has none', () => {
    expect(surprisesOf([failed('errors.get')], [])).toEqual([
      'errors.get fails, and has no verdict: list automations: expected an error, got no ids',
    ]);
  });

  test('with a verdict on a rule that passes, or is not checked', () => {
    const notChecked: Result = { rule: 'errors.get', title: '', ms: 1, outcome: 'not_checked', reason: 'no reason' };
    for (const it of [passed('errors.get'), notChecked])
      expect(surprisesOf([it], [verdict('errors.get')])).toEqual([
        'errors.get has a verdict, and does not fail: remove it from verdicts.ts',
      ]);
  });

  test('with two verdicts on one failure', () => {
    expect(surprisesOf([failed('errors.get')], [verdict('errors.get'), verdict('errors.get')])).toEqual([
      'errors.get has two verdicts',
    ]);
  });
});

describe('docs/scoreboard.md', () => {
  const page = readFileSync(new URL('../docs/scoreboard.md', import.meta.url), 'utf8').replaceAll(/ +\|/g, ' |');
  const clients = new Set([...page.matchAll(/^\| \[`([\w-]+)`\]/gm)].map(([, name = '']) => name));

  test('has every verdict, on rows and rules that exist', () => {
    const rows = readRows().map(({ name }) => name);
    const rules = new Set(RULES.map(({ id }) => id));
    for (const [name, verdicts] of Object.entries(VERDICTS)) {
      expect(rows).toContain(name);
      for (const { rules: its, fault, reason } of verdicts) {
        expect(its.filter((it) => !rules.has(it))).toEqual([]);
        expect(page).toContain(`| \`${name}\` | ${its.map((it) => `\`${it}\``).join(', ')} | ${fault} | ${reason} |`);
      }
    }
    const lines = Object.values(VERDICTS).flat().length;
    expect(page.match(/\| (?:generator|contract|driver) \|/g)).toHaveLength(lines);
  });

  test('has the number of clients and languages that it says', () => {
    const [, count, languages] = /: (\d+) clients in (\d+) languages/.exec(page) ?? [];
    const ofClients = [...page.matchAll(/^\| \[`[\w-]+`\]\S* \| [^|]+ \| (\w+) \|/gm)].map(([, it]) => it);
    expect([clients.size, new Set(ofClients).size]).toEqual([Number(count), Number(languages)]);
    expect(ofClients).toHaveLength(clients.size);
  });

  test('has a row without failures for our client, and failures of the sentinel', () => {
    expect(clients).toContain('rollcall-client');
    expect(VERDICTS['rollcall-client']).toBeUndefined();
    const ofSentinel = (VERDICTS['fetch'] ?? []).flatMap(({ rules }) => rules);
    expect(new Set(ofSentinel.map((it) => it.replace(/\..*/, '')))).toEqual(
      new Set(['pagination', 'errors', 'requests']),
    );
  });
});
