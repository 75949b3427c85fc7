/** Metrics as a server exports them, as docs/monitoring.md documents them, and as the alert rules in docs/alerts.yml use them. */
import { parse } from 'yaml';
import { textOf } from './docs.ts';

export interface Metric {
  readonly name: string;
  readonly type: string;
  /** Sorted. */
  readonly labels: readonly string[];
}

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

/** @returns the rows of the table of metrics in the docs. */
export function documentedMetrics(): readonly Metric[] {
  const rows = [...textOf('docs/monitoring.md').matchAll(/^\| `(\w+)` +\| (\w+) +\| ([^|]*) \|/gm)];
  return rows.map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, it = '']) => it).sort(),
  }));
}

/** @returns the rules in docs/alerts.yml. */
export function alertRules(): readonly Rule[] {
  // As promtool checks it.
  const { groups } = parse(textOf('docs/alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] };
  return groups.flatMap((it) => it.rules);
}

// What a histogram adds to its name, and the label that it adds.
const ENDS = /_(?:bucket|count|sum)$/;
const BUCKET = 'le';

/** @returns the metrics of a text in the format of Prometheus; their labels as far as there are samples. */
export function metricsIn(text: string): readonly (Metric & { readonly samples: number })[] {
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, it = '']) => it),
  }));
  return types.map(([, name = '', type = '']) => {
    const own = samples.filter(
      (it) => it.name === name || (type === 'histogram' && it.name.replace(ENDS, '') === name),
    );
    const labels = new Set(own.flatMap((it) => it.labels).filter((it) => it !== BUCKET));
    return { name, type, labels: [...labels].sort(), samples: own.length };
  });
}

/** @returns the names of the metrics in an expression of PromQL, without what a histogram adds; not `up`, which Prometheus adds. */
export function metricNamesIn(expr: string): readonly string[] {
  const found = expr.match(/\b(?:rollcall|process|nodejs)_\w+/g) ?? [];
  return [...new Set(found.map((it) => it.replace(ENDS, '')))];
}
