/** Metrics: what the server notices, counted for Prometheus, and what Node tells of the process. */
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Observer } from '../http/events.ts';

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
    name: 'rollcall_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took from their headers to the end of their answer.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const reads = new Histogram({
    name: 'rollcall_store_read_duration_seconds',
    help: 'Reads of the store by what was asked for, and how long it took. Remembered answers need none.',
    labelNames: ['work'],
    buckets: SECONDS,
    registers,
  });
  const bytes = new Counter({ name: 'rollcall_response_bytes_total', help: 'Bytes of bodies.', registers });
  const remembered = new Counter({
    name: 'rollcall_remembered_answers_total',
    help: 'Requests that were answered from memory.',
    registers,
  });
  const cutOff = new Counter({
    name: 'rollcall_cut_off_answers_total',
    help: 'Requests whose caller left before the end of the answer.',
    registers,
  });
  const refused = new Counter({
    name: 'rollcall_refused_messages_total',
    help: 'Messages that never became requests, by the reason.',
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
      answered: (it) => {
        durations.observe({ operation: it.operation ?? NONE, status: it.status ?? NONE }, it.ms / 1000);
        bytes.inc(it.bytes);
        if (it.isRemembered) remembered.inc();
        if (!it.isComplete) cutOff.inc();
      },
      read: ({ work, ms }) => {
        reads.observe({ work }, ms / 1000);
      },
      refused: ({ reason }) => {
        refused.inc({ reason });
      },
      failed: () => {
        failures.inc();
      },
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  };
}
