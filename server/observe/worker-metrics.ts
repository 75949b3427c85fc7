/** Metrics of several processes: each worker counts for itself, and the process that started them gathers. */
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Observer } from '../http/events.ts';
import { createMetrics } from './metrics.ts';
import type { Metrics } from './metrics.ts';

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
