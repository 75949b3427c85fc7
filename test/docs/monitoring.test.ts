/** docs/monitoring.md, docs/alerts.yml and their tests agree with the metrics. `npm run test:e2e -- monitoring` does more, with promtool. */
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createMetrics, gatherMetrics } from '../../server/observe/metrics.ts';
import { headingsOf, textOf } from '../support/docs.ts';
import { alertRules, documentedMetrics, metricNamesIn, metricsIn } from '../support/metrics.ts';

const instance = {
  build: { version: '', contract_version: '', node_version: '', engine: 'sqlite' },
  usage: () => ({ bytes: 1, expiringKeys: 0, expiredKeys: 0, lastImports: [] }),
} as const;
const texts = await Promise.all([createMetrics(instance).read(), gatherMetrics(2, instance).read()]);
const exported = new Map(texts.flatMap(metricsIn).map((it) => [it.name, it.type]));

test('every metric of Rollcall is documented, and every documented one is there', () => {
  const ours = [...exported].filter(([name]) => name.startsWith('rollcall_'));
  expect(
    documentedMetrics()
      .map(({ name, type }) => [name, type])
      .sort(),
  ).toEqual(ours.sort());
});

describe('alerts', () => {
  const rules = alertRules();

  test('use metrics that are there', () => {
    expect(rules.flatMap((it) => metricNamesIn(it.expr)).filter((it) => !exported.has(it))).toEqual([]);
    // Each rule but that of `up` uses one.
    expect(rules.filter((it) => metricNamesIn(it.expr).length === 0).map((it) => it.alert)).toEqual(['RollcallDown']);
  });

  test('have a section of the runbook each, in the same order', () => {
    const sections = headingsOf('docs/monitoring.md').filter((it) => it.startsWith('Rollcall'));
    expect(rules.map((it) => it.alert)).toEqual(expect.arrayContaining(sections));
    expect(sections).toHaveLength(rules.length);
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
    }
  });

  test('are tested: each fires once, and once does not', () => {
    const cases = ['alerts', 'daily-alerts'].flatMap((name) => {
      // As promtool reads it.
      const { tests } = parse(textOf(`test/monitoring/${name}.test.yml`)) as {
        tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly object[] }[] }[];
      };
      return tests.flatMap((it) => it.alert_rule_test);
    });
    const names = (fires: boolean): readonly string[] =>
      [...new Set(cases.filter((it) => it.exp_alerts.length > 0 === fires).map((it) => it.alertname))].sort();
    const all = rules.map((it) => it.alert).sort();
    expect([names(true), names(false)]).toEqual([all, all]);
  });
});
