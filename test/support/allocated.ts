/** Bytes that a piece of work allocates: unlike its time they hardly depend on the machine. */
import { GCProfiler, getHeapStatistics } from 'node:v8';

const usedBytes = (): number => getHeapStatistics().used_heap_size;

/** @returns how many bytes on the heap the work allocates, those that are collected meanwhile included. */
export async function allocatedBy(work: () => Promise<unknown>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  const before = usedBytes();
  await work();
  const after = usedBytes();
  const freed = profiler
    .stop()
    .statistics.map(
      ({ beforeGC, afterGC }) => beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
    );
  return after - before + freed.reduce((sum, bytes) => sum + bytes, 0);
}
