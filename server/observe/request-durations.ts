/**
 * How long requests took, as a histogram of prom-client that counts in plain numbers: prom-client itself makes a text of the
 * labels for each observation, which takes longer than all else that is noticed of a request.
 */
import { Histogram } from 'prom-client';
import type { MetricType, Registry } from 'prom-client';

/** The label of what is no operation's, and of what got no answer: both have few values, whatever is asked for. */
const NONE = 'none';
/** Bounds of buckets: from a remembered answer to the slowest reader. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const NAME = 'rollcall_request_duration_seconds';
const HELP = 'Requests by operation and status, and how long they took from their headers to the end of their answer.';

type Labels = 'operation' | 'status' | 'le';
type Status = number | typeof NONE;

interface Series {
  /** How many are in each bucket and in none below; one more than there are bounds. */
  readonly counts: number[];
  sum: number;
}

export class RequestDurations extends Histogram<Labels> {
  readonly #ofOperation = new Map<string, Map<Status, Series>>();

  constructor(registry: Registry) {
    super({ name: NAME, help: HELP, labelNames: ['operation', 'status'], buckets: SECONDS, registers: [registry] });
  }

  /** Counts a request. */
  add(operation: string = NONE, status: Status = NONE, seconds: number): void {
    const series = this.#ofOperation.get(operation)?.get(status) ?? this.#begin(operation, status);
    let bucket = 0;
    while (seconds > (SECONDS[bucket] ?? Infinity)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  #begin(operation: string, status: Status): Series {
    const series = { counts: Array<number>(SECONDS.length + 1).fill(0), sum: 0 };
    const ofStatus = this.#ofOperation.get(operation) ?? new Map<Status, Series>();
    this.#ofOperation.set(operation, ofStatus.set(status, series));
    return series;
  }

  /** What a registry reads as JSON. */
  override get(): ReturnType<Histogram<Labels>['get']> {
    const values = [...this.#ofOperation].flatMap(([operation, ofStatus]) =>
      [...ofStatus].flatMap(([status, { counts, sum }]) => {
        const labels = { operation, status };
        let count = 0;
        const buckets = counts.map((it, at) => {
          count += it;
          return { metricName: `${NAME}_bucket`, labels: { le: SECONDS[at] ?? '+Inf', ...labels }, value: count };
        });
        return [
          ...buckets,
          { metricName: `${NAME}_sum`, labels, value: sum },
          { metricName: `${NAME}_count`, labels, value: count },
        ];
      }),
    );
    const type = 'histogram' as unknown as MetricType; // It is a text: the enum of prom-client's types does not exist.
    return Promise.resolve({ name: NAME, help: HELP, type, aggregator: 'sum', values, collect: () => undefined });
  }

  /** What a registry reads as text. */
  getForPromString(): ReturnType<Histogram<Labels>['get']> {
    return this.get();
  }
}
