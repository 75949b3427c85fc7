/** Metrics: what the server notices, counted for Prometheus, and what Node tells of the process. */
import { AggregatorRegistry, Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Observer } from '../http/notices.ts';

/** The label of what is no operation's, and of what got no response: both have few values, whatever is asked for. */
const NONE = 'none';
/** Bounds of buckets: from a cached reply to the slowest reader. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** @returns all of them, as Prometheus reads them. */
  readonly read: () => Promise<string>;
}

/** @param registry that they are to be in. */
export function createMetrics(registry = new Registry()): Metrics {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'rollcall_http_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took from their headers to the end of the response.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const reads = new Histogram({
    name: 'rollcall_store_read_duration_seconds',
    help: 'Reads of the store by operation, and how long they took. Cached responses need none.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  const bytes = new Counter({
    name: 'rollcall_http_response_bytes_total',
    help: 'Bytes of response bodies.',
    registers,
  });
  const cacheHits = new Counter({
    name: 'rollcall_cache_hits_total',
    help: 'Requests whose response came from the cache.',
    registers,
  });
  const aborted = new Counter({
    name: 'rollcall_http_requests_aborted_total',
    help: 'Requests whose caller closed the connection before the end of the response.',
    registers,
  });
  const rejections = new Counter({
    name: 'rollcall_http_rejections_total',
    help: 'Messages that were rejected before they were requests, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const failures = new Counter({
    name: 'rollcall_failures_total',
    help: 'Faults of the server; the log has them.',
    registers,
  });
  return {
    observer: {
      completed: (it) => {
        durations.observe({ operation: it.operation ?? NONE, status: it.status ?? NONE }, it.ms / 1000);
        bytes.inc(it.bytes);
        if (it.isCached) cacheHits.inc();
        if (!it.isComplete) aborted.inc();
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

// With several processes each worker counts for itself, and the process that started them gathers.

/**
 * @param worker the label of its figures. They are not added up: a sum falls when a worker is replaced.
 * @returns what counts for a worker.
 */
export function countForWorker(worker: string): Observer {
  const registry = new Registry();
  registry.setDefaultLabels({ worker });
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry(); // It answers the process that gathers.
  return createMetrics(registry).observer;
}

/** @returns the figures of all workers of this process, which notices nothing itself. */
export function gatherMetrics(): Metrics {
  const registry = new AggregatorRegistry();
  return { observer: {}, contentType: registry.contentType, read: () => registry.clusterMetrics() };
}
