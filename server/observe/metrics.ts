/** Metrics for Prometheus, of the server's events and of the Node process. */
import { AggregatorRegistry, Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Observer } from '../http/events.ts';
import { registerInstance } from './instance.ts';
import type { Instance } from './instance.ts';

/** The label of requests outside the operations, and of requests without a response. It bounds the number of time series. */
const NONE = 'none';
/** Upper bounds of the buckets: from a cached response to the slowest client. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** @returns all metrics in the text format of Prometheus. */
  readonly read: () => Promise<string>;
}

// Gauges with the suffix of counters. Those of the same name without the suffix, by type, have the same information.
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** @param instance adds the metrics of the instance as a whole. */
export function createMetrics(instance?: Instance, registry = new Registry()): Metrics {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const metric of MISNAMED) registry.removeSingleMetric(metric);
  if (instance !== undefined) registerInstance(registry, instance);
  const durations = new Histogram({
    name: 'rollcall_http_request_duration_seconds',
    help: 'Duration of requests, from the headers to the end of the response. operation is none for other paths; status is none without a response.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const reads = new Histogram({
    name: 'rollcall_store_read_duration_seconds',
    help: 'Duration of reads from the database. operation is authenticate, list or get. Cached responses read nothing.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const bytes = counter('rollcall_http_response_bytes_total', 'Bytes of response bodies.');
  const cacheHits = counter('rollcall_cache_hits_total', 'Responses from the cache.');
  const aborted = counter(
    'rollcall_http_requests_aborted_total',
    'Requests whose client closed the connection before the end of the response.',
  );
  const rejections = counter(
    'rollcall_http_rejections_total',
    'Rejected connections and messages, by reason: malformed (not valid HTTP), method (unknown), timeout (took too long to arrive), too_long (target and headers), connections (too many).',
    ['reason'],
  );
  const failures = counter(
    'rollcall_failures_total',
    'Failures of the server or the database, with details in the log. Requests rejected under overload are not failures.',
  );
  return {
    observer: {
      completed: (request) => {
        durations.observe({ operation: request.operation ?? NONE, status: request.status ?? NONE }, request.ms / 1000);
        bytes.inc(request.bytes);
        if (request.isCached) cacheHits.inc();
        if (!request.isComplete) aborted.inc();
      },
      read: ({ work, ms }) => {
        reads.observe({ operation: work }, ms / 1000);
      },
      rejected: ({ reason }) => {
        rejections.inc({ reason });
      },
      failed: () => {
        failures.inc();
      },
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  };
}

/**
 * Counts the events of one worker, for the process that starts the workers and gathers their metrics.
 * @param worker the label of its metrics. The metrics of workers are not summed, because a sum falls when a worker is replaced.
 */
export function countForWorker(worker: string): Observer {
  const registry = new Registry();
  registry.setDefaultLabels({ worker });
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry(); // It replies to `gatherMetrics` of the primary process.
  return createMetrics(undefined, registry).observer;
}

/** Why a worker was replaced: a signal had stopped it, as in a rolling restart, or it ended for another reason. */
export type RestartReason = 'stopped' | 'failed';
const REASONS: readonly RestartReason[] = ['stopped', 'failed'];

export interface WorkersMetrics extends Metrics {
  /** Call when a worker has ended and will be replaced. @param worker its number, from 1. */
  readonly workerEnded: (worker: number, reason: RestartReason) => void;
}

/**
 * @param count the number of workers.
 * @returns the metrics of all workers of this process, which emits no events itself, and of the instance as a whole.
 */
export function gatherMetrics(count: number, instance: Instance): WorkersMetrics {
  const [workers, own] = [new AggregatorRegistry(), new Registry()];
  registerInstance(own, instance);
  const restarts = new Counter({
    name: 'rollcall_worker_restarts_total',
    help: 'Workers that ended and were replaced. reason is stopped if a signal stopped the worker, otherwise failed.',
    labelNames: ['worker', 'reason'],
    registers: [own],
  });
  // From 0, because Prometheus sees no increase in the first sample of a series.
  for (let worker = 1; worker <= count; worker += 1) for (const reason of REASONS) restarts.inc({ worker, reason }, 0);
  return {
    observer: {},
    contentType: own.contentType,
    read: async () => {
      // It rejects if a worker does not respond: perhaps it is about to be replaced, which the other metrics show.
      const [ofWorkers, ofInstance] = await Promise.all([workers.clusterMetrics().catch(() => ''), own.metrics()]);
      return `${ofInstance}${ofWorkers}`;
    },
    workerEnded: (worker, reason) => {
      restarts.inc({ worker, reason });
    },
  };
}
