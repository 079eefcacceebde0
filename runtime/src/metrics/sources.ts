import type { Gauge } from 'prom-client';
import { createReading, type Reading } from './reading.ts';

/** A value of a gauge. */
export type LabeledValue = { labels: Record<string, string>; value: number };

/**
 * What several parts of a process, such as its services, read for the same gauges. A gauge calls `show` when it is
 * scraped; gauges that show different numbers of one reading share it.
 */
export function createSources<Value>() {
  const readings: { name: string; read: Reading<Value> }[] = [];
  return {
    /** @param name of the part, for the labels */
    add(name: string, read: () => Promise<Value>): void {
      readings.push({ name, read: createReading(read) });
    },

    /** Sets the values of the gauge. Those of a part whose reading fails or is late are absent. */
    async show(
      gauge: Pick<Gauge, 'reset' | 'set'>,
      toValues: (name: string, value: Value) => readonly LabeledValue[],
    ): Promise<void> {
      const values = await Promise.all(
        readings.map(async ({ name, read }) => ({ name, value: await read() })),
      );
      gauge.reset();
      for (const { name, value } of values)
        if (value !== null)
          for (const { labels, value: number } of toValues(name, value)) gauge.set(labels, number);
    },
  };
}

/** How long ago this was, in seconds; 0 also for a time that is ahead by the clock of another process. */
export function ageSeconds(at: Date, now: Date): number {
  return Math.max(0, now.getTime() - at.getTime()) / 1000;
}
